#!/usr/bin/env python3
"""Checks the relative links of all Markdown files in the repository: links.py
Copies the pages of docs/SUMMARY.md and the files they link to into an mdBook source: links.py --book FOLDER
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
FENCE = re.compile(r"^( *)(```+|~~~+).*?^ *\2[^\n]*$", re.M | re.S)


def files(*patterns):
    """Returns the paths, relative to the repository, of the files that git tracks or does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return sorted({name for name in names if (ROOT / name).is_file()})


def links(page):
    """Returns the targets of a page's links, except links in code and links with a scheme (`https:`)."""
    text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text()))
    return [link for link in LINK.findall(text) if not re.match(r"[a-z][a-z0-9+.-]*:", link)]


def anchors(page):
    """Returns the anchors that GitHub generates for a page's headings."""
    found = set()
    for heading in re.findall(r"^#+ +(.*?) *#*$", FENCE.sub("", page.read_text()), re.M):
        heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        number = next(n for n in range(100) if (f"{slug}-{n}" if n else slug) not in found)
        found.add(f"{slug}-{number}" if number else slug)
    return found


def target(page, link):
    name, _, anchor = link.partition("#")
    return ((page.parent / name).resolve() if name else page), anchor


def check():
    wrong, count = [], 0
    for page in sorted(ROOT / name for name in files("*.md")):
        for link in links(page):
            count += 1
            file, anchor = target(page, link)
            shown = f"{page.relative_to(ROOT)}: {link}"
            if ROOT not in file.parents and file != ROOT:
                wrong.append(f"{shown}: outside the repository")
            elif not file.exists():
                wrong.append(f"{shown}: no such file")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                wrong.append(f"{shown}: no such heading")
    print("\n".join(wrong) or f"links: {count} relative links, all found")
    return 1 if wrong else 0


def book(folder):
    """Copies each file to its path in the repository, so that links between pages still work.

    SUMMARY.md is the exception: mdBook needs it at the top of the source, so its links are rewritten.
    """
    summary = ROOT / "docs/SUMMARY.md"
    source = folder / "src"
    shutil.rmtree(folder, ignore_errors=True)
    source.mkdir(parents=True)
    shutil.copy(ROOT / "docs/book.toml", folder)
    chapters = [target(summary, link)[0] for link in links(summary)]
    linked = {target(page, link)[0] for page in chapters for link in links(page)}
    for file in sorted(set(chapters) | {file for file in linked if file.is_file() and file != summary}):
        place = source / file.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)
    where = lambda match: f"]({target(summary, match[1])[0].relative_to(ROOT)})"
    (source / "SUMMARY.md").write_text(LINK.sub(where, summary.read_text()))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--book"] and len(sys.argv) == 3:
        book(pathlib.Path(sys.argv[2]))
    elif len(sys.argv) == 1:
        sys.exit(check())
    else:
        sys.exit("usage: links.py [--book FOLDER]")
