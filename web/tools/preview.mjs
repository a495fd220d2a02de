// Draws src/preview.png, the picture in the preview of a link, with a Chromium: `node tools/preview.mjs`. Build the page
// before and after.

import { join } from "node:path";
import { launch } from "../test/driver.mjs";
import { serve } from "../test/server.mjs";

const browser = await launch("the preview");
const host = await serve();
const page = await browser.newPage();
await page.setViewport({ width: 1200, height: 630 });
await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }, { name: "prefers-color-scheme", value: "light" }]);
await page.goto(`${host.url}#home`);
await page.waitForSelector(".throw");
await page.evaluate(() => {
    for (const hidden of document.querySelectorAll("header, footer, .scene-foot, .home .row, .home ul, .home .hint")) hidden.remove();
    const style = new CSSStyleSheet();
    style.replaceSync(`
        html { overflow: hidden; }
        main { max-width: none; padding: 0; }
        .home { grid-template-columns: 1fr 630px; gap: 0; }
        .home-words { border: 0; border-radius: 0; box-shadow: none; height: 630px; align-content: center; padding: 44px; gap: 26px; }
        .home h1 { font-size: 84px; }
        .home p { font-size: 27px; }
        .board { border-radius: 0; }`);
    document.adoptedStyleSheets.push(style);
});
await page.screenshot({ path: join(import.meta.dirname, "..", "src", "preview.png") });
await browser.close();
host.close();
host.server.closeAllConnections();
process.exit(0);
