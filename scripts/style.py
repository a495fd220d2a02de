#!/usr/bin/env python3
"""Checks pages, doc comments and texts of the program against the patterns of scripts/style.txt: style.py
Lowers the ceilings of scripts/style-ceilings.txt to the numbers found: style.py --lower

Help texts are checked as part of docs/commands.md. Texts of the program are found in all code of Rust files and of the
page except tests, and in the text files of the report. In pages and doc comments, code, quotations and link targets are
not checked. Each page and each crate has a ceiling per check: the number in scripts/style-ceilings.txt, or 0. Goal for
summaries: below 1 % of all doc comments.
"""

import collections
import re
import sys

from links import FENCE, ROOT, files

CEILINGS = ROOT / "scripts/style-ceilings.txt"
COLUMNS = 100
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
    """Returns the reports as (ceiling's key, file, line, text, instead), and the number of doc comments."""
    rules, reports, count = patterns(), [], 0

    def texts(key, file, first, text):
        for pattern, instead in rules["text"]:
            for match in pattern.finditer(text):
                line = first + text.count("\n", 0, match.start())
                reports.append(((key, "text"), file, line, " ".join(match[0].split()), instead))

    for file in files("*.md"):
        page = (ROOT / file).read_text()
        texts(file, file, 1, SKIPPED.sub(blank, page))
        lines = FENCE.sub(blank, page).splitlines()
        for number, line in enumerate(map(str.rstrip, lines), 1):
            if len(line) > COLUMNS and not re.match(r" *\||.*(\]\(|https?:)", line):
                reports.append(((file, "columns"), file, number, f"{len(line)} columns", f"at most {COLUMNS} columns"))
    for file in files("crates/*.rs"):
        crate = "/".join(file.split("/")[:2])
        for first, text in comments((ROOT / file).read_text()):
            count += 1
            text = SKIPPED.sub(blank, text)
            texts(crate, file, first, text)
            for pattern, instead in rules["summary"]:
                if match := pattern.match(text):
                    reports.append(((crate, "summary"), file, first, match[0].strip() + " ...", instead))
    for file in files("crates/*.rs", "crates/report/src/*.txt", "web/src/*.ts"):
        if not TEST.search(file):
            texts("/".join(file.split("/")[:2]), file, 1, code((ROOT / file).read_text()))
    return sorted(reports), count


def main(lower):
    reports, count = find()
    found = collections.Counter(report[0] for report in reports)
    rows = [line.split() for line in CEILINGS.read_text().splitlines() if line and not line.startswith("#")]
    ceilings = {(where, check): int(number) for number, check, where in rows}
    if lower:
        lowered = {key: min(number, found[key]) for key, number in ceilings.items()}
        head = "# Reports that scripts/style.py accepts; other pages and crates have none. May only fall: style.py --lower\n"
        kept = [f"{number} {key[1]} {key[0]}\n" for key, number in sorted(lowered.items()) if number]
        CEILINGS.write_text(head + "".join(kept))
        return 0
    over = {key: number for key, number in found.items() if number > ceilings.get(key, 0)}
    for key, file, line, text, instead in reports:
        if key in over:
            print(f"{file}:{line}: \"{text}\": write {instead}")
    for (where, check), number in over.items():
        print(f"{where}: {number} reports of check `{check}`, {ceilings.get((where, check), 0)} are accepted")
    summaries = sum(number for (_, check), number in found.items() if check == "summary")
    print(f"style: {summaries} of {count} doc comments begin with a question word ({summaries / count:.1%}; goal: below 1 %)")
    return 1 if over else 0


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--lower"]):
        sys.exit("usage: style.py [--lower]")
    sys.exit(main(sys.argv[1:] == ["--lower"]))
