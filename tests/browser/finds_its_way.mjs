// The first page, the navigation, search and the command palette by keyboard; a superadmin makes a tenant and drains a provisioner.
import assert from "node:assert/strict";
import { test } from "node:test";
import { in_browser, log_in, new_name, someone, take_pictures, wait_for_status } from "./support.mjs";

test("a superadmin finds pages and things by keyboard and makes a tenant", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("superadmin", "superadmin"));
        await page.waitForSelector("h2:has-text('Installation')");
        await take_pictures(page, "home");

        await page.keyboard.press("/");
        assert.equal(await page.evaluate(() => document.activeElement.id), "site-search", "/ goes to the search box");
        await page.keyboard.press("Escape");
        assert.notEqual(await page.evaluate(() => document.activeElement.id), "site-search", "Escape leaves it");
        await page.keyboard.press("/");
        await page.keyboard.type("WEB");
        await page.keyboard.press("Enter");
        await page.waitForSelector("h1:has-text('Search')");
        await page.waitForSelector("section.panel[aria-label=Catalogue] a[href$='/catalogue/services/web-application']");
        await take_pictures(page, "search");

        await page.keyboard.press("Control+k");
        await page.waitForSelector("dialog.palette[open]");
        await page.keyboard.type("tenan");
        await page.waitForSelector("[role=option][aria-selected=true]:has-text('Tenants')");
        const active = await page.getAttribute("#palette-text", "aria-activedescendant");
        assert.ok(await page.locator(`#${active}`).isVisible(), "the chosen option is named and shown");
        await page.keyboard.press("Escape");
        assert.equal(await page.locator("dialog.palette[open]").count(), 0, "Escape closes the palette");
        await page.keyboard.press("Control+k");
        await page.keyboard.type("tenan");
        await page.waitForSelector("[role=option][aria-selected=true]:has-text('Tenants')");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/tenants$/);
        await take_pictures(page, "tenants");

        const name = new_name("lab");
        await page.click("text=New tenant");
        await page.fill("#input-name", name);
        await page.fill("#input-workers", "99999999");
        await page.click("text=Create tenant");
        await page.waitForSelector("#input-workers[aria-invalid=true]");
        assert.equal(await page.inputValue("#input-name"), name, "nothing that was typed is lost");
        await page.fill("#input-workers", "1");
        await page.click("text=Create tenant");
        await page.waitForSelector(`h1:has-text('${name}')`);
        await page.waitForSelector("h2:text-is('New administrator')");
        await take_pictures(page, "tenant");
        await page.fill("#name", "ann");
        await page.click("text=Create administrator");
        await page.waitForSelector("code.secret");
        await page.waitForSelector("h1:text-is('ann')");
        await page.click("button:text-is('Lock')");
        await page.waitForSelector("[role=status]:has-text('ann is locked')");
        assert.equal(new URL(page.url()).pathname, `/tenants/${name}/people/ann`);
        await page.click("button:text-is('Unlock')");
        await page.waitForSelector("button:text-is('Lock')");
        await take_pictures(page, "tenant-user");
        await page.click(".crumb >> text=Users");
        await page.waitForSelector("th a:text-is('ann')");
        await page.goto(`/audit?tenant=${name}`);
        await page.waitForSelector("td:has-text('Lock user')");
        const of_ann = page.locator(`td a[href='/tenants/${name}/people/ann']:has-text('user ann')`);
        assert.ok(await of_ann.count() > 0, "events lead to what they are about");
        await page.goto(`/tenants/${name}`);
        assert.equal(await page.locator("h2:text-is('New administrator')").count(), 0);
        await page.click("text=View as tenant");
        await page.waitForURL(`**/view/${name}/`);
        await page.waitForSelector(`.viewing:has-text('${name}')`);
        assert.equal((await page.goto(`/view/${name}/tenants`)).status(), 403, "a view reads one tenant only");
        assert.equal((await page.goto("/tenants")).status(), 200, "other pages are one's own");
        await page.goto(`/view/${name}/clusters`);
        await take_pictures(page, "viewing");
        await page.click("text=Stop viewing");
        await page.waitForSelector(`h1:has-text('${name}')`);
        await page.click("text=Delete");
        await page.fill("#input-confirm", `${name}-not`);
        await page.click("button.danger");
        await page.waitForSelector("#input-confirm[aria-invalid=true]");
        await take_pictures(page, "tenant-delete");
        await page.fill("#input-confirm", name);
        await page.click("button.danger");
        await page.waitForSelector("[role=status]:has-text('deleted')");
        assert.equal(await page.locator(`th a:text-is('${name}')`).count(), 0);
    }, { expected: ["status of 403", "status of 409", "status of 422"] });
});

test("an administrator reaches no users of another tenant", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        for (const path of ["/tenants/superadmin/people", "/tenants/superadmin/people/admin", "/tenants/demo/people"]) {
            assert.equal((await page.goto(path)).status(), 403, path);
        }
        assert.equal((await page.goto("/people/no-one")).status(), 404);
    }, { expected: ["status of 403", "status of 404"] });
});

