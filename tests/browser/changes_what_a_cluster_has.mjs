// A cluster grows, has a machine replaced and shrinks, with the keyboard and without scripts; what comes and goes is shown
// before it is done.
import assert from "node:assert/strict";
import { test } from "node:test";
import { in_browser, log_in, longest_job, new_name, someone, take_pictures } from "./support.mjs";

const active = "h1 + .badge.active";

async function settled(page) {
    await page.waitForURL(/\/clusters\/\d+$/);
    await page.waitForSelector(active, { timeout: longest_job });
}

async function machines(page) {
    const names = await page.$$eval("#picture th", (rows) => rows.map((row) => row.firstChild.textContent));
    return names.map((name) => Number(name.match(/-(\d+)$/)[1]));
}

async function press(page, selector) {
    await page.focus(selector);
    await page.keyboard.press("Enter");
}

async function see_what_changes(page) {
    await press(page, "button:has-text('Preview changes')");
    await page.waitForSelector("#preview");
    return (await page.textContent("#comes-and-goes")).trim().replace(/\s+/g, " ");
}

test("which machines a cluster has is changed after a look at what comes and goes", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters/new?template=web");
        await page.fill("#inputClusterName", new_name("changed"));
        await page.fill("#inputClusterNumMachines", "3");
        await page.click("button:text-is('Preview')");
        await page.click("button:has-text('Create cluster')");
        await settled(page);
        assert.deepEqual(await machines(page), [1000, 1001, 1002]);
        await take_pictures(page, "cluster-before-it-grows");

        // Too many are refused beside the control, and nothing typed is lost.
        await press(page, "a:has-text('Grow')");
        await page.waitForURL(/\/grow$/);
        await page.fill("#inputNumMachines", "30");
        await press(page, "button:has-text('Preview changes')");
        assert.match(await page.textContent("#inputNumMachines-problem"), /^Enter a whole number from 1 to \d+\.$/);
        assert.equal(await page.inputValue("#inputNumMachines"), "30");
        await page.fill("#inputNumMachines", "1");
        assert.match(await see_what_changes(page), /New: \S+-1003\.local with Application/);
        await take_pictures(page, "cluster-grow");
        await press(page, "button:has-text('Add the machine')");
        await page.waitForSelector("text=Growing the cluster");
        await settled(page);
        assert.deepEqual(await machines(page), [1000, 1001, 1002, 1003]);

        // The balancer serves what the new machine makes, too: the page it leads to answers.
        const site = await page.getAttribute("#links a", "href");
        assert.equal((await page.request.get(site)).status(), 200);

        await page.click(".tabs a:has-text('Machines')");
        await take_pictures(page, "cluster-machines");
        await page.click("#machine-1003");
        await take_pictures(page, "cluster-machine");
        await press(page, "#replace");
        await page.waitForURL(/\/nodes\/1003\/replace$/);
        const replaced = await page.textContent("#comes-and-goes");
        assert.match(replaced, /Removed: \S+-1003\.local with Application/);
        assert.match(replaced, /New: \S+-1004\.local with Application/);
        await take_pictures(page, "cluster-replace");
        await press(page, "button:has-text('Replace the machine')");
        await page.waitForSelector("text=Replacing a machine");
        await settled(page);
        assert.deepEqual(await machines(page), [1000, 1001, 1002, 1004]);

        // The only balancer cannot go; another machine can.
        await press(page, "a:has-text('Shrink')");
        await page.waitForURL(/\/shrink$/);
        const balancer = page.locator("label:has-text('Load balancer')");
        assert.match(await balancer.textContent(), /Needed: Load balancer is on 1 machine and needs at least 1\./);
        assert.equal(await balancer.locator("input").isDisabled(), true);
        // As many machines as no address has room for.
        const answer = await page.evaluate(async () => {
            const form = document.querySelector("#change");
            const body = new URLSearchParams(new FormData(form));
            for (let number = 2000; number < 7000; ++number) body.append("nodes", number);
            const response = await fetch(form.action, { method: "POST", body });
            return { address: response.url, text: await response.text() };
        });
        assert.match(answer.address, /\/shrink\?draft=[0-9a-f]+$/);
        assert.match(answer.text, /id="choices-problem"/);
        await page.check("input[name=nodes][value='1004']");
        assert.match(await see_what_changes(page), /Interrupted by a restart: Load balancer Removed: \S+-1004\.local with Application/);
        await take_pictures(page, "cluster-shrink");
        await press(page, "button:has-text('Remove the machine')");
        await page.waitForSelector("text=Shrinking the cluster");
        await settled(page);
        assert.deepEqual(await machines(page), [1000, 1001, 1002]);

        // What is all that a machine runs cannot be removed.
        await page.click(".tabs a:has-text('Services')");
        await page.waitForURL(/\/services$/);
        await page.waitForSelector("text=No service can be removed");
        assert.equal(await page.locator("#remove-services").count(), 0);
        await page.goto(`${page.url()}/remove`);
        const database = page.locator("label:has(input[value='web-database'])");
        assert.match(await database.textContent(), /Needed: 1 machine runs nothing else/);
        assert.equal(await database.locator("input").isDisabled(), true);
        await page.goto(page.url().replace(/services\/remove.*/, "services/add"));
        assert.match(await page.textContent("#choices-hint"), /^No service can be added: the cluster has all/);

        await page.click("text=Cancel");
        await page.click("text=Delete");
        await page.click("button.danger");
        await page.waitForSelector("h1 + .badge.terminated", { timeout: longest_job });
    }, { javascript: false, expected: ["422", "shrink?draft="] });
});
