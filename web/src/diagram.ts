// A board as an SVG or PNG file: squares, coordinates, catapults and pieces, without marks and arrows.

import type { Board } from "./board";
import { button, h, message, svg, toast } from "./dom";

/** Presentation attributes of the drawings, with the values that need not be written. */
const STYLES: [name: string, initial: string][] = [
    ["fill", "rgb(0, 0, 0)"],
    ["fill-opacity", "1"],
    ["stroke", "none"],
    ["stroke-opacity", "1"],
    ["stroke-width", "1px"],
    ["stroke-linecap", "butt"],
    ["stroke-linejoin", "miter"],
    ["stroke-dasharray", "none"],
    ["opacity", "1"],
    ["paint-order", "normal"],
];
const OF_TEXT = ["font-size", "font-weight", "font-family"];
const LAYERS = ["squares", "frames", "names", "pieces"];
/** Width of a picture's square in pixels. */
const PIXELS = 120;

/** The drawn shapes in order, each with its style as shown and its transform to squares of side 100. */
function shapes(drawing: SVGSVGElement): { element: SVGGraphicsElement; style: CSSStyleDeclaration; matrix: DOMMatrix }[] {
    const back = drawing.getScreenCTM()!.inverse();
    const found = LAYERS.flatMap((layer) => [...drawing.querySelectorAll<SVGGraphicsElement>(`.layer-${layer} :is(rect, circle, path, text)`)]);
    return found.map((element) => ({ element, style: getComputedStyle(element), matrix: back.multiply(element.getScreenCTM()!) }));
}

/** Returns the board as the text of an SVG file. Its `title` is a text such as the FEN. */
function boardSvg(board: Board, title: string): string {
    const { drawing } = board;
    const { width, height } = drawing.viewBox.baseVal;
    const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, width: width / 2, height: height / 2 }, svg("title", {}, title));
    const round = (value: number): number => Math.round(value * 1000) / 1000;
    for (const { element, style, matrix } of shapes(drawing)) {
        const copy = element.cloneNode(true) as SVGGraphicsElement;
        for (const name of copy.getAttributeNames()) if (name === "class" || name.startsWith("data-")) copy.removeAttribute(name);
        for (const [name, initial] of STYLES) {
            const value = style.getPropertyValue(name);
            // Many programs that read SVG know no colours with opacity.
            const [, rgb, alpha] = /^rgba\((\d+, \d+, \d+), ([\d.]+)\)$/.exec(value) ?? [];
            if (rgb) copy.setAttribute(name, `rgb(${rgb})`);
            else if (value !== initial) copy.setAttribute(name, value);
            if (alpha) copy.setAttribute(`${name}-opacity`, alpha);
        }
        if (element instanceof SVGTextElement) for (const name of OF_TEXT) copy.setAttribute(name, style.getPropertyValue(name));
        const [scale, x, y] = [matrix.a, matrix.e, matrix.f].map(round);
        if (scale !== 1 || x || y) copy.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
        root.append(copy);
    }
    return new XMLSerializer().serializeToString(root);
}

function outline(element: SVGGraphicsElement): Path2D {
    const number = (name: string): number => Number(element.getAttribute(name) ?? 0);
    if (element instanceof SVGPathElement) return new Path2D(element.getAttribute("d")!);
    const path = new Path2D();
    if (element instanceof SVGCircleElement) path.arc(number("cx"), number("cy"), number("r"), 0, 2 * Math.PI);
    else path.rect(number("x"), number("y"), number("width"), number("height"));
    return path;
}

/** Returns the board as a PNG. It is drawn shape by shape, because the page's policy forbids images from data. */
function boardPng(board: Board): Promise<Blob> {
    const { drawing } = board;
    const { width, height } = drawing.viewBox.baseVal;
    const scale = PIXELS / 100;
    const canvas = h("canvas", { width: width * scale, height: height * scale });
    const paint = canvas.getContext("2d")!;
    for (const { element, style, matrix } of shapes(drawing)) {
        paint.setTransform(new DOMMatrix().scale(scale).multiply(matrix));
        paint.globalAlpha = Number(style.opacity);
        paint.fillStyle = style.fill;
        if (element instanceof SVGTextElement) {
            paint.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
            paint.textAlign = style.textAnchor === "end" ? "right" : "left";
            paint.fillText(element.textContent ?? "", Number(element.getAttribute("x")), Number(element.getAttribute("y")));
            continue;
        }
        const path = outline(element);
        const fill = (): void => {
            if (style.fill !== "none") paint.fill(path);
        };
        const isUnder = style.paintOrder.startsWith("stroke");
        if (!isUnder) fill();
        if (style.stroke !== "none") {
            paint.strokeStyle = style.stroke;
            paint.lineWidth = Number.parseFloat(style.strokeWidth);
            paint.lineCap = style.strokeLinecap as CanvasLineCap;
            paint.lineJoin = style.strokeLinejoin as CanvasLineJoin;
            paint.setLineDash(style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(/[\s,]+/).map(Number.parseFloat));
            paint.stroke(path);
        }
        if (isUnder) fill();
    }
    return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser can't write a PNG."))), "image/png"));
}

function download(blob: Blob, name: string): void {
    const address = URL.createObjectURL(blob);
    h("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Buttons that download a board as SVG and as PNG. */
export function pictureButtons(board: Board, title: () => string): HTMLElement[] {
    return [
        button("Picture (SVG)", () => download(new Blob([boardSvg(board, title())], { type: "image/svg+xml" }), "board.svg"), { id: "save-svg" }),
        button("Picture (PNG)", () => void boardPng(board).then((blob) => download(blob, "board.png"), (error) => toast(message(error), "error")), { id: "save-png" }),
    ];
}
