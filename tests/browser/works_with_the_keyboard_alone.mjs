// Login, form and preview with Tab, Enter and letters only; what has the focus is always visible.
import assert from "node:assert/strict";
import { test } from "node:test";
import { in_browser, log_in, new_name, someone, tab_to } from "./support.mjs";

async function focus_is_visible(page) {
    return page.evaluate(() => {
        const style = getComputedStyle(document.activeElement);
        return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    });
}

async function type_into(page, selector, text) {
    await tab_to(page, selector);
    assert.ok(await focus_is_visible(page), `${selector} shows that it has the focus`);
    await page.keyboard.press("Control+A");
    await page.keyboard.type(text);
}

test("the skip link is the first stop and leads to the content", async () => {
    await in_browser(async (page) => {
        // The page of the log-in begins in its first field.
        await log_in(page, someone("user"));
        await page.goto("/clusters");
        await page.keyboard.press("Tab");
        assert.ok(await page.evaluate(() => document.activeElement.matches(".skip")), "the skip link comes first");
        await page.keyboard.press("Enter");
        assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    });
});

test("a cluster is asked for and deleted without a mouse", async () => {
    const user = someone("user");
    await in_browser(async (page) => {
        await page.goto("/login");
        await type_into(page, "#loginUsername", user.user);
        await type_into(page, "#loginTenant", user.tenant);
        await type_into(page, "#loginPassword", user.password);
        await page.keyboard.press("Enter");
        await page.waitForURL((url) => url.pathname === "/");

        await tab_to(page, "nav a[href='/templates']");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/templates$/);
        await tab_to(page, "a[href='/clusters/new?template=web']");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/clusters\/new/);
        await type_into(page, "#inputClusterName", new_name("keys"));
        await page.keyboard.press("Enter");
        await page.waitForSelector("h1:has-text('Preview: ')");
        await tab_to(page, ".actions button.primary");
        assert.ok(await focus_is_visible(page), "the button shows that it has the focus");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/clusters\/\d+$/);
        await page.waitForSelector("h1 + .badge.active", { timeout: 180_000 });

        await tab_to(page, "a.quiet-danger");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/delete$/);
        await tab_to(page, "button.danger");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/clusters\/\d+$/);
        await page.waitForSelector("h1 + .badge.terminated", { timeout: 180_000 });
    });
});
