#!/usr/bin/python3
"""Fails on an include in src/ that the layer table of docs/architecture.md does not allow.

The table's first column names a folder, its last column what that folder may include. Permission is transitive: a
layer may also include what its permitted layers may. `daedalus/name` permits the public header of that name, and
`daedalus` all of them. Other words ("std") permit nothing.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')


def read_table(text):
    """Layer → set of layers it may include directly, from rows like | `src/expr/` | … | base |"""
    rows = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|") or len(cells) < 3:
            continue
        for folder in re.findall(r"`src/([a-z_/]+?)/?`", cells[0]):
            rows[folder] = [word.strip().strip("`").rstrip("/") for word in cells[-1].split(",")]
    return {
        layer: {word for word in words if word in rows or word.split("/")[0] == "daedalus"}
        for layer, words in rows.items()
    }


def closure(direct):
    """Adds what is allowed through an allowed layer."""
    allowed = {layer: set(words) for layer, words in direct.items()}
    changed = True
    while changed:
        changed = False
        for layer, words in allowed.items():
            more = set().union(*(allowed.get(word, set()) for word in words)) - words - {layer}
            if more:
                words |= more
                changed = True
    return allowed


def layer_of(path, layers):
    """The longest layer name that is a folder of `path` (relative to src/), or None."""
    folder = pathlib.PurePosixPath(path).parent
    for candidate in (folder, *folder.parents):
        if str(candidate) in layers:
            return str(candidate)
    return None


def violations(allowed, source_dir):
    for path in sorted(source_dir.rglob("*.[ch]pp")):
        relative = path.relative_to(source_dir).as_posix()
        layer = layer_of(relative, allowed)
        if layer is None:
            yield f"src/{relative}:1: its folder is not in the layer table of docs/architecture.md"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            match = INCLUDE.match(line)
            if not match:
                continue
            if match[1].startswith("daedalus/"):
                if not {"daedalus", match[1].rsplit(".", 1)[0]} & allowed[layer]:
                    yield f"src/{relative}:{number}: {layer} must not include the public header {match[1]}"
                continue
            target = layer_of(match[1], allowed)
            if target and target != layer and target not in allowed[layer]:
                permitted = ", ".join(sorted(allowed[layer])) or "the standard library only"
                yield f"src/{relative}:{number}: {layer} must not include {match[1]} (allowed: {permitted})"


def main():
    direct = read_table((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))
    if "base" not in direct:
        sys.exit("docs/architecture.md: the layer table was not found")
    found = list(violations(closure(direct), ROOT / "src"))
    print("\n".join(found) if found else f"layers: {len(direct)} layers, no forbidden include")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
