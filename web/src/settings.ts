// What the page remembers between visits, and what there is to choose.

import strengths from "./strengths.json";

export function load<T>(key: string, fallback: T): T {
    try {
        const kept = localStorage.getItem(`catapult.${key}`);
        return kept === null ? fallback : (JSON.parse(kept) as T);
    } catch {
        return fallback;
    }
}

/** A browser that keeps nothing still plays. */
export function save(key: string, value: unknown): void {
    try {
        localStorage.setItem(`catapult.${key}`, JSON.stringify(value));
    } catch {
        // Nothing to be done, and nothing lost but the memory of this visit.
    }
}

export type Theme = "auto" | "light" | "dark";

const system = matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark: as chosen, else as the system is. */
export function isDark(): boolean {
    const theme = load<Theme>("theme", "auto");
    return theme === "dark" || (theme !== "light" && system.matches);
}

/** Sets the colours, now and whenever the system's change. */
export function applyTheme(): void {
    document.documentElement.dataset["theme"] = isDark() ? "dark" : "light";
    system.onchange = applyTheme;
}

/** How strong a player is: names for people, and what stands behind them. */
export interface Strength {
    name: string;
    /** Simulations a move; or seconds. */
    nodes?: number;
    seconds?: number;
    /** Whether the game's large network plays, where there is one. */
    large?: boolean;
    /** Turns that alpha-beta looks ahead; without it a network plays. */
    depth?: number;
    /** The network of the server that plays; without it one that runs in the browser. */
    server?: string;
    /** Scale of the noise by which moves are drawn: 0 plays the best that is found. */
    noise: number;
}

/** From weakest to strongest; test/strengths.mjs plays neighbours against each other. */
export const STRENGTHS: Record<string, Strength> = strengths;

export function budget(strength: Strength): string {
    if (strength.depth) return `${strength.depth} ${strength.depth === 1 ? "turn" : "turns"} deep`;
    return strength.seconds ? `${strength.seconds} s a move` : `${strength.nodes} simulations a move`;
}

/**
 * A strength as it is kept: a name of the list, `n400` simulations, `s3` seconds, `a2` for alpha-beta two turns deep; and
 * `vs5:models/NAME` or `vn400:runs/NAME` for a network of the server.
 */
export function strength(id: string): Strength {
    if (Object.hasOwn(STRENGTHS, id)) return STRENGTHS[id]!;
    if (id.startsWith("v") && id.includes(":")) {
        const server = id.slice(id.indexOf(":") + 1);
        return { ...strength(id.slice(1, id.indexOf(":"))), name: `Server, ${server.replace(/^(models|runs)\//, "")}`, server };
    }
    const number = Number(id.slice(1));
    if (id.startsWith("a") && number > 0) return { name: "Alpha-beta", depth: Math.min(4, Math.round(number)), noise: 0 };
    if (id.startsWith("s") && number > 0) return { name: `${number} s`, seconds: Math.min(600, number), noise: 0 };
    if (id.startsWith("n") && number > 0) return { name: `${number} simulations`, nodes: Math.min(1_000_000, Math.round(number)), noise: 0 };
    return STRENGTHS["medium"]!;
}

let sounds: AudioContext | null = null;
/** A short knock, if sounds are wanted. */
export function knock(pitch: number): void {
    if (!load("sound", false)) return;
    sounds ??= new AudioContext();
    const [tone, volume] = [sounds.createOscillator(), sounds.createGain()];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.25, sounds.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, sounds.currentTime + 0.12);
    tone.connect(volume).connect(sounds.destination);
    tone.start();
    tone.stop(sounds.currentTime + 0.13);
}
