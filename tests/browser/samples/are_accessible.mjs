// Every page in every state of its samples (draw_samples), without a server of ours: axe finds nothing against WCAG 2.2 AA in light and
// dark, and nothing sticks out of a screen of 320 pixels. Arguments: the folder of drawn samples, the folder static/.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { chromium } from "playwright-core";

const [samples, statics] = process.argv.slice(2);
const types = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml" };
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

function file_of(address) {
    const name = decodeURIComponent(new URL(address, "http://localhost").pathname);
    return name.startsWith("/static/") ? path.join(statics, name.slice("/static/".length)) : path.join(samples, name);
}

function serve() {
    const server = http.createServer((request, response) => {
        fs.readFile(file_of(request.url), (error, body) => {
            response.writeHead(error ? 404 : 200, { "Content-Type": types[path.extname(file_of(request.url))] ?? "text/plain" });
            response.end(error ? "" : body);
        });
    });
    return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

const axe = fs.readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/// Against all tags, or against the named rules alone.
async function violations(page, rules = null) {
    const found = await page.evaluate(async ([wanted, alone]) => {
        // Swagger UI is not ours. Pictures shorten words with an ellipsis; the name of such a link has the whole word.
        const result = await window.axe.run({ exclude: [".swagger-ui"] },
            alone === null ? { runOnly: wanted, resultTypes: ["violations"], rules: { "label-content-name-mismatch": { enabled: false } } }
                : { runOnly: { type: "rule", values: alone }, resultTypes: ["violations"] });
        return result.violations.map(({ id, nodes }) => ({ id, targets: nodes.map((node) => `${node.target.join(" ")} ${node.any.concat(node.all, node.none).map((one) => one.message).join("; ")}`) }));
    }, [tags, rules]);
    return found.map(({ id, targets }) => `${id} (${targets.length}): ${targets.slice(0, 3).join(" | ")}`);
}

/// Elements that reach beyond the screen and do not stand in something that scrolls.
function what_sticks_out(page) {
    return page.evaluate(() => {
        const wide = document.documentElement.clientWidth;
        const scrolls = (element) => {
            for (let at = element; at !== null; at = at.parentElement) {
                if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(at).overflowX)) return true;
            }
            return false;
        };
        return [...document.querySelectorAll("body *")]
            .filter((element) => element.getBoundingClientRect().right > wide + 1 && element.getClientRects().length > 0 && !scrolls(element.parentElement))
            .slice(0, 3).map((element) => `${element.tagName.toLowerCase()}.${element.className}#${element.id}`);
    });
}

/// Current tabs that are not wholly in sight, and tabs that cover their neighbours.
function what_tabs_hide(page) {
    return page.evaluate(async () => {
        for (let frame = 0; frame < 2; ++frame) await new Promise(requestAnimationFrame);
        const hidden = [];
        for (const row of document.querySelectorAll("nav.tabs")) {
            const frame = row.getBoundingClientRect();
            const tabs = [...row.children].map((tab) => ({ tab, place: tab.getBoundingClientRect() }));
            tabs.forEach(({ tab, place }, i) => {
                const is_cut = place.left < frame.left - 1 || place.right > frame.right + 1;
                if (tab.hasAttribute("aria-current") && is_cut) hidden.push(`${tab.textContent} is cut`);
                if (i > 0 && place.left < tabs[i - 1].place.right - 1) hidden.push(`${tab.textContent} and its neighbour overlap`);
            });
        }
        return hidden;
    });
}

const server = await serve();
const browser = await chromium.launch({
    executablePath: process.env.COOPERAGE_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
});
const failures = [];
const names = fs.readdirSync(samples).filter((name) => name.endsWith(".html")).sort();
try {
    const context = await browser.newContext({ bypassCSP: true, reducedMotion: "reduce" });
    // Pages that follow would ask the server again.
    await context.route("**/static/js/live.js", (route) => route.abort());
    // A form that sends itself would leave its page.
    await context.addInitScript(() => { HTMLFormElement.prototype.requestSubmit = () => {}; });
    const page = await context.newPage();
    for (const name of names) {
        const say = (what, list) => { if (list.length > 0) failures.push(`${name}, ${what}:\n    ${list.join("\n    ")}`); };
        await page.setViewportSize({ width: 1280, height: 900 });
        for (const colorScheme of ["light", "dark"]) {
            await page.emulateMedia({ colorScheme });
            if (colorScheme === "light") {
                await page.goto(`http://127.0.0.1:${server.address().port}/${name}`);
                await page.evaluate(axe);
                await page.evaluate(() => { for (const closed of document.querySelectorAll("details")) closed.open = true; });
            }
            // What is another in the dark are the colours.
            say(colorScheme, await violations(page, colorScheme === "dark" ? ["color-contrast"] : null));
        }
        await page.setViewportSize({ width: 320, height: 640 });
        say("320 pixels", await what_sticks_out(page));
        say("tabs", await what_tabs_hide(page));
    }
} finally {
    await browser.close();
    server.close();
}
console.log(`${names.length} pages, ${failures.length} with something to mend`);
assert.ok(names.length > 50, "there are samples");
assert.equal(failures.length, 0, `\n${failures.join("\n")}`);
