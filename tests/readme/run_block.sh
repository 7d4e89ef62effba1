#!/usr/bin/env bash
# run_block.sh BLOCK PROGRAM SOURCE_DIR: runs a shell block of the README in a scratch folder that looks like a
# clone, with the program just built in place of ./daedalus. Cloning, entering the clone and ./test itself are left out.
set -euo pipefail
block=$1 program=$2 source_dir=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
ln -s "$program" daedalus
[[ ! -d $source_dir/examples ]] || cp -r "$source_dir/examples" examples
grep -vE '^(git clone|cd |\./test( |$)|sudo )' "$block" >commands.sh || true
if ! grep -qE '[^[:space:]]' commands.sh; then
    echo "nothing to run in this block"
    exit 0
fi
cat commands.sh
bash -eu -o pipefail commands.sh </dev/null
