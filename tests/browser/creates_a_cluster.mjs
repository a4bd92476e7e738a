// The main path of a new user: log in, pick a template, look at the layout, create, watch, use, delete.
import assert from "node:assert/strict";
import { test } from "node:test";
import { in_browser, log_in, new_name, someone, take_pictures, wait_for_status } from "./support.mjs";

async function ask_for_machines(page, name, machines) {
    await page.goto("/templates");
    await page.click("a[href='/clusters/new?template=web']");
    await page.fill("#inputClusterName", name);
    await page.fill("#inputClusterNumMachines", String(machines));
    await page.fill("#inputClusterDescription", "Made by a browser test");
}

async function open_first_link(page, context) {
    const [site] = await Promise.all([context.waitForEvent("page"), page.click("#links .links a >> nth=0")]);
    await site.waitForLoadState();
    assert.match(site.url(), /^https?:\/\/[\d.]+/, "the link leads to the cluster");
    assert.ok((await site.locator("body").innerText()).length > 0, "the load balancer answers with a page");
    await site.close();
}

test("a user creates a cluster of four machines, uses it and deletes it", async () => {
    await in_browser(async (page, context) => {
        await page.goto("/");
        assert.match(page.url(), /\/login/, "nobody gets in without logging in");
        await take_pictures(page, "login");
        await log_in(page, someone("user"));
        await page.goto("/templates");
        await take_pictures(page, "templates");

        const name = new_name("shop");
        await ask_for_machines(page, name, 4);
        await take_pictures(page, "new-cluster");
        await page.click("button:text-is('Preview')");
        await page.waitForSelector("h1:has-text('Preview: ')");
        assert.equal(await page.locator(".matrix tbody tr").count(), 4, "the layout has a row for each machine");
        assert.ok((await page.locator(".stave.planned").count()) >= 4, "every machine has something on it");
        assert.ok((await page.locator(".plan li").count()) >= 3, "the plan names the kinds of tasks");
        await take_pictures(page, "preview");
        await page.click("text=Explain the layout");
        assert.ok((await page.locator(".reasons li").count()) >= 4, "every service is explained");
        await take_pictures(page, "preview-explained");
        await page.click(".sizes button:has-text('5 machines')");
        assert.equal(await page.locator(".matrix tbody tr").count(), 5, "another size is one press away");
        await page.click(".sizes button:has-text('4 machines')");

        await page.click("text=Change");
        assert.equal(await page.inputValue("#inputClusterName"), name, "nothing typed is lost");
        assert.equal(await page.inputValue("#inputClusterNumMachines"), "4");
        await page.click("button:text-is('Preview')");
        await page.click("button:has-text('Create cluster')");
        await page.waitForURL(/\/clusters\/\d+$/);
        await page.evaluate(() => { window.never_loaded_again = true; });
        await page.waitForSelector("#picture .stave.running", { timeout: 60_000 });
        await take_pictures(page, "cluster-being-created");
        await wait_for_status(page, "active");
        assert.ok(await page.evaluate(() => window.never_loaded_again), "the page updated itself");
        assert.equal(await page.locator(".matrix .stave.done").count() > 4, true, "the picture shows what is ready");
        await take_pictures(page, "cluster-active");
        const address = page.url();
        await open_first_link(page, context);

        await page.click(".tabs a:has-text('Jobs')");
        await take_pictures(page, "cluster-jobs");
        await page.click("th a:has-text('Creating the cluster')");
        const bars = await page.locator("#lanes .stint:not(.again) > rect:not(.chain)").count();
        assert.ok(bars >= 12, "every task of the job has a bar");
        assert.equal(await page.locator("#lanes rect.chain").count(), await page.locator("#path-rows li").count(), "the critical path is marked");
        assert.ok((await page.locator("#lanes rect.chain").count()) >= 3, "it has several tasks");
        // The table says of each bar what its title says.
        const titles = await page.$$eval("#lanes .stint:not(.again) > rect:not(.chain) title", (all) => all.map((one) => one.textContent));
        await page.click("#to-table");
        const rows = await page.$$eval("#twin tr:has([scope=row])", (all) => all.map((row) => {
            const [what, state, ...times] = [...row.cells].map((cell) => cell.textContent);
            return `${what}: ${[state, ...times].join(", ")}`;
        }));
        assert.deepEqual(rows, titles);
        await take_pictures(page, "cluster-job-timeline");
        await page.click("#to-timeline");
        assert.equal(rows.filter((row) => row.includes("critical path")).length, await page.locator("#path-rows li").count());
        await take_pictures(page, "cluster-job");
        await page.click(".tabs a:has-text('Machines')");
        await page.locator("#machines th a").first().click();
        await page.locator("#machine-tasks .tasks a").last().click();
        await page.waitForSelector("h2:has-text('Output')");
        await take_pictures(page, "task");

        await page.goto("/clusters");
        assert.ok(await page.locator(`a:has-text('${name}')`).isVisible(), "the list has the cluster");
        await take_pictures(page, "clusters");

        await page.goto(address);
        await page.click("text=Delete");
        await take_pictures(page, "delete-cluster");
        await page.click(`button:has-text('Delete ${name}')`);
        await page.waitForURL(address);
        await wait_for_status(page, "terminated");
        await take_pictures(page, "cluster-terminated");
        await page.goto("/clusters?status=terminated");
        assert.ok(await page.locator(`a:has-text('${name}')`).isVisible(), "the cluster is among the terminated");

        await page.click("text=Log out");
        await page.waitForURL(/\/login/);
        await page.goto(address);
        assert.match(page.url(), /\/login\?next=/, "whoever logged out sees nothing any more");
    });
});
