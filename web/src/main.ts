// Entry point: shows the page that the URL names, and sets up the navigation, theme, sound and service worker.

import { aboutPage } from "./about";
import { analysePage } from "./analyse";
import { scriptOf } from "./client";
import { h, icon, message, replace, untoast } from "./dom";
import { editorPage } from "./editor";
import { homePage } from "./home";
import { learnPage, specificationPage } from "./learn";
import { type Place, openPlace, readPlace } from "./link";
import { type Page, playPage } from "./play";
import { rulesPage } from "./rules";
import { SERVED } from "./server";
import { applyTheme, isDark, load, save } from "./settings";
import { capital } from "./words";

type Opener = (place: Place) => Page;

/** A page whose script is loaded when the page opens. */
function lazy(script: () => Promise<Opener>): Opener {
    return (place) => {
        const element = h("div", { class: "lazy" });
        let closed = false;
        // Until the script is loaded, another place of the page opens the page again.
        const opened: Page = { element, close: () => void (closed = true) };
        scriptOf(script()).then((make) => {
            if (closed) return;
            const page = make(place);
            replace(element, page.element);
            Object.assign(opened, page, { element });
        }).catch((error) => replace(element, h("p", { class: "problem" }, `${capital(message(error))}.`)));
        return opened;
    };
}

const PAGES: [name: string, label: string, open: Opener][] = [
    ["play", "Play", playPage],
    ["analyse", "Analyse", analysePage],
    ["lab", "Rules lab", lazy(async () => (await import("./lab")).labPage)],
    ["learn", "Learn", learnPage],
];
if (SERVED) PAGES.push(["watch", "Watch", lazy(async () => (await import("./served")).watchPage)], ["link", "By link", lazy(async () => (await import("./served")).togetherPage)]);
/** Other pages link to these, so that they take no place in the navigation. */
const OTHERS: typeof PAGES = [
    ["home", "Chess++", homePage],
    ["editor", "Board editor", editorPage],
    ["rules", "Rules", rulesPage],
    ["specification", "Specification", specificationPage],
    ["puzzles", "Puzzles", lazy(async () => (await import("./selfplay")).puzzlesPage)],
    ["about", "About", aboutPage],
];

// The hash names the open page, so the link may not change it.
document.querySelector(".skip")!.addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main")!.focus();
});

let open: { name: string; page: Page } | null = null;

function show(): void {
    const place = readPlace(location.hash);
    // A dialog belongs to the page that opened it.
    for (const box of document.querySelectorAll("dialog")) box.close();
    // The first visit begins with the front page, later ones with the user's game.
    const wanted = place.page || (load("play", null) ? "play" : "home");
    const [name, label, make] = [...PAGES, ...OTHERS].find(([name]) => name === wanted) ?? PAGES[0]!;
    openPlace(name);
    if (open?.name === name && open.page.visit) return open.page.visit(place);
    untoast();
    open?.page.close?.();
    const page = make(place);
    const first = !open;
    open = { name, page };
    const main = document.getElementById("main")!;
    replace(main, page.element);
    document.title = `${label} · Catapult`;
    for (const link of document.querySelectorAll("#nav a")) {
        if (link.getAttribute("data-page") === name) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
    if (!first) {
        main.focus({ preventScroll: true });
        scrollTo(0, 0);
    }
}

function tools(): void {
    const themes = h("button", { type: "button", class: "icon-button", id: "theme" });
    const sounds = h("button", { type: "button", class: "icon-button", id: "sound" });
    const draw = (): void => {
        replace(themes, icon(isDark() ? "sun" : "moon"));
        themes.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
        const on = load("sound", false);
        replace(sounds, icon(on ? "sound" : "mute"));
        sounds.setAttribute("aria-label", "Sound");
        sounds.setAttribute("aria-pressed", String(on));
    };
    themes.addEventListener("click", () => {
        save("theme", isDark() ? "light" : "dark");
        applyTheme();
        draw();
    });
    sounds.addEventListener("click", () => {
        save("sound", !load("sound", false));
        draw();
    });
    draw();
    // Without a choice of the user the theme follows the system's.
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    replace(document.getElementById("tools")!, sounds, themes);
}

applyTheme();
replace(document.getElementById("nav")!, ...PAGES.map(([name, label]) => h("a", { href: `#${name}`, "data-page": name }, label)));
tools();
addEventListener("hashchange", show);
show();

// A page from `catapult serve` needs its server anyway, so it is not cached.
if (!SERVED && "serviceWorker" in navigator && location.protocol !== "file:") {
    // Without a service worker the page works only online.
    navigator.serviceWorker.register("sw.js").catch(() => {});
}
