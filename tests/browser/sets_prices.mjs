// An administrator adds a price, sees what it changes before it is saved, and takes it away again, with scripts and without.
import assert from "node:assert/strict";
import { test } from "node:test";
import { in_browser, log_in, new_name, someone, take_pictures } from "./support.mjs";

for (const javascript of [true, false]) {
    test(`prices are previewed before they are saved, ${javascript ? "with" : "without"} scripts`, async () => {
        await in_browser(async (page) => {
            const flavor = new_name("flavor");
            await log_in(page, someone("admin"));
            await page.goto("/prices");
            // The form is open where there is no price yet.
            if (!await page.isVisible("#price-own-providerType")) await page.click("summary:has-text('New price')");
            await page.selectOption("#price-own-providerType", "aws");
            await page.fill("#price-own-flavor", flavor);
            await page.fill("#price-own-perHour", "cheap");
            await page.fill("#price-own-currency", "USD");
            await page.click("button:has-text('Preview with this price')");
            assert.notEqual(await page.textContent("#price-own-perHour-problem"), "", "a wrong price is told beside its control");
            assert.equal(await page.inputValue("#price-own-flavor"), flavor);
            await page.fill("#price-own-perHour", "0.12");
            await page.click("button:has-text('Preview with this price')");
            await page.waitForURL(/prices\?draft=/);
            assert.match(await page.textContent("main"), new RegExp(`What changes. Nothing is saved yet[^]*1 price more: ${flavor} \\(aws\\), 0.12 USD per hour`));
            await take_pictures(page, "prices-preview");
            await page.goto("/prices");
            assert.equal(await page.locator(`tr:has-text('${flavor}')`).count(), 0, "a preview saves nothing");
            await page.goBack();
            await page.click("button:text-is('Add this price')");
            await page.waitForSelector("text=/Prices of .+ saved\\./");
            assert.equal(await page.isVisible("#prices-own"), false, "the file is the other way");
            await page.click(`tr:has-text('${flavor}') a:has-text('Edit')`);
            await page.waitForURL(/prices\?edit=/);
            assert.equal(await page.inputValue("#price-own-perHour"), "0.12");
            await page.fill("#price-own-perHour", "0.13");
            await page.fill("#price-own-region", "eu-west-1");
            await page.click("button:has-text('Preview with this price')");
            await page.waitForURL(/prices\?draft=/);
            assert.match(await page.textContent("main"), /1 price changes: .+ \(aws.*\), 0\.13 USD per hour instead of .+ \(aws/);
            await page.click("button:text-is('Change this price')");
            await page.waitForSelector("text=/Prices of .+ saved\\./");
            assert.equal(await page.locator(`tr:has-text('${flavor}')`).count(), 1, "the price was replaced, not added");
            await page.click(`tr:has-text('${flavor}') button:has-text('Remove')`);
            await page.waitForURL(/prices\?draft=/);
            assert.match(await page.textContent("main"), /1 price less: .+ \(aws/);
            await page.click("button:text-is('Remove this price')");
            await page.waitForSelector("text=/Prices of .+ saved\\./");
            assert.equal(await page.locator(`tr:has-text('${flavor}')`).count(), 0);
        }, { javascript, expected: ["422"] });
    });
}
