// Takes the pictures of the README from an installation that is up and new, into static/img/readme:
//   COOPERAGE_ACCESS=var/access.json node tests/browser/readme/take_pictures.mjs
// They show a cluster that is made for them and deleted afterwards.
import fs from "node:fs";
import path from "node:path";
import { in_browser, log_in, someone } from "../support.mjs";

const folder = path.resolve(import.meta.dirname, "../../../static/img/readme");
const name = "bookshop";

// A whole page, or what its first screen shows.
async function picture(page, of, fullPage = true) {
    await page.mouse.move(0, 0);
    await page.screenshot({ path: path.join(folder, `${of}.png`), fullPage, animations: "disabled" });
}

fs.mkdirSync(folder, { recursive: true });

await in_browser(async (page) => {
    await log_in(page, someone("user"));
    await page.goto("/clusters/new?template=web");
    await page.fill("[name=name]", name);
    await page.fill("[name=numMachines]", "5");
    await page.click("button.primary");
    await page.waitForSelector("h1:has-text('Preview')");
    await picture(page, "preview");
    await page.click("button:text-is('Create cluster')");
    await page.waitForURL("**/clusters/0*");
    // Not before a third is done: then every state is seen.
    await page.waitForFunction(() => {
        const bar = document.querySelector("progress");
        return bar !== null && bar.value > bar.max / 3;
    }, null, { timeout: 120_000 });
    await picture(page, "cluster");
    const here = page.url();
    await page.waitForSelector("h1 + .badge.active", { timeout: 180_000 });
    await page.goto(`${here.split("?")[0]}/delete`);
    await page.click("button.danger");
    await page.waitForURL((url) => !url.pathname.endsWith("/delete"));
});

await in_browser(async (page) => {
    await log_in(page, someone("admin"));
    await page.goto("/builder/clustertemplates/web");
    await page.setViewportSize({ width: 1280, height: 1000 });
    await page.waitForSelector("#preview :text('machines')");
    await picture(page, "builder", false);
});
