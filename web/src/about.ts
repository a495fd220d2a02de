// About: the inventors of the games, the project's own readings of their rules, the study and the licence.

import { TITLES } from "./choose";
import { card, h } from "./dom";
import type { Page } from "./play";

const INVENTORS: [game: string, words: string][] = [
    ["chesspp", "Rajdeep Das, 2025. His paper is “Chess++: An Elegant Variant of Standard Chess”. Its licence is CC BY-NC-ND 4.0. The paper's first version calls the catapult “Gulti”."],
    ["half", "Nicolino Will, 2017."],
    ["maxim", "Maxim Frolov. His brother Daniil Frolov described it in 2014."],
    ["century", "Karl Munzlinger."],
];

const READINGS = [
    "A piece that is pinned still gives check and still bars castling (rules 10 and 12).",
    "A side in check may not move a catapult (rule 5).",
    "Some positions are drawn at once, and draws need no claim (rules 14 to 16).",
    "All details of the optional rules, for example the squares d1 and d8 of a third catapult.",
];

export function aboutPage(): Page {
    return {
        element: h(
            "div",
            { class: "page narrow" },
            h("h1", {}, "About"),
            card("Inventors", h("dl", {}, ...INVENTORS.flatMap(([game, words]) => [h("dt", {}, TITLES[game]!), h("dd", {}, words)]))),
            card(
                "The inventor's words and this project's readings",
                h("p", {}, "The paper on Chess++ leaves some cases open. The rules on this page decide them. These readings are not the inventor's:"),
                h("ul", {}, ...READINGS.map((words) => h("li", {}, words))),
                h("p", {}, h("a", { href: "#specification?game=chesspp" }, "All rules, by number")),
            ),
            card(
                "Study",
                h("p", {}, "The inventor claims fewer draws and more comebacks than in chess. A study let twelve weak networks play chess, Chess++ and five optional rules. No person took part. The study is experiments/chesspp in the repository."),
                h("p", {}, h("a", { href: "#lab?game=chesspp&results=1" }, "Results, in the Rules lab")),
            ),
            card("Licence", h("p", {}, "The code of Catapult is licensed under MIT or Apache-2.0, at your choice. The page has no accounts and no tracking.")),
        ),
    };
}
