// Builds a template, sees what the solver says while it is edited, changes it, compares versions and restores the first.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call_api, in_browser, log_in, new_name, someone, take_pictures } from "./support.mjs";

async function fill_general(page, name) {
    await page.goto("/builder/clustertemplates");
    await page.fill("#t-name", name);
    await page.selectOption("select[name='defaults.provider']", "local");
    for (const service of ["web-application", "web-balancer", "web-database"]) {
        await page.check(`input[name='defaults.services'][value='${service}']`);
    }
}

test("an administrator builds a template, compares its versions and restores one", async () => {
    await in_browser(async (page) => {
        const name = new_name("built");
        await log_in(page, someone("admin"));
        await fill_general(page, name);
        await page.fill("[id='t-constraints.size.min']", "1");
        await page.fill("[id='t-constraints.size.max']", "4");
        await page.waitForSelector("#preview .runs");
        await page.click("text=Add a rule");
        // A rule that says nothing yet does not keep from the preview.
        await page.waitForSelector("#preview .runs");
        assert.equal(await page.locator("#preview .problem").count(), 0);
        await page.selectOption("select[name='group.0.kind']", "apart");
        await page.check("input[name='group.0.services'][value='web-application']");
        await page.check("input[name='group.0.services'][value='web-balancer']");
        // Without a minimum one of them gets no machine, and the preview says so.
        await page.waitForSelector("#preview .caution:has-text('No machine runs ')");
        for (const [number, service] of ["web-application", "web-balancer"].entries()) {
            await page.click("text=Add limits of a service");
            await page.selectOption(`select[name='limit.${number}.service']`, service);
            await page.fill(`input[name='limit.${number}.min']`, "1");
        }
        // The preview follows by itself.
        await page.waitForSelector("#preview .impossible");
        assert.match(await page.locator("#preview .impossible h3").first().innerText(), /^1 machine: not possible/);
        assert.equal(await page.locator("#preview .impossible .rules a").first().getAttribute("href"), "#group-0");
        await take_pictures(page, "template-builder");
        await page.fill("#t-note", "The first one");
        await page.click("button.primary");
        await page.waitForURL(`**/catalogue/clustertemplates/${name}`);

        await page.click("main .actions >> text=Edit");
        await page.click("#preview .remedies button[aria-label*='Drop the rule']");
        await page.waitForSelector("#preview .runs");
        assert.equal(await page.locator("#preview .impossible").count(), 0, "the remedy helped");
        assert.equal(await page.locator("select[name='group.0.kind']").count(), 0, "the rule is gone");
        await page.click("button.primary");
        await page.waitForURL(`**/catalogue/clustertemplates/${name}`);

        await page.click("main >> text=Versions");
        await page.click("button:has-text('Compare')");
        await page.waitForSelector(".diff .removed");
        await take_pictures(page, "versions-compared");
        await page.goBack();
        await page.locator("main tbody th a").nth(1).click();
        await page.click("text=Restore >> nth=-1");
        await page.waitForSelector("[role=status]:has-text('Restored as version 3.')");
        await page.click("main >> text=Versions");
        assert.match(await page.locator("main tbody tr").first().innerText(), /restored/);

        await page.goto(`/builder/clustertemplates/${name}`);
        assert.equal(await page.locator("select[name='group.0.kind']").inputValue(), "apart", "the rule is back");
    }, { expected: ["status of 429"] });
});

test("a template without services is saved and says so", async () => {
    await in_browser(async (page) => {
        const name = new_name("bare");
        await log_in(page, someone("admin"));
        await page.goto("/builder/clustertemplates");
        await page.fill("#t-name", name);
        await page.waitForSelector("#no-services:has-text('no default services')");
        await page.click("button.primary");
        await page.waitForURL(`**/catalogue/clustertemplates/${name}`);
        await page.waitForSelector(".note.warn:has-text('no default services')");

        await page.setViewportSize({ width: 390, height: 800 });
        await page.goto(`/builder/clustertemplates/${name}`);
        assert.equal(await page.locator("details.part[open]").count(), 1, "folded on a phone, but for what needs a look");
        assert.equal(await page.locator("#lease-says").innerText(), "No end", "and says what is in it");
        await page.click("#constraints-title");
        await page.click("text=Add a rule");
        await page.waitForSelector(".rule details[open]");
        assert.equal(await page.evaluate(() => document.activeElement.name), "group.0.kind", "the new rule has the focus");
        const wide = await page.evaluate(() => [...document.querySelectorAll(".rule label, .rule button")]
            .filter((label) => label.getBoundingClientRect().right > innerWidth).length);
        assert.equal(wide, 0, "every service of a rule and its Remove are in sight on a phone");
        assert.equal(await page.locator(".rule label >> nth=0").innerText() !== "", true, "and has its name");
    });
});

