// Results of published studies for the rules lab: a few measures of each rule set, at the highest number of simulations
// that all rule sets share, and the authors' comments (`reading.json`).

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Measures that need no explanation: name, label, and true for a share. */
const MEASURES = [
    ["white_score", "White's score", true],
    ["draw_rate", "drawn", true],
    ["checkmate_rate", "ended by mate", true],
    ["capped_rate", "cut at the limit of plies", true],
    ["length", "plies per game, mean", false],
    ["branching", "legal moves per decision, mean", false],
    ["teleports", "teleports per game, mean", false],
    ["catapult_moves", "catapult moves per game, mean", false],
    ["catapult_captures", "captures of catapults per game, mean", false],
];

export function studyFiles(root) {
    const folder = join(root, "experiments");
    const studies = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return studies.map(({ name }) => `experiments/${name}/metrics.json`).filter((path) => existsSync(join(root, path))).sort();
}

/** Path of a study's `reading.json`: its `limits`, and one sentence per arm (`arms`). */
function readingFile(path) {
    return path.replace("metrics.json", "reading.json");
}

/** Files with the authors' comments on the studies. */
export function readingFiles(root) {
    return studyFiles(root).map(readingFile).filter((path) => existsSync(join(root, path)));
}

function reading(root, path) {
    const file = join(root, readingFile(path));
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

export function studies(root) {
    return studyFiles(root).map((path) => {
        const study = JSON.parse(readFileSync(join(root, path), "utf8"));
        const shown = study.measures.filter(({ metric, sample, estimate }) => sample.checkpoint === "last" && MEASURES.some(([name]) => name === metric) && estimate?.value != null);
        const levels = study.arms.map((arm) => new Set(shown.filter(({ sample }) => sample.arm === arm).map(({ sample }) => sample.simulations)));
        const most = Math.max(...[...levels[0]].filter((level) => levels.every((others) => others.has(level))));
        const arms = {};
        for (const arm of study.arms) {
            const rows = [];
            for (const { metric, sample, observations, estimate } of shown) {
                if (sample.arm !== arm || sample.simulations !== most) continue;
                const measure = MEASURES.find(([name]) => name === metric);
                rows.push({ order: MEASURES.indexOf(measure), words: measure[1], share: measure[2], agent: sample.agent, value: estimate.value, agents: estimate.agents ?? null, rule: estimate.rule ?? null, observations });
            }
            rows.sort((a, b) => a.agent.localeCompare(b.agent) || a.order - b.order);
            arms[arm] = { simulations: most, rows: rows.map(({ order: _, ...row }) => row) };
        }
        return { name: study.name, title: study.title, path: path.replace("/metrics.json", ""), reading: reading(root, path), arms };
    });
}