test("the search box of the header offers what the palette finds, and Enter leads to the page of results", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("superadmin", "superadmin"));
        await page.keyboard.press("/");
        const chosen = () => page.getAttribute("#site-search", "aria-activedescendant");
        await page.keyboard.type("invite");
        await page.waitForSelector("#site-search-list [role=option]:has-text('New user')");
        assert.equal(await page.getAttribute("#site-search", "aria-expanded"), "true");
        assert.equal(await chosen(), null, "nothing is selected before an arrow key");
        await page.keyboard.press("Escape");
        assert.equal(await page.locator("#site-search-list [role=option]").count(), 0, "Escape closes the list");
        assert.equal(await page.inputValue("#site-search"), "invite", "and keeps what was typed");
        await page.keyboard.press("Enter");
        await page.waitForURL("**/search?q=invite");

        await page.keyboard.press("/");
        await page.keyboard.type("tenan");
        await page.waitForSelector("#site-search-list [role=option]:has-text('Tenants')");
        await page.keyboard.press("ArrowDown");
        assert.ok(await page.locator(`#${await chosen()}`).isVisible(), "the chosen option is named and shown");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/tenants$/);
        await page.keyboard.press("/");
        await page.keyboard.type("audi");
        await page.click("#site-search-list [role=option]:has-text('Audit')");
        await page.waitForURL(/\/audit/);
        // The page of results leads to the same pages.
        await page.goto("/search?q=audit");
        await page.click("section[aria-label='Go to'] a:text-is('Audit')");
        await page.waitForURL(/\/audit/);
    });
});

test("the palette knows what people want to do, by their own words and role", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("superadmin", "superadmin"));
        for (const [typed, action] of [["import", "Import into the catalogue"], ["new cluster templ", "New cluster template"], ["invite", "New user"],
            ["impersonate", "Choose a tenant to view"], ["2fa", "Second factor"]]) {
            await page.keyboard.press("Control+k");
            await page.keyboard.type(typed);
            await page.waitForSelector(`[role=option]:has-text('${action}')`);
            await page.keyboard.press("Escape");
        }
        await page.keyboard.press("Control+k");
        await page.keyboard.type("no such thing anywhere");
        await page.waitForSelector(".palette [role=status]:has-text('0 results')");
        await page.keyboard.press("Enter");
        await page.waitForURL("**/search?q=no%20such%20thing%20anywhere");
    });
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/search?q=new");
        await page.waitForSelector("section[aria-label=Actions] a:text-is('New cluster')");
        assert.equal(await page.locator("a:text-is('New tenant')").count(), 0, "users are not offered what they may not do");
    });
});