test("the last sizes stay in sight, marked as such, while a text cannot be read", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        await fill_general(page, new_name("unread"));
        await page.click("#tab-json");
        await page.waitForSelector("#preview .runs");
        const text = await page.inputValue("#t-json");
        await page.fill("#t-json", `${text},`);
        await page.waitForSelector("#preview .runs.outdated");
        assert.match(await page.locator("#preview-state").innerText(), /last template that could be read/);
        assert.equal(await page.locator("#preview .runs button").count(), 0);
        await page.fill("#t-json", text);
        await page.waitForSelector("#preview .runs:not(.outdated)");
    });
});

test("a button waits for the preview under way and is not swallowed by a new one", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        await fill_general(page, new_name("waits"));
        await page.waitForSelector("#preview .runs");
        let under_way = 0;
        let most = 0;
        await page.route("**/builder/clustertemplates/preview", async (route) => {
            most = Math.max(most, ++under_way);
            const answer = await route.fetch();
            await new Promise((resolve) => setTimeout(resolve, 700));
            --under_way;
            await route.fulfill({ response: answer });
        });
        const asked = page.waitForRequest("**/builder/clustertemplates/preview");
        await page.fill("[id='t-constraints.size.max']", "3");
        await asked;
        await page.click("text=Add a link");
        await page.waitForSelector("input[name='link.0.label']");
        assert.equal(most, 1, "the server is asked one thing at a time");

        await page.waitForSelector("#preview .runs");
        const answered = page.waitForResponse("**/builder/clustertemplates/preview");
        await page.fill("[id='t-constraints.size.max']", "2");
        const button = page.locator("#preview button").first();
        await button.hover();
        await page.mouse.down();
        await answered;
        await page.waitForTimeout(200);
        const loaded = page.waitForNavigation();
        await page.mouse.up();
        await loaded;
        await page.unrouteAll({ behavior: "ignoreErrors" });
    }, { expected: ["status of 429"] });
});

test("without JavaScript the buttons do the same", async () => {
    await in_browser(async (page) => {
        const name = new_name("plain");
        await log_in(page, someone("admin"));
        await fill_general(page, name);
        await page.click("#preview button:has-text('Preview')");
        await page.waitForSelector("#preview .runs");
        const draft = page.url();
        assert.match(draft, /\/drafts\/[0-9a-f]{32}\/preview/, "a preview has an address");
        await page.reload();
        await page.waitForSelector("#preview .runs");
        assert.equal(await page.inputValue("#t-name"), name, "nothing that was typed is lost");
        await page.click("button:has-text('Add a rule')");
        await page.waitForSelector("select[name='group.0.kind']");
        await page.goBack();
        assert.equal(page.url(), draft, "Back leads to the preview");
        assert.equal(await page.locator("select[name='group.0.kind']").count(), 0);
        await page.goForward();
        await page.reload();
        assert.equal(await page.locator("select[name='group.0.kind']").count(), 1, "the rule is still there");
        await page.click("button[aria-label='Remove rule 1']");
        await page.click(".tabs button:has-text('JSON')");
        const typed = await page.inputValue("#t-json");
        assert.equal(JSON.parse(typed).name, name);
        await page.fill("#t-json", typed.replace("{", "{,"));
        await page.click("button.primary");
        assert.match(await page.locator("#t-json-problem").innerText(), /Line 1, column 2/);
        await page.fill("#t-json", typed);
        await page.click("button.primary");
        await page.waitForURL(`**/catalogue/clustertemplates/${name}`);
    }, { javascript: false, expected: ["status of 422"] });
});

