# Sourced by ./daedalus, ./test and the scripts in tools/: installs missing Debian packages, configures and builds.
#
# Standard output belongs to the program that is started in the end: everything here speaks on standard error, and
# says little unless something fails. Any failure here exits with bootstrap_failed.
# Expects `root` to be the repository's directory. No command here may read the caller's standard input.

readonly bootstrap_failed=8
readonly build_dir=$root/build/release
readonly program=$build_dir/apps/cli/daedalus
readonly stamp=$build_dir/.program_is_current

say() { printf 'daedalus: %s\n' "$*" >&2; }

# ── packages ─────────────────────────────────────────────────────────────────────────────────────────────────────

# listed_packages FILE…: the package names, comments removed.
listed_packages() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@"; }

# missing_packages NAME…: those that are not installed, one per line.
missing_packages() {
    local installed
    # dpkg-query fails where one of them is not known: callers may have set -e and pipefail.
    installed=$({ dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true; } | sed -n 's/^installed //p')
    local package
    for package; do
        grep -qxF -e "$package" <<<"$installed" || printf '%s\n' "$package"
    done
}

# as_root COMMAND…: directly or through sudo without a question; 125 if neither is possible.
as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
    elif command -v sudo >/dev/null && [[ -t 0 && -t 2 && -z ${CI:-} ]]; then
        say "sudo is needed to install Debian packages"
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    else
        return 125
    fi
}

# install_packages LOG NAME…: with apt-get; refreshes the package lists when the first attempt fails.
install_packages() {
    local log=$1
    shift
    local apt=(apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -q -y)
    local install=("${apt[@]}" install --no-install-recommends "$@")
    export DEBIAN_FRONTEND=noninteractive
    if as_root "${install[@]}" </dev/null >"$log" 2>&1; then return 0; fi
    as_root "${apt[@]}" update </dev/null >>"$log" 2>&1 && as_root "${install[@]}" </dev/null >>"$log" 2>&1
}

# require_packages FILE…: makes sure that the packages listed in the files are installed, or exits.
require_packages() {
    local -a wanted missing
    mapfile -t wanted < <(listed_packages "$@")
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        command -v cmake >/dev/null && command -v ninja >/dev/null && return 0
        say "this is not a Debian system; please install what these Debian packages contain: ${wanted[*]}"
        exit $bootstrap_failed
    fi
    mapfile -t missing < <(missing_packages "${wanted[@]}")
    ((${#missing[@]})) || return 0

    if ((EUID != 0)) && ! { command -v sudo >/dev/null && { sudo -n true 2>/dev/null ||
        [[ -t 0 && -t 2 && -z ${CI:-} ]]; }; }; then
        say "these Debian packages are missing and neither root nor sudo is at hand: ${missing[*]}"
        say "please have them installed:"
        printf '    apt-get install --no-install-recommends %s\n' "${missing[*]}" >&2
        exit $bootstrap_failed
    fi
    say "installing Debian packages: ${missing[*]}"
    local log
    log=$(mktemp "${TMPDIR:-/tmp}/daedalus-apt.XXXXXX")
    if ! install_packages "$log" "${missing[@]}"; then
        tail -n 30 "$log" >&2
        say "could not install: ${missing[*]} (whole log: $log)"
        exit $bootstrap_failed
    fi
    rm -f "$log"
}

# ── configure and build ──────────────────────────────────────────────────────────────────────────────────────────

# show_failure LOG: from the first failing step on, at most 60 lines.
show_failure() {
    local first
    first=$(grep -n -m1 -E '^FAILED:|error:|CMake Error' "$1" | cut -d: -f1)
    tail -n "+${first:-1}" "$1" | head -n 60 >&2
}

# follow_build: reads ninja's lines and turns them into one line of progress.
follow_build() {
    local line announced=''
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (Build|Link) ]] || continue
        if [[ -t 2 ]]; then
            printf '\rdaedalus: building %s of %s\e[K' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
            announced=tty
        elif [[ -z $announced ]]; then
            say "building (${BASH_REMATCH[2]} steps) …"
            announced=line
        fi
    done
    [[ $announced != tty ]] || printf '\r\e[K' >&2
}

configure() {
    local log=$build_dir/configure.log
    local -a fresh=()
    local cache=$build_dir/CMakeCache.txt
    if [[ -f $cache ]]; then
        if grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" && [[ -f $build_dir/build.ninja ]]; then
            return 0 # the build reconfigures itself when a CMake file changes
        fi
        fresh=(--fresh) # the folder was moved or copied, or the first configuration failed
    fi
    say "configuring …"
    if ! (cd "$root" && cmake --preset release "${fresh[@]}") </dev/null >"$log" 2>&1; then
        show_failure "$log"
        say "configuring failed (whole log: $log)"
        exit $bootstrap_failed
    fi
}

# build_targets TARGET…: installs, configures and builds what is needed. One process at a time.
build_targets() {
    if ! mkdir -p "$build_dir" 2>/dev/null || [[ ! -w $root/build || ! -w $build_dir ]]; then
        say "the program must be built, but $build_dir is not writable for $(id -un)"
        exit $bootstrap_failed
    fi
    if ! command -v flock >/dev/null; then
        say "the command flock (package util-linux) is missing"
        exit $bootstrap_failed
    fi
    exec 9>"$root/build/.lock"
    if ! flock -n 9; then
        say "waiting for another build in this folder …"
        flock 9
    fi
    # The stamp carries the time before the build, so that what is edited meanwhile is built next time.
    local started
    started=$(mktemp "$build_dir/.started.XXXXXX")
    require_packages "$root/tools/packages.txt"
    configure
    local log=$build_dir/build.log
    local status
    NINJA_STATUS='[%f/%t] ' cmake --build "$build_dir" --target "$@" </dev/null 2>&1 9>&- | tee "$log" | follow_build
    status=${PIPESTATUS[0]}
    if ((status != 0)); then
        rm -f "$started"
        show_failure "$log"
        say "the build failed (whole log: $log)"
        exit $bootstrap_failed
    fi
    mv -f "$started" "$stamp"
    exec 9>&-
}
