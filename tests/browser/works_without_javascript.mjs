// Everything a person does works with scripts switched off; pages of running work load themselves again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { in_browser, log_in, longest_job, new_name, someone } from "./support.mjs";

test("a cluster is created, watched and deleted without scripts", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters/new?template=web");
        await page.fill("#inputClusterName", new_name("plain"));
        await page.click("details.more > summary");
        assert.ok(await page.locator("#inputClusterConfig").isVisible(), "advanced fields open without scripts");
        await page.click("button:text-is('Preview')");
        await page.click("button:has-text('Create cluster')");
        await page.waitForURL(/\/clusters\/\d+$/);
        await page.waitForSelector("h1 + .badge.active", { timeout: longest_job });
        await page.click("text=Delete");
        await page.click("button.danger");
        await page.waitForSelector("h1 + .badge.terminated", { timeout: longest_job });
    }, { javascript: false });
});

test("switching the template keeps the name and redraws the form", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters/new?template=web");
        const others = await page.locator("#inputClusterTemplate option:not([value=web])").all();
        const other = others.length > 0 ? await others[0].getAttribute("value") : "web";
        await page.fill("#inputClusterName", "kept");
        await page.selectOption("#inputClusterTemplate", other);
        await page.click("text=Switch");
        assert.equal(await page.inputValue("#inputClusterName"), "kept");
        assert.equal(await page.inputValue("#inputClusterTemplate"), other);
    }, { javascript: false });
});
