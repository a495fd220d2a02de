// Curves over generations.

import { h, svg } from "./dom";

interface Point {
    x: number;
    y: number;
    /** Ends of the interval, if known. */
    low?: number | null;
    high?: number | null;
}

export interface Series {
    name: string;
    points: Point[];
}

const [WIDTH, HEIGHT] = [420, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 12, 10, 26];

/** About four round numbers between the minimum and the maximum. */
function ticks(least: number, most: number): number[] {
    const step = [1, 2, 5, 10].map((one) => one * 10 ** Math.floor(Math.log10((most - least) / 4))).find((one) => (most - least) / one <= 5) ?? most - least;
    const found: number[] = [];
    for (let at = Math.ceil(least / step); at * step <= most + step / 1e6; at++) found.push(at * step);
    return found;
}

function short(value: number): string {
    return Math.abs(value) >= 10_000 ? `${Number((value / 1000).toPrecision(3))}k` : String(Number(value.toPrecision(3)));
}

/** Draws a chart. The names and last values of its series are below, and in the text for screen readers. */
export function chart(heading: string, unit: string, series: Series[]): HTMLElement {
    const points = series.flatMap((one) => one.points);
    const ys = points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]);
    let [bottom, top] = [Math.min(...ys), Math.max(...ys)];
    if (unit === "%") [bottom, top] = [0, 100];
    else if (bottom > 0 && bottom < top / 2) bottom = 0;
    if (top - bottom < 1e-9) [bottom, top] = [bottom - 1, top + 1];
    const first = Math.min(...points.map(({ x }) => x));
    const last = Math.max(...points.map(({ x }) => x), first + 1);
    const x = (value: number): number => LEFT + ((value - first) / (last - first)) * (WIDTH - LEFT - RIGHT);
    const y = (value: number): number => TOP + ((top - value) / (top - bottom)) * (HEIGHT - TOP - BOTTOM);
    const ending = ({ name, points }: Series): string => `${name} ${points.length ? short(points[points.length - 1]!.y) : "–"}${unit ? ` ${unit}` : ""}`;
    const drawn = svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${heading}, generations ${first} to ${last}. At the end: ${series.map(ending).join(", ")}.` },
        ...ticks(bottom, top).flatMap((value) => [svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }), svg("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, short(value))]),
        ...ticks(first, last).filter(Number.isInteger).map((value) => svg("text", { class: "tick", x: x(value), y: HEIGHT - 8, "text-anchor": "middle" }, String(value))),
        ...series.flatMap(({ points }, index) => {
            const kind = `series-${index % 8}`;
            const bars = points.flatMap(({ x: at, low, high }) => (typeof low === "number" && typeof high === "number" ? [svg("line", { class: `bar ${kind}`, x1: x(at), x2: x(at), y1: y(low), y2: y(high) })] : []));
            const line = points.length > 1 ? [svg("polyline", { class: `curve ${kind}`, points: points.map((point) => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`).join(" ") })] : [];
            const dots = points.length < 30 ? points.map((point) => svg("circle", { class: `point ${kind}`, cx: x(point.x), cy: y(point.y), r: 2.5 })) : [];
            return [...bars, ...line, ...dots];
        }),
    );
    const legend = series.map((one, index) => h("li", {}, svg("svg", { viewBox: "0 0 26 8", class: "swatch", "aria-hidden": "true" }, svg("line", { class: `curve series-${index % 8}`, x1: 0, x2: 26, y1: 4, y2: 4 })), ending(one)));
    return h("figure", { class: "chart" }, h("figcaption", {}, unit ? `${heading} (${unit})` : heading), drawn, h("ul", { class: "legend", "aria-hidden": "true" }, ...legend));
}