test("a superadmin finds a cluster of another tenant, views the tenant and is led back to it", async () => {
    const name = new_name("far");
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters/new?template=web");
        await page.fill("#inputClusterName", name);
        await page.click("button:text-is('Preview')");
        await page.click("button:has-text('Create cluster')");
        await page.waitForURL(/\/clusters\/\d+/);
        await wait_for_status(page, "active");
        // What a cluster allows now is found by other words for it: of the one that is open, or of one that is named.
        await page.keyboard.press("Control+k");
        await page.keyboard.type("bigger");
        await page.waitForSelector(`[role=option]:has-text('Grow ${name}')`);
        await page.goto(`/search?q=${encodeURIComponent(`add machines to ${name}`)}`);
        await page.click(`section[aria-label='Actions of clusters'] a:has-text('Grow ${name}')`);
        await page.waitForURL(/\/clusters\/\d+\/grow$/);
        await page.goto(`/search?q=${encodeURIComponent(`resume ${name}`)}`);
        const found = page.locator("section[aria-label='Actions of clusters']");
        assert.match(await found.textContent(), new RegExp(`${name}[^]*Resume: not possible`));
    });
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.click("a:text-is('Machines') >> nth=0");
        await page.waitForURL("**/machines");
        await page.waitForSelector("h1:has-text('Machines')");
        await page.fill("#inputText", name.toUpperCase());
        await page.click("button:text-is('Search')");
        await page.waitForURL("**/machines?q=*");
        assert.match(await page.textContent("#machine-rows tr >> nth=0"), new RegExp(`${name}[^]*running`));
        await take_pictures(page, "machines");
        await page.click("nav[aria-label='Which machines'] a:has-text('Failed')");
        await page.waitForSelector("h2:has-text('No machine matches')");
        await page.click("a:text-is('All machines')");
        await page.waitForSelector(`#machine-rows td a:text-is('${name}')`);
        await page.click(`#machine-rows tr:has(td a:text-is('${name}')) th a >> nth=0`);
        await page.waitForURL(/\/clusters\/\d+\/machines\/\d+$/);
        await page.goto("/");
        const number = await page.textContent(".tile:has(a[href='/machines']) dd");
        await page.click(".tile a[href='/machines']");
        await page.waitForSelector(`.lede:text-matches('(^| of )${number} machines? of current clusters')`);
    });
    await in_browser(async (page) => {
        await log_in(page, someone("superadmin", "superadmin"));
        await page.goto("/machines");
        await page.click("nav[aria-label='Of which tenant'] a:has-text('All tenants')");
        await page.waitForURL("**/machines?tenants=all");
        assert.match(await page.textContent(`tr:has(td a:text-is('${name}')) >> nth=0`), /demo/);
        await take_pictures(page, "machines-of-all-tenants");
        await page.goto(`/search?q=${name}`);
        await page.click(`section[aria-label='Clusters of other tenants'] a:text-is('${name}')`);
        await take_pictures(page, "question-of-a-view");
        await page.click("button:text-is('View demo')");
        await page.waitForSelector(`h1:has-text('${name}')`);
        await page.waitForSelector(".viewing:has-text('demo')");
        const cluster = page.url();
        assert.equal((await page.goto("/view/demo/profile")).status(), 403, "nothing of one's own in a view");
        await take_pictures(page, "refused-while-viewing");
        await page.click("button:text-is('Stop viewing and open the page')");
        await page.waitForURL("**/profile");
        await page.goto(cluster.replace("/view/demo", ""));
        await page.waitForURL(cluster);
        await page.click("button:text-is('View demo')");
        await page.waitForSelector(`h1:has-text('${name}')`);
        await page.click("text=Stop viewing");
        await page.waitForURL("**/tenants/demo");
        await page.goBack();
        await page.reload();
        await page.waitForSelector("h1:text-is('View demo?')");

        await page.goto("/clusters");
        await page.click("nav[aria-label='Of which tenant'] a:has-text('All tenants')");
        await page.click("nav[aria-label='Which clusters'] a:text-is('Active')");
        await page.waitForURL("**/clusters?tenants=all&status=active");
        assert.match(await page.textContent(`tr:has(a:text-is('${name}'))`), /demo[^]*active/);
        await take_pictures(page, "clusters-of-all-tenants");
        await page.fill("#inputText", "no such cluster");
        await page.click("button:text-is('Search')");
        await page.waitForSelector("h2:has-text('No clusters found')");
        await page.fill("#inputText", name.toUpperCase());
        await page.keyboard.press("Enter");
        await page.waitForURL(`**/clusters?tenants=all&status=active&q=${name.toUpperCase()}`);
        assert.equal(await page.locator("#clusters tbody tr").count(), 1, "the search stays within the list that was chosen");
        const list = page.url();
        await page.click(`a:text-is('${name}')`);
        await page.click("button:text-is('View demo')");
        await page.waitForSelector(`h1:has-text('${name}')`);
        await page.goto(list);
        await page.waitForSelector(`a:text-is('${name}')`);
        await page.click(`a:text-is('${name}')`);
        await page.click("text=Stop viewing");
        await page.waitForURL(`**/clusters?tenants=all&status=active&q=${name.toUpperCase()}`);
    }, { expected: ["status of 404", "status of 403"] });
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters");
        await page.click(`a:text-is('${name}')`);
        await page.click("main >> text=Delete");
        await page.click("button.danger");
        await wait_for_status(page, "terminated");
    });
});

test("on a phone the navigation is behind a button, without scripts too", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        const is_seen = () => page.locator("nav a[href='/templates']").isVisible();
        assert.ok(await is_seen(), "where there is room it is open");
        assert.equal(await page.locator(".menu > summary").isVisible(), false);
        await page.setViewportSize({ width: 390, height: 800 });
        assert.equal(await is_seen(), false);
        await page.click(".menu > summary");
        await page.click("nav a[href='/templates']");
        await page.waitForURL("**/templates");
    }, { javascript: false });
});

test("groups of the navigation open without scripts, and a provisioner is drained and resumed", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("superadmin", "superadmin"));
        assert.equal(await page.locator("nav a[href='/queues']").isVisible(), false);
        await page.click("nav summary:has-text('System')");
        await page.click("nav a[href='/queues']");
        await page.waitForSelector("h1:has-text('Queues')");
        await page.click("nav summary:has-text('System')");
        await page.click("nav a[href='/daemons']");
        // Several may be listed, those that have stopped lately, too.
        const running = page.locator("section.panel:has(a.button:has-text('Drain…'))").first();
        const name = await running.locator("h2").innerText();
        const panel = page.locator("section.panel", { has: page.locator(`h2:text-is('${name}')`) });
        await running.locator("a.button:has-text('Drain…')").click();
        await page.waitForSelector("h1:text-matches('^Drain .*[?]$')");
        await page.click("button:text-is('Drain it')");
        await panel.locator(".badge.paused:has-text('draining')").waitFor();
        await panel.locator("button:has-text('Resume')").click();
        await panel.locator(".badge.active:has-text('running')").waitFor();
        // The event names the provisioner as its panel does, and leads there.
        await page.goto("/audit?scope=installation");
        await page.locator(`td a[href^='/daemons#']:has-text('${name}')`).first().click();
        await page.waitForURL(/\/daemons#/);
        await page.waitForSelector(`.panel:target h2:text-is('${name}')`);
    }, { javascript: false });
});
