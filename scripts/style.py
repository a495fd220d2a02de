#!/usr/bin/env python3
"""Checks pages, doc comments and texts of the program against the patterns of scripts/style.txt, and the length of lines.

Help texts are checked as part of docs/commands.md. Texts of the program are found in all code of Rust files and of the
page except tests, and in the text files of the report. In pages and doc comments, code, quotations and link targets are
not checked. Lines of pages may be longer if they are rows of a table, or have a link or long code.
"""

import re
import sys

from links import FENCE, ROOT, files

COLUMNS = 100
UNBREAKABLE = re.compile(r" *\||.*(\]\(|https?:)|[^`]*(`[^`]*`[^`]*)*`[^`]{80}")
# SKIPPED matches the parts that are not checked: code blocks, inline code, block quotes, quotations within a line, HTML
# comments, link targets.
SKIPPED = re.compile(FENCE.pattern + r"|`[^`]*`|^ *>[^\n]*$|\"[^\"\n]*\"|“[^”]*”|<!--.*?-->|\]\([^)]*\)", re.M | re.S)
COMMENT = re.compile(r"^ *//[/!] ?", re.M)
TEST = re.compile(r"/tests/|tests\.rs$|page\.txt$")


def patterns():
    found = {"summary": [], "text": []}
    for line in (ROOT / "scripts/style.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            where, pattern, instead = line.split("\t")
            start, end = (r"\A", "") if where == "summary" else (r"\b", r"\b")
            flags = 0 if where == "summary" else re.I
            found[where].append((re.compile(start + pattern.replace(" ", r"\s+") + end, flags), instead))
    return found


def blank(match):
    """Replaces a match by white space with the same line breaks."""
    return re.sub(r"[^\n]", " ", match[0])


def comments(source):
    """Yields the doc comments of a Rust file, each with the number of its first line."""
    block, first = [], 0
    for number, line in enumerate([*source.splitlines(), ""], 1):
        if re.match(r" *//[/!]( |$)", line):
            first = first if block else number
            block.append(COMMENT.sub("", line))
        elif block:
            yield first, "\n".join(block)
            block = []


def code(source):
    """Returns the lines of a file without comments and test module. The patterns match only texts in the rest."""
    source = source.split("#[cfg(test)]\nmod tests {")[0]
    return re.sub(r"^ *(//|/?\*).*", "", source, flags=re.M).replace("\\\n", " \n")


def find():
    """Returns the reports as (file, line, text, instead), and the number of doc comments."""
    rules, reports, count = patterns(), [], 0

    def texts(file, first, text):
        for pattern, instead in rules["text"]:
            for match in pattern.finditer(text):
                line = first + text.count("\n", 0, match.start())
                reports.append((file, line, " ".join(match[0].split()), instead))

    for file in files("*.md"):
        page = (ROOT / file).read_text()
        texts(file, 1, SKIPPED.sub(blank, page))
        lines = FENCE.sub(blank, page).splitlines()
        for number, line in enumerate(map(str.rstrip, lines), 1):
            if len(line) > COLUMNS and not UNBREAKABLE.match(line):
                reports.append((file, number, f"{len(line)} columns", f"at most {COLUMNS} columns"))
    for file in files("crates/*.rs"):
        for first, text in comments((ROOT / file).read_text()):
            count += 1
            text = SKIPPED.sub(blank, text)
            texts(file, first, text)
            for pattern, instead in rules["summary"]:
                if match := pattern.match(text):
                    reports.append((file, first, match[0].strip() + " ...", instead))
    for file in files("crates/*.rs", "crates/report/src/*.txt", "web/src/*.ts"):
        if not TEST.search(file):
            texts(file, 1, code((ROOT / file).read_text()))
    return sorted(reports), count


def main():
    reports, count = find()
    for file, line, text, instead in reports:
        print(f"{file}:{line}: \"{text}\": write {instead}")
    print(f"style: {len(reports)} reports, {count} doc comments checked")
    return 1 if reports else 0


if __name__ == "__main__":
    sys.exit(main())
