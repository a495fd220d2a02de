// Elements without a framework. Text becomes text nodes, never markup.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

function fill(element: Element, props: Props, children: Child[]): void {
    for (const [name, value] of Object.entries(props)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on") && typeof value === "function") {
            element.addEventListener(name.slice(2), value as EventListener);
        } else if (name === "value" || name === "checked" || name === "disabled" || name === "open" || name === "selected") {
            (element as unknown as Props)[name] = value;
        } else {
            element.setAttribute(name, value === true ? "" : String(value));
        }
    }
    append(element, children);
}

export function append(element: Element, children: Child[]): void {
    const shown = children.filter((child) => child !== null && child !== undefined && child !== false);
    element.append(...shown.map((child) => (typeof child === "number" ? String(child) : child)));
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    fill(element, props, children);
    return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): SVGElementTagNameMap[K] {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    fill(element, props, children);
    return element;
}

export function replace(element: Element, ...children: Child[]): void {
    element.replaceChildren();
    append(element, children);
}

/** Replaces the content. The focus goes to the control in the same place, or its counterpart if that one is disabled. */
export function renew(element: Element, ...children: Child[]): void {
    const controls = (): HTMLButtonElement[] => [...element.querySelectorAll<HTMLButtonElement>("button, input, select")];
    const at = controls().indexOf(document.activeElement as HTMLButtonElement);
    replace(element, ...children);
    const now = controls();
    (now[at]?.disabled ? now[now.length - 1 - at] : now[at])?.focus({ preventScroll: true });
}

/** Returns a handler of presses. It ignores presses until the first one is done, and shows a failure. */
export function patient(run: () => Promise<void>): () => void {
    let waits = false;
    return () => {
        if (waits) return;
        waits = true;
        void run().catch((error) => toast(message(error), "error")).finally(() => (waits = false));
    };
}

export function button(label: string, onclick: () => void, props: Props = {}): HTMLButtonElement {
    return h("button", { type: "button", onclick, ...props }, label);
}

export function field(label: string, input: HTMLElement, hint?: string): HTMLElement {
    return h("label", { class: "field" }, h("span", { class: "field-label" }, label), input, hint ? h("span", { class: "hint" }, hint) : null);
}

export function select(options: [value: string, label: string][], value: string, onchange: (value: string) => void, props: Props = {}): HTMLSelectElement {
    const element = h("select", props, ...options.map(([value, label]) => h("option", { value }, label)));
    element.value = value;
    element.addEventListener("change", () => onchange(element.value));
    return element;
}

/** A checkbox before its label. */
export function checkbox(label: Child, onchange: (checked: boolean) => void, props: Props = {}): HTMLLabelElement {
    const box = h("input", { type: "checkbox", ...props });
    box.addEventListener("change", () => onchange(box.checked));
    return h("label", { class: "check" }, box, label);
}

/** A part of a page with a title. */
export function card(title: string, ...content: Child[]): HTMLElement {
    return h("section", { class: "card" }, h("h2", {}, title), ...content);
}

/** A page with a board in a column, and beside it a panel, whose name is `label`. */
export function boardPage(kind: string, title: string, column: Child[], label: string, panel: Child[]): HTMLElement {
    return h(
        "div",
        { class: `page ${kind}` },
        h("h1", { class: "heard" }, title),
        h("div", { class: "board-column" }, ...column),
        h("section", { class: "panel", "aria-label": label }, ...panel),
    );
}

/** Opens a dialog. Escape, its close button and a click beside its content close and remove it. */
export function dialog(title: string, ...content: Child[]): HTMLDialogElement {
    const box = h("dialog", { "aria-label": title });
    const close = h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => box.close() }, icon("close"));
    box.append(h("div", { class: "dialog-head" }, h("h2", {}, title), close));
    append(box, content);
    box.addEventListener("close", () => box.remove());
    box.addEventListener("click", (event) => {
        if (event.target === box) box.close();
    });
    document.body.append(box);
    box.showModal();
    return box;
}

const ICONS: Record<string, string> = {
    close: "M6 6l12 12M18 6L6 18",
    first: "M18 6l-8 6 8 6zM6 6v12",
    back: "M15 6l-8 6 8 6z",
    next: "M9 6l8 6-8 6z",
    last: "M6 6l8 6-8 6zM18 6v12",
    flip: "M8 4v14l-4-4M16 20V6l4 4",
    sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19",
    moon: "M20 14.5A8.5 8.5 0 019.5 4 8.5 8.5 0 1020 14.5z",
    sound: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 010 6M18.5 6.5a8 8 0 010 11",
    mute: "M4 9v6h4l5 4V5L8 9zM16 9.5l5 5M21 9.5l-5 5",
};

export function icon(name: string): SVGSVGElement {
    return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" }, svg("path", { d: ICONS[name] }));
}

/** Announces a text to screen readers. */
export function say(text: string): void {
    const live = document.getElementById("live");
    if (live) live.textContent = text;
}

/** Shows a text in an element and announces it. */
export function sayIn(element: Element, text: string): void {
    element.textContent = text;
    say(text);
}

let toastTimer = 0;
/** Removes the message at the edge of the page. */
export function untoast(): void {
    const box = document.getElementById("toast");
    if (!box) return;
    clearTimeout(toastTimer);
    box.className = "";
    replace(box);
}

/** Shows a message at the edge of the page for some seconds, until the next message, or until the user closes it. */
export function toast(text: string, kind: "note" | "error" = "note", action?: [label: string, run: () => void]): void {
    const box = document.getElementById("toast");
    if (!box) return;
    untoast();
    box.className = `shown ${kind}`;
    replace(
        box,
        h("span", {}, text),
        action
            ? button(action[0], () => {
                  untoast();
                  action[1]();
              })
            : null,
        h("button", { type: "button", class: "icon-button", "aria-label": "Dismiss", onclick: untoast }, icon("close")),
    );
    toastTimer = window.setTimeout(untoast, action || kind === "error" ? 12000 : 5000);
}

/** Maximum length of a shown message, which may quote input. */
const LONGEST_MESSAGE = 400;

export function message(error: unknown): string {
    const text = error instanceof Error ? error.message : String(error);
    return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;
}

export async function copy(text: string, what: string): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
        toast(`${what} copied.`);
    } catch {
        dialog(what, h("p", {}, "Copy it from here:"), h("textarea", { rows: 6, readonly: true, "aria-label": what }, text));
    }
}
