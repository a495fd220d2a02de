// The tags from which messengers draw the preview of a link (Open Graph).

/** The picture in the preview of a link, drawn by preview.mjs. Only messengers load it. */
export const PREVIEW = "preview.png";

/** Returns the tags as HTML. `base` is the address of the page. Without it the addresses are relative. */
export function previewTags(base = null) {
    if (base !== null && !(URL.canParse(base) && /^https?:\/\/[^?#]*\/$/.test(base))) throw new Error(`--base ${base}: an address that begins with http and ends with "/" is needed`);
    const tags = {
        "og:type": "website",
        "og:site_name": "Catapult",
        "og:title": "Chess++: chess with catapults",
        "og:description": "Two catapults per side teleport your pieces. Invented by Rajdeep Das (2025). Play the computer or a friend in your browser.",
        "og:image": base ? new URL(PREVIEW, base).href : PREVIEW,
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "A rook flies in an arc from one catapult to another and gives checkmate.",
        ...(base ? { "og:url": new URL(base).href } : {}),
    };
    const escape = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
    const card = '<meta name="twitter:card" content="summary_large_image">';
    return [...Object.entries(tags).map(([name, content]) => `<meta property="${name}" content="${escape(content)}">`), card].join("\n");
}
