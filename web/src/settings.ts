// Settings that the page stores between visits, and the available strengths.

import strengths from "./strengths.json";

type Storages = "localStorage" | "sessionStorage";

/** Values that this browser does not store. They last until the page is closed or reloaded. */
const unstored = new Map<string, string>();

export function load<T>(key: string, fallback: T, storage: Storages = "localStorage"): T {
    try {
        const kept = unstored.get(`${storage} ${key}`) ?? window[storage].getItem(`catapult.${key}`);
        return kept === null ? fallback : (JSON.parse(kept) as T);
    } catch {
        return fallback;
    }
}

/** The page also works in a browser that stores nothing. */
export function save(key: string, value: unknown, storage: Storages = "localStorage"): void {
    const text = JSON.stringify(value);
    try {
        window[storage].setItem(`catapult.${key}`, text);
        unstored.delete(`${storage} ${key}`);
    } catch {
        unstored.set(`${storage} ${key}`, text);
    }
}

/** False if the browser has not stored the last value of the key. */
export const stores = (key: string): boolean => !unstored.has(`localStorage ${key}`);

/** Loads this tab's value. A new tab begins with the value that any tab saved last. */
export function loadOfTab<T>(key: string, fallback: T): T {
    return load(key, load(key, fallback), "sessionStorage");
}

export function saveOfTab(key: string, value: unknown): void {
    save(key, value, "sessionStorage");
    save(key, value);
}

const system = matchMedia("(prefers-color-scheme: dark)");

/** Returns true if the page is dark: the user's choice, or the system's theme without a choice. */
export function isDark(): boolean {
    const theme = load<string>("theme", "");
    return theme === "dark" || (theme !== "light" && system.matches);
}

/** Applies the theme, now and whenever the system's theme changes. */
export function applyTheme(): void {
    document.documentElement.dataset["theme"] = isDark() ? "dark" : "light";
    system.onchange = applyTheme;
}

/** Strength of a computer player: its display name and its settings. */
export interface Strength {
    name: string;
    /** Simulations per move, or seconds per move. */
    nodes?: number;
    seconds?: number;
    /** Depth of alpha-beta in turns. Without it a network plays. */
    depth?: number;
    /** Rating in chess, in words. web/README.md says how it was measured. */
    rating?: string;
    /** The server's network. Without it the browser searches. */
    server?: string;
    /** Scale of the Gumbel noise that randomises the move. 0 plays the best move. */
    noise: number;
}

/** From weakest to strongest; test/strengths.mjs plays neighbours against each other. */
export const STRENGTHS: Record<string, Strength> = strengths;

/** The strengths to choose from, with their ratings. */
export const LEVELS: [id: string, label: string][] = Object.entries(STRENGTHS).map(([id, one]) => [id, `${one.name} (${one.rating ?? budget(one)})`]);

/** How the ratings were measured. */
export const RATINGS = "Ratings in chess, from 60 games or more against Stockfish with limited strength. They are rough, and not ratings of people.";

/** True for the strength of a computer player that needs no server, from a link for example. */
export function isLevel(id: string): boolean {
    return Object.hasOwn(STRENGTHS, id) || /^[nsa][1-9]\d{0,6}$/.test(id);
}

export function counted(number: number, noun: string): string {
    return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

export function budget(strength: Strength): string {
    if (strength.depth) return `${counted(strength.depth, "turn")} deep`;
    return `${strength.seconds ? `${strength.seconds} s` : counted(strength.nodes ?? 0, "simulation")} per move`;
}

/**
 * Parses a stored strength: a name of the list, `n400` for simulations, `s3` for seconds, or `a2`
 * for alpha-beta two turns deep. `vs5:models/NAME` and `vn400:runs/NAME` use a network of the
 * server.
 */
export function strength(id: string): Strength {
    if (Object.hasOwn(STRENGTHS, id)) return STRENGTHS[id]!;
    if (id.startsWith("v") && id.includes(":")) {
        const server = id.slice(id.indexOf(":") + 1);
        return { ...strength(id.slice(1, id.indexOf(":"))), name: `Server, ${server.replace(/^(models|runs)\//, "")}`, server };
    }
    const number = Number(id.slice(1));
    if (id.startsWith("a") && number > 0) return { name: "Alpha-beta", depth: Math.min(4, Math.round(number)), noise: 0 };
    if (id.startsWith("s") && number > 0) return { name: "set by hand", seconds: Math.min(600, number), noise: 0 };
    if (id.startsWith("n") && number > 0) return { name: "set by hand", nodes: Math.min(1_000_000, Math.ceil(number)), noise: 0 };
    return STRENGTHS["medium"]!;
}

let sounds: AudioContext | null = null;
/** Plays a short knock if sounds are enabled. */
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
