// Converts the rules pages of the crate `rules` to data for the page: numbered rules, with their positions as boards.

/** Sentences about text drawings, and their replacements on the page. `learn` throws an error if a page lacks one. */
const OF_DRAWINGS = {
    chesspp: [
        [/Boards are drawn twice, the pieces on the left and the catapults on the right\. `W` and `B` are \*fresh\* catapults, which have not moved yet\. `w` and `b` are the others\. On the left, capitals are White's\. /, ""],
        [/What a fresh catapult on d4 reaches \(`o`\) inside a ring of pawns:/, "A fresh catapult on d4, inside a ring of pawns:"],
    ],
    half: [[/What a Star Cat on f6 and a Cat on c3 reach is marked `o`:/, "A Star Cat on f6 and a Cat on c3:"]],
    maxim: [
        [/ A stack is drawn as its two letters, the earlier occupant first, White's portals as `\[\]` and Black's as `\(\)`\./, ""],
        [/What the knight on d4 reaches is marked `o`; it may also join/, "The knight on d4 may also join"],
    ],
};

/** Sections that the page leaves out. The rules lab explains the other options. */
const LEFT_OUT = ["For programmers", "Other options"];

export const PAGES = {
    chesspp: "crates/rules/src/games/chess/rules.md",
    century: "crates/rules/src/games/century/rules.md",
    half: "crates/rules/src/games/half/rules.md",
    maxim: "crates/rules/src/games/maxim/rules.md",
};

/** Returns a text on one line, without links. The page parses its `code`, **bold** and *emphasis*. */
function inline(text) {
    return text.replace(/\s+/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim();
}

/** Splits Markdown into blocks of consecutive lines. A fenced part is one block. */
function blocks(markdown) {
    const found = [];
    let lines = [];
    let fence = false;
    const flush = () => {
        if (lines.length) found.push(lines);
        lines = [];
    };
    for (const line of markdown.split("\n")) {
        if (line.startsWith("```")) {
            if (!fence) flush();
            lines.push(line);
            if (fence) flush();
            fence = !fence;
        } else if (fence) lines.push(line);
        else if (!line.trim()) flush();
        else {
            const isHeading = line.startsWith("#");
            if (isHeading || /^(\d+\.|\*) /.test(line)) flush();
            lines.push(line);
            if (isHeading) flush();
        }
    }
    flush();
    return found;
}

export function learn(game, markdown, start) {
    const sections = [{ title: "", level: 1, blocks: [] }];
    const all = blocks(markdown);
    const unmet = new Set(OF_DRAWINGS[game] ?? []);
    let startDrawn = false;
    all.forEach((lines, index) => {
        const into = sections[sections.length - 1].blocks;
        const first = lines[0];
        const heading = /^(#+) (.*)$/.exec(first);
        if (heading) {
            sections.push({ title: heading[2].replaceAll("`", ""), level: heading[1].length, blocks: [] });
            return;
        }
        if (first.startsWith("```")) {
            // Drops code and drawings, because the page draws the position that follows a drawing. If the first drawing
            // has no position, it shows the start position.
            const next = all[index + 1]?.[0] ?? "";
            if (first === "```text" && !next.startsWith("Position `") && !startDrawn) {
                into.push({ kind: "board", variant: game, fen: start, text: "" });
            }
            if (first === "```text") startDrawn = true;
            return;
        }
        let text = lines.join("\n").replace(/\s+/g, " ");
        for (const replaced of OF_DRAWINGS[game] ?? []) {
            const [pattern, words] = replaced;
            if (pattern.test(text)) unmet.delete(replaced);
            text = text.replace(pattern, words);
        }
        const position = /^Position `([^`]+)` \(`([^`]+)`\)(?:: ([^]*))?/.exec(text);
        const rule = /^(\d+)\. ([^]*)/.exec(text);
        if (position) into.push({ kind: "board", fen: position[1], variant: position[2], text: inline(position[3] ?? "") });
        else if (rule) into.push({ kind: "rule", number: Number(rule[1]), text: inline(rule[2]) });
        else if (text.startsWith("* ")) into.push({ kind: "item", text: inline(text.slice(2)) });
        else into.push({ kind: "text", text: inline(text) });
    });
    if (unmet.size) throw new Error(`the rules page of ${game} no longer says ${[...unmet].map(([pattern]) => pattern).join(" or ")}: see tools/learn.mjs`);
    return { game, sections: sections.filter(({ title, blocks }) => blocks.length && !LEFT_OUT.includes(title)) };
}
