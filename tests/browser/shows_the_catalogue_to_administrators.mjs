// The catalogue: lists of every kind, a page for each entry, and nothing for those who are no administrators.
import assert from "node:assert/strict";
import { test } from "node:test";
import { in_browser, log_in, someone, take_pictures } from "./support.mjs";

const kinds = ["providers", "hardwaretypes", "imagetypes", "services", "clustertemplates"];

test("an administrator reads every kind and every entry's JSON", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        for (const kind of kinds) {
            await page.goto(`/catalogue/${kind}`);
            const entries = page.locator(".list tbody th a");
            assert.ok((await entries.count()) > 0, `${kind} has entries`);
            await take_pictures(page, `catalogue-${kind}`);
            const name = await entries.first().innerText();
            await entries.first().click();
            await page.waitForSelector("h2:has-text('As JSON')");
            const document = JSON.parse(await page.innerText("#document"));
            assert.equal(document.name, name, `the JSON is that of ${name}`);
            if (kind === "services") await take_pictures(page, "catalogue-entry");
        }
    });
});

test("entries are chosen by the boxes before their names, all of them by that in the head", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        await page.goto("/catalogue/services");
        const boxes = page.locator("tbody td:first-child input[name=name]");
        assert.equal(await boxes.count(), await page.locator("tbody tr").count());
        await page.check("thead input[data-ticks]");
        assert.equal(await page.locator("tbody input[name=name]:checked").count(), await boxes.count());
        const places = () => page.locator("thead th").evaluateAll((heads) => heads.map((head) => Math.round(head.getBoundingClientRect().left)));
        const before = await places();
        await page.click("thead a:has-text('Used by')");
        await page.waitForURL("**sort=used**");
        assert.deepEqual(await places(), before, "columns keep their places");
        assert.equal(await page.locator(".on-phones").isVisible(), false);
        await page.setViewportSize({ width: 390, height: 800 });
        await page.check(".on-phones input");
        assert.equal(await page.locator("tbody input[name=name]:checked").count(), await boxes.count());
    });
});

test("a user has no link to the catalogue and is told so at its address", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters");
        assert.equal(await page.locator("nav a[href^='/catalogue']").count(), 0);
        const answer = await page.goto("/catalogue/providers");
        assert.equal(answer.status(), 403);
    }, { expected: ["status of 403"] });
});
