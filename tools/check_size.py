#!/usr/bin/python3
"""Functions and classes of src/integrate that have outgrown a screen.

A function has at most 60 lines from its head to its closing brace, a class at most 25 fields of its own. Formatting by
clang-format is relied upon: a body opens with `{` at the end of its head and closes with `}` at the indentation of the
head. Exit status 1 where anything is larger and not in the list below, or listed and no longer larger.

    tools/check_size.py            what is too large
    tools/check_size.py --all      the largest ten of both, for planning
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "src" / "integrate"
MOST_LINES = 60
MOST_FIELDS = 25

# Known to be too large: (file, name). An entry goes when its owner has been cut.
KNOWN = set()

NOT_A_FUNCTION = re.compile(r"^\s*(namespace|class|struct|enum|union|if|for|while|switch|else|do|case|default|extern)\b")
HEAD = re.compile(r"([~\w:]+(?:<[^<>()]*>)?(?:::[~\w]+)?)\s*\(")
CLASS = re.compile(r"^(\s*)(?:class|struct)\s+(?:\[\[\w+\]\]\s*)?([\w:]+)[^;]*\{$")
FIELD = re.compile(
    r"^(?:mutable |static constexpr |constexpr )?(?:const )?[\w:]+(?:<.*>)?(?:::\w+)?(?: const)?[\s*&]+"
    r"[\w\[\]]+(?:\s*(?:=[^;]*|\{[^;]*\}))?(?:\s*,\s*[*&]?\w+(?:\s*(?:=[^,;]*|\{[^;]*\}))?)*;"
)


def indent(line):
    return len(line) - len(line.lstrip())


def closing(lines, opening, depth):
    """The line of the brace that closes what `opening` opened at this indentation."""
    for number in range(opening + 1, len(lines)):
        if lines[number].strip() and indent(lines[number]) <= depth and lines[number].lstrip().startswith("}"):
            return number
    return len(lines) - 1


def functions(lines):
    """Name, first line, number of lines of every function that has a body over several lines."""
    start = None
    for number, line in enumerate(lines):
        text = line.split("//")[0].rstrip()
        if not text.strip() or text.lstrip().startswith(("#", "///", "template", "[[", "public", "private", "protected")):
            if not text.lstrip().startswith("[["):
                start = None
                continue
        if start is None:
            start = number
        if text.endswith((";", "}")):
            start = None
        elif text.endswith("{"):
            head = " ".join(part.split("//")[0].strip() for part in lines[start : number + 1])
            depth, first, start = indent(lines[start]), start, None
            match = HEAD.search(head)
            if match and not NOT_A_FUNCTION.match(head) and "=" not in head[: match.start()] and depth <= 4:
                yield match.group(1), first, closing(lines, number, depth) - first + 1


def classes(lines):
    """Name, first line, number of fields of every class."""
    for number, line in enumerate(lines):
        match = CLASS.match(line.split("//")[0].rstrip())
        if not match:
            continue
        depth = len(match.group(1))
        count = 0
        for inner in lines[number + 1 : closing(lines, number, depth)]:
            text = inner.split("//")[0].strip()
            if indent(inner) != depth + 4 or "(" in re.sub(r"\{[^}]*\}|=.*", "", text):
                continue
            if text.startswith(("using", "return", "friend", "static", "enum", "class", "struct", "template")):
                continue
            if FIELD.match(text):
                count += len(split_names(text))
        yield match.group(2), number, count


def split_names(text):
    """`int a = f(1, 2), b;` has two."""
    names, depth = [""], 0
    for letter in text:
        depth += letter in "(<{["
        depth -= letter in ")>}]"
        if letter == "," and depth == 0:
            names.append("")
        else:
            names[-1] += letter
    return names


def main():
    long, wide = [], []
    for path in sorted(FOLDER.rglob("*.[ch]pp")):
        lines = path.read_text(encoding="utf-8").splitlines()
        name = path.relative_to(ROOT).as_posix()
        long += [(count, name, first + 1, what) for what, first, count in functions(lines)]
        wide += [(count, name, first + 1, what) for what, first, count in classes(lines)]
    if "--all" in sys.argv:
        for title, found in (("lines", long), ("fields", wide)):
            for count, name, line, what in sorted(found, reverse=True)[:10]:
                print(f"{name}:{line}: {what} has {count} {title}")
        return 0
    status, seen = 0, set()
    for most, title, found in ((MOST_LINES, "lines", long), (MOST_FIELDS, "fields", wide)):
        for count, name, line, what in sorted(found, reverse=True):
            if count <= most:
                continue
            seen.add((name, what))
            if (name, what) not in KNOWN:
                print(f"{name}:{line}: {what} has {count} {title}, more than {most}")
                status = 1
    for name, what in sorted(set(KNOWN) - seen):
        print(f"tools/check_size.py: {what} of {name} is no longer too large: take it off the list")
        status = 1
    print(f"size: {len(long)} functions, {len(wide)} classes of src/integrate, {len(KNOWN)} known to be too large")
    return status


if __name__ == "__main__":
    sys.exit(main())
