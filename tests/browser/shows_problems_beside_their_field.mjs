// A wrong request comes back as the same form: the message beside its field, announced, and nothing typed is lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { in_browser, log_in, someone, take_pictures } from "./support.mjs";

// Browsers log every answer of 422 as an error; here it is what should happen.
const expected = ["status of 422"];

async function message_beside(page, selector) {
    const field = page.locator(selector);
    assert.equal(await field.getAttribute("aria-invalid"), "true", `${selector} is marked as wrong`);
    const ids = (await field.getAttribute("aria-describedby")).split(" ");
    const problem = ids.find((id) => id.endsWith("-problem"));
    assert.ok(problem, `${selector} is described by its problem`);
    return page.locator(`[id="${problem}"]`).innerText();
}

/// Sends the form as it is, past the checks of the browser.
async function send_unchecked(page) {
    await page.evaluate(() => { document.querySelector("main form").noValidate = true; });
    await page.click("main form button.primary");
    await page.waitForSelector("#problems");
}

test("a wrong password is told without telling which part is wrong", async () => {
    await in_browser(async (page) => {
        const user = someone("user");
        await page.goto("/login");
        await page.fill("#loginUsername", user.user);
        await page.fill("#loginTenant", user.tenant);
        await page.fill("#loginPassword", "certainly not this");
        await page.click("text=Log in");
        await page.waitForSelector("#problems");

        const told = page.locator("text=Incorrect user name, tenant or password.");
        assert.equal(await told.count(), 1, "once, and beside no field");
        assert.equal(await page.locator("[aria-invalid=true]").count(), 0);
        assert.equal(await page.inputValue("#loginUsername"), user.user, "the user name is kept");
        assert.equal(await page.inputValue("#loginPassword"), "", "the password is not sent back");
        await take_pictures(page, "login-problem");
    }, { expected });
});

test("every problem of a new cluster stands beside its field and nothing is lost", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters/new?template=web");
        await page.fill("#inputClusterName", "");
        await page.fill("#inputClusterNumMachines", "0");
        await page.fill("#inputClusterDescription", "<b>kept & escaped</b>");
        await page.click("details.more > summary");
        await page.fill("#inputClusterConfig", "{ this is no JSON");
        await send_unchecked(page);

        assert.match(await message_beside(page, "#inputClusterName"), /name/i);
        assert.match(await message_beside(page, "#inputClusterNumMachines"), /^Enter a whole number: 3 to 10 machines\.$/);
        assert.match(await message_beside(page, "#inputClusterConfig"), /^Line 1, column 4: /);
        assert.ok(await page.locator("#inputClusterConfig").isVisible(), "the advanced part is open where the problem is");
        assert.equal(await page.inputValue("#inputClusterDescription"), "<b>kept & escaped</b>");
        assert.equal(await page.inputValue("#inputClusterConfig"), "{ this is no JSON");
        await page.click("#problems a[href='#inputClusterConfig']");
        assert.equal(await page.evaluate(() => document.activeElement.id), "inputClusterConfig",
            "the summary leads to the field");
        await take_pictures(page, "new-cluster-problems");
    }, { expected });
});

test("a wrong value in a closed part of the form opens that part", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters/new?template=web");
        const part = page.locator("details.more").first();
        await part.locator("summary").first().click();
        await page.fill("#inputClusterName", "closed");
        await page.fill("[name=leaseDays]", "-1");
        await part.locator("summary").first().click();
        assert.equal(await part.getAttribute("open"), null);

        await page.click("#new-cluster button.primary");
        await page.waitForSelector("#lease-problem");

        assert.match(await page.textContent("#lease-problem"), /whole numbers, 0 or more/);
        assert.notEqual(await page.locator("details.more").first().getAttribute("open"), null, "the part is open");
        assert.equal(await page.inputValue("[name=leaseDays]"), "-1");
    }, { expected });
});

test("a number of machines the template does not allow is refused with the reason", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters/new?template=web");
        await page.fill("#inputClusterName", "too-large");
        await page.fill("#inputClusterNumMachines", "100000");
        await send_unchecked(page);

        assert.ok((await message_beside(page, "#inputClusterNumMachines")).length > 5);
        assert.equal(await page.inputValue("#inputClusterNumMachines"), "100000");
    }, { expected });
});

test("a cluster that is not there is a page that says so", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        const answer = await page.goto("/clusters/99999999");
        assert.equal(answer.status(), 404);
        assert.match(await page.locator("h1").innerText(), /no such cluster/i);
        await take_pictures(page, "not-found");
    }, { expected: ["status of 404"] });
});

test("values of a provider and of an action that their types do not take are told all at once", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        await page.goto("/catalogue/new/providers?providertype=simulated");
        await page.click("#more-settings > summary");
        await page.fill("#entry-provisioner\\.simulated_boot_ms", "a while");
        await page.fill("#entry-provisioner\\.simulated_quota_percent", "101");
        await send_unchecked(page);
        assert.match(await message_beside(page, "#entry-provisioner\\.simulated_boot_ms"), /Must be a whole number from 0 to 86400000/);
        assert.match(await message_beside(page, "#entry-provisioner\\.simulated_quota_percent"), /Must be a whole number from 0 to 100/);
        assert.notEqual(await message_beside(page, "#entry-name"), "", "the missing name is told with them");
        assert.equal(await page.inputValue("#entry-provisioner\\.simulated_boot_ms"), "a while");
        await take_pictures(page, "provider-problems");

        await page.goto("/catalogue/new/services");
        await page.selectOption("#entry-provisioner\\.actions\\.install\\.type", "simulated");
        await page.waitForSelector("#entry-provisioner\\.actions\\.install\\.fields\\.lines");
        await page.fill("#entry-provisioner\\.actions\\.install\\.fields\\.lines", "many");
        await page.fill("#entry-provisioner\\.actions\\.install\\.fields\\.fail_percent", "%nothing%");
        await send_unchecked(page);
        assert.match(await message_beside(page, "#entry-provisioner\\.actions\\.install\\.fields\\.lines"), /Must be a whole number/);
        assert.equal(await page.getAttribute("#entry-provisioner\\.actions\\.install\\.fields\\.fail_percent", "aria-invalid"), null,
            "a macro is looked at when it is expanded");
    }, { expected });
});