test("a draft is not offered to users until an administrator offers it", async () => {
    const name = new_name("draft");
    const link = `a[href='/clusters/new?template=${name}']`;
    const is_offered = async () => {
        let links = 0;
        await in_browser(async (page) => {
            await log_in(page, someone("user"));
            await page.goto("/templates");
            links = await page.locator(link).count();
        });
        return links > 0;
    };
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        await fill_general(page, name);
        await page.click("button:text-is('Save as a draft')");
        await page.waitForURL(`**/catalogue/clustertemplates/${name}`);
        await page.waitForSelector("h2:text-is('Draft')");
        assert.ok(!await is_offered(), "users are not offered it");

        await page.click("a:text-is('Offer it to everybody')");
        await page.waitForSelector("h1:has-text('to everybody?')");
        await page.click("button:text-is('Offer it to everybody')");
        await page.waitForSelector("[role=status]:has-text('It is offered to everybody now.')");
        assert.ok(await is_offered());
        await page.goto(`/catalogue/clustertemplates/${name}`);
        assert.equal(await page.locator("h2:text-is('Draft')").count(), 0);
    }, { expected: ["status of 429"] });
});

test("a change to an offered template is kept as a draft, compared and put to use", async () => {
    await in_browser(async (page) => {
        const name = new_name("changed");
        const there = `**/catalogue/clustertemplates/${name}`;
        await log_in(page, someone("admin"));
        await fill_general(page, name);
        await page.click("button.primary:has-text('Create')");
        await page.waitForURL(there);

        await page.goto(`/builder/clustertemplates/${name}`);
        await page.fill("#t-label", "Prepared");
        await page.click("button:text-is('Keep as a draft')");
        await page.waitForURL(`${there}/draft`);
        await page.waitForSelector("[role=status]:has-text('Kept as a draft.')");
        await page.waitForSelector("table.values td:has-text('Prepared')");
        await page.click("a:text-is('Change the draft')");
        await page.fill("#t-description", "For the sale");
        await page.click("button:text-is('Keep the draft')");
        await page.waitForURL(`${there}/draft`);
        await page.waitForSelector("table.values td:has-text('For the sale')");
        await page.goto("/catalogue/clustertemplates");
        assert.equal(await page.locator(`tr:has(a:text-is('${name}')) .badge`).innerText(), "Draft of a change");
        assert.equal(await page.locator(`a:text-is('${name}.draft')`).count(), 0, "a draft is no entry");
        await page.goto(`/catalogue/clustertemplates/${name}`);
        assert.equal(await page.locator("h1").innerText(), name, "the template is as it was");
        await page.click("a:text-is('Compare the draft')");
        await page.click("button:text-is('Put it to use')");
        await page.waitForURL(there);
        await page.waitForSelector("h1:text-is('Prepared')");
        assert.equal(await page.locator("a:text-is('Compare the draft')").count(), 0, "the draft is gone");
    }, { expected: ["status of 429"] });
});

for (const javascript of [true, false]) {
    test(`Enter in a field saves nothing but previews, ${javascript ? "with" : "without"} scripts`, async () => {
        await in_browser(async (page, context) => {
            await log_in(page, someone("admin"));
            await page.goto("/builder/clustertemplates/web");
            await page.fill("#t-label", "By Enter");
            await page.press("#t-label", "Enter");
            if (javascript) {
                await page.waitForFunction(() => document.activeElement.id === "preview-title");
            } else {
                await page.waitForURL("**/drafts/*/preview*");
            }
            await page.waitForSelector("#preview .runs");
            assert.equal(await page.inputValue("#t-label"), "By Enter");
            const other = await context.newPage();
            await other.goto("/catalogue/clustertemplates/web");
            assert.notEqual(await other.locator("h1").innerText(), "By Enter", "users keep what they have");
        }, { javascript, expected: ["status of 429"] });
    });
}

test("nobody else sees a draft", async () => {
    let draft = "";
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        await fill_general(page, new_name("mine"));
        await page.click("text=Add a rule");
        await page.waitForURL("**/drafts/*");
        draft = new URL(page.url()).pathname;
    }, { expected: ["status of 429"] });
    await in_browser(async (page) => {
        await log_in(page, someone("superadmin", "superadmin"));
        await page.goto(draft);
        await page.waitForSelector("h1:has-text('What you typed is no longer kept')");
        assert.equal(await page.locator("#template-form").count(), 0, "nothing of somebody else's draft is shown");
    }, { expected: ["status of 404"] });
});

