// Roles, groups and permissions: administrators make users and groups and permit a template to some; others do not see it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { access, in_browser, log_in, new_name, someone, take_pictures } from "./support.mjs";

const nora = { tenant: "demo", user: new_name("nora"), password: "" };
const group = new_name("group");
const chosen = "logs flow down the river";

async function prove(page) {
    if (!page.url().includes("/profile/proof")) return;
    await page.fill("#input-password", someone("admin").password);
    await page.click("button.primary");
}

after(async () => {
    const root = someone("superadmin", "superadmin");
    const url = `${access.url.replace(/\/$/, "")}/v2/tenants/demo/users/${nora.user}`;
    await fetch(url, { method: "DELETE", headers: { "Coopr-UserID": root.user, "Coopr-TenantID": root.tenant, "Coopr-ApiKey": root.apikey } });
});

test("an administrator makes a user and a group, and permits a template to the group only, without scripts", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        await page.goto("/people");
        await page.fill("#name", nora.user);
        await page.selectOption("#role", "operator");
        await page.click("text=Create user");
        await prove(page);
        if (await page.locator("code.secret").count() === 0) {
            await page.goto("/people");
            await page.fill("#name", nora.user);
            await page.selectOption("#role", "operator");
            await page.click("text=Create user");
        }
        nora.password = await page.innerText("code.secret");
        assert.match(await page.innerText(".lede"), /operator/);
        await page.click("summary:has-text('Change the role')");
        await page.selectOption("#role", "user");
        await page.click("button:has-text('Change the role')");
        await page.waitForSelector(`[role=status]:has-text('${nora.user} is now user of demo')`);
        assert.match(await page.innerText(".lede"), /^user/);

        await page.goto("/groups");
        await page.fill("#group-name", group);
        await take_pictures(page, "groups");
        await page.click("text=Create group");
        await page.waitForSelector("text=Group created");
        await page.fill("#group-add", `nobody-of-this-name, ${someone("user").user}`);
        await page.click("button:has-text('Add to the group')");
        await page.waitForSelector("#group-add-problem");
        await page.waitForSelector("text=This group has no members.");
        await page.fill("#group-add", `${someone("user").user}, ${someone("admin").user}`);
        await page.click("button:has-text('Add to the group')");
        await page.waitForSelector(`.rows >> text=${someone("user").user}`);
        await take_pictures(page, "group");
        await page.click(`.rows li:has-text('${someone("admin").user}') button`);
        await page.waitForSelector(`.rows li:has-text('${someone("admin").user}')`, { state: "detached" });
        await page.fill("#group-description", "Who may use it");
        await page.click("button:text-is('Save')");
        await page.waitForSelector(".lede:text-is('Who may use it')");
        await page.waitForSelector(`.rows >> text=${someone("user").user}`);

        await page.goto("/permissions");
        await take_pictures(page, "permissions");
        assert.equal(await page.locator("thead >> text=Auditor").count(), 1);
        await page.click("a[href='/permissions/clustertemplates/web']");
        await page.check("input[value=some]");
        await page.check(`input[name=groups][value="${group}"]`);
        await page.click("text=Save");
        await page.waitForSelector("text=Permission saved");
        await take_pictures(page, "permission");
    }, { javascript: false, expected: ["422"] });
});

test("who is not in the group does not see the template; who is does", async () => {
    await in_browser(async (page) => {
        await log_in(page, nora);
        await page.fill("#input-current", nora.password);
        await page.fill("#input-wanted", chosen);
        await page.fill("#input-repeated", chosen);
        await page.click("button.primary");
        await page.goto("/templates");
        assert.equal(await page.locator("a[href='/clusters/new?template=web']").count(), 0);
        await page.goto("/permissions");
        await page.waitForSelector("text=What you may use");
        await take_pictures(page, "permissions-user");
        const answer = await page.goto("/permissions/clustertemplates/web");
        assert.equal(answer.status(), 403);
    }, { expected: ["status of 403"] });
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/templates");
        assert.equal(await page.locator("a[href='/clusters/new?template=web']").count(), 1);
    });
});

test("everybody again, and the group is deleted", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        await page.goto("/permissions/clustertemplates/web");
        await page.check("input[value=everybody]");
        await page.click("button:text-is('Save')");
        await page.waitForSelector(".lede:text-is('Now: everybody.')");
        const box = page.locator("input[name=roles]").first();
        assert.ok(!await box.isVisible(), "what has no effect is not offered");
        // As a browser sends it that does not hide them.
        await box.evaluate((role) => { role.checked = true; });
        await page.click("button:text-is('Save')");
        await page.waitForSelector("#whom-problem");
        assert.ok(await page.isChecked("input[value=some]"), "who ticks somebody means them");
        await page.uncheck("input[name=roles] >> nth=0");
        await page.check("input[value=everybody]");
        await page.click("button:text-is('Save')");
        await page.waitForSelector(".lede:text-is('Now: everybody.')");
        await page.goto(`/groups/${group}`);
        await page.click("summary:has-text('Delete the group')");
        await page.click("button:has-text('Delete the group')");
        await page.waitForSelector("[role=status]:has-text('deleted')");
    }, { expected: ["status of 422"] });
});