test("two administrators do not overwrite each other", async () => {
    await in_browser(async (page, context) => {
        const name = new_name("shared");
        await log_in(page, someone("admin"));
        await fill_general(page, name);
        await page.click("button.primary");
        await page.waitForURL(`**/catalogue/clustertemplates/${name}`);
        const other = await context.newPage();
        await other.goto(`/builder/clustertemplates/${name}`);
        await page.goto(`/builder/clustertemplates/${name}`);
        await page.fill("#t-label", "Mine");
        await page.click("button.primary");
        await page.waitForURL(`**/catalogue/clustertemplates/${name}`);
        await other.fill("#t-label", "Theirs");
        await other.click("button.primary");
        await other.waitForSelector("#newer");
        assert.equal(await other.inputValue("#t-label"), "Theirs", "what was typed is still there");
    }, { expected: ["status of 409", "status of 429"] });
});

test("what two put into one draft is merged, and asked about where both changed the same", async () => {
    await in_browser(async (page, context) => {
        const name = new_name("merged");
        const builder = `/builder/clustertemplates/${name}`;
        const draft = `**/catalogue/clustertemplates/${name}/draft`;
        await log_in(page, someone("admin"));
        await fill_general(page, name);
        await page.click("button.primary");
        await page.waitForURL(`**/catalogue/clustertemplates/${name}`);
        await page.goto(builder);
        await page.fill("#t-label", "First");
        await page.click("button:text-is('Keep as a draft')");
        await page.waitForURL(draft);
        const other = await context.newPage();
        await other.goto(`${builder}?of=draft`);
        await page.goto(builder);
        await page.fill("#t-description", "Beside it");
        await page.click("button:text-is('Keep in the draft')");
        await page.waitForSelector("[role=status]:has-text('merged with what others put into it: Label')");

        await other.fill("#t-label", "Second");
        await other.click("button:text-is('Keep the draft')");
        await other.waitForSelector("[role=status]:has-text('merged with what others put into it: Description')");
        await page.goto(builder);
        await page.fill("#t-label", "Third");
        await page.click("button:text-is('Keep in the draft')");
        await page.waitForSelector("#newer li:has-text('Third below, Second in the draft')");
        assert.equal(await page.inputValue("#t-description"), "Beside it");
        await page.click("button:text-is('Keep the draft')");
        await page.waitForSelector("table.values td:has-text('Third')");
    }, { expected: ["status of 409", "status of 429"] });
});

test("a template that was not changed gets no new version", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        await page.goto("/builder/clustertemplates/web");
        await page.click("button:text-is('Save')");
        await page.waitForURL("**/catalogue/clustertemplates/web");
        await page.waitForSelector("text=Nothing was changed.");
        await page.goto("/builder/clustertemplates/web");
        await page.click("button:text-is('JSON')");
        await page.waitForSelector("textarea[name=json]");
        await page.click("button:text-is('Save')");
        await page.waitForURL("**/catalogue/clustertemplates/web");
    });
});

test("what a template has from another says so on its own page", async () => {
    const parent = new_name("parent");
    const heir = new_name("heir");
    const web = await call_api(someone("admin"), "GET", "/v2/clustertemplates/web");
    delete web.version;
    await call_api(someone("admin"), "POST", "/v2/clustertemplates", { ...web, name: parent });
    await call_api(someone("admin"), "POST", "/v2/clustertemplates", { name: heir, description: "", extends: { name: parent } });
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        for (const entry of ["services/web-application", "hardwaretypes/small", "imagetypes/debian12", "providers/local", `clustertemplates/${parent}`]) {
            const answer = await page.goto(`/catalogue/${entry}`);
            assert.equal(answer.status(), 200, entry);
        }
        await page.goto("/catalogue/services/web-application");
        await page.waitForSelector(`li:has(a:text-is('${heir}')):has-text('inherits it')`);
    });
});

test("the list of templates names the sizes that are not possible", async () => {
    const name = new_name("tight");
    const admin = someone("admin");
    const web = await call_api(admin, "GET", "/v2/clustertemplates/web");
    delete web.version;
    const constraints = { ...web.constraints, size: { min: 2, max: 10 } };
    await call_api(admin, "POST", "/v2/clustertemplates", { ...web, name, constraints });
    const row = `tr:has(a:text-is('${name}'))`;
    await in_browser(async (page) => {
        await log_in(page, admin);
        // Its page works the sizes out, if no provisioner has done so yet.
        await page.goto(`/catalogue/clustertemplates/${name}`);
        await page.goto("/catalogue/clustertemplates");
        await page.waitForSelector(`${row} .caution:text-is('2 machines: not possible.')`);
        await page.click("nav a:has-text('With problems')");
        await page.waitForURL("**problems=yes");
        await page.waitForSelector(row);
    });
    await call_api(admin, "DELETE", `/v2/clustertemplates/${name}`);
});
