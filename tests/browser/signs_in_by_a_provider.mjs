// Sign-in at an identity provider in a real browser: npm's oidc-provider, which is told who comes. The set has `auth.plain_loopback = on` and its own
// address in `web.address` (tests/job/set_up.sh).
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { access, in_browser, log_in, new_name, someone, take_pictures } from "./support.mjs";

const site = access.url.replace(/\/$/, "");
const repo = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const name = new_name("corp");
let peer;
let issuer;

async function call(method, route, body, status = 200) {
    const root = someone("superadmin", "superadmin");
    const answer = await fetch(site + route, {
        method,
        headers: { "Coopr-UserID": root.user, "Coopr-TenantID": root.tenant, "Coopr-ApiKey": root.apikey },
        body: body ? JSON.stringify(body) : undefined,
    });
    const text = await answer.text();
    assert.equal(answer.status, status, text);
    return text ? JSON.parse(text) : undefined;
}

// The provider's own pages want a font from elsewhere.
const fonts = "fonts.googleapis.com";
// They have no icon, for which a browser asks when it likes.
const icon = "favicon.ico";
const tell = async (what) => assert.equal((await fetch(`${issuer}/-/${what}`)).status, 200);

before(async () => {
    peer = spawn("python3", [path.join(repo, "tests/support/identity/oidc_peer.py"), `${site}/login/callback/${name}`, `${site}/login/backchannel`],
        { stdio: ["pipe", "pipe", "inherit"] });
    const [port] = await once(createInterface(peer.stdout), "line");
    issuer = `http://127.0.0.1:${port}`;
});

after(async () => {
    for (const user of ["anna", "bob_example.com"]) await call("DELETE", `/v2/tenants/demo/users/${user}`);
    peer.kill();
});

test("a superadmin adds a provider on its page and tries it", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("superadmin", "superadmin"));
        await page.click("nav >> text=Access");
        await page.click("nav >> text=Identity providers");
        await take_pictures(page, "identity-providers-none");
        await page.click("text=New OpenID Connect provider");
        await page.fill("#provider-name", name);
        await page.fill("#provider-label", "Corp");
        await page.fill("#provider-issuer", `${issuer}/wrong`);
        await page.fill("#provider-clientId", "cooperage");
        await page.click("#more-settings > summary");
        await page.fill("#provider-scopes", "openid profile groups");
        await page.fill("#provider-secret", "a secret & more");
        const fill_rule = async (row, value, tenant, role) => {
            await page.locator("input[name='rule.value']").nth(row).fill(value);
            await page.locator("select[name='rule.tenant']").nth(row).selectOption(tenant);
            await page.locator("select[name='rule.role']").nth(row).selectOption(role);
        };
        await fill_rule(0, "staff", "", "user");
        await page.click("button:has-text('Add a rule')");
        await fill_rule(1, "admins", "demo", "admin");
        await page.click("button:has-text('Move up')");
        assert.equal(await page.locator("input[name='rule.value']").first().inputValue(), "admins");
        assert.match(await page.innerText("#redirect-address"), new RegExp(`/login/callback/${name}$`), "the address is complete before anything is saved");
        await page.click("button:has-text('Test the connection')");
        await page.waitForSelector("text=The connection does not work yet");
        await page.waitForSelector("text=Nothing is saved yet");
        await take_pictures(page, "identity-provider-fails");
        await page.fill("#provider-issuer", issuer);
        await page.click("button:has-text('Test the connection')");
        await page.waitForSelector("text=The provider responds");
        assert.equal(await page.inputValue("#provider-secret"), "a secret & more", "what was typed is not lost");
        await page.click("button.primary");
        await page.waitForSelector("#rule-1-tenant-problem");
        await take_pictures(page, "identity-provider-problems");
        await fill_rule(1, "staff", "demo", "user");
        await page.click("button.primary");
        await page.waitForSelector("[role=status]:has-text('saved. It responds.')");
        await page.click("button:has-text('Test the connection')");
        await page.waitForSelector("text=The provider responds");
        await take_pictures(page, "identity-provider");
    }, { javascript: false, expected: ["422"] });
});

test("somebody logs in there, has the role of their groups, proves who they are and logs out of both", async () => {
    await tell("set?person=sub-ann");
    await in_browser(async (page) => {
        await page.goto("/catalogue/providers");
        await take_pictures(page, "login-ways");
        await page.click("text=Log in with Corp");
        await page.waitForURL(/\/catalogue\/providers$/);
        assert.match(await page.innerText(".who"), /anna/);

        await page.goto("/profile/password");
        await page.waitForSelector("text=Your password is managed elsewhere");
        await page.goto("/profile/proof?next=/profile");
        await page.click("text=Go to Corp");
        await page.waitForURL(/\/profile$/);
        await page.click(".who button");
        await page.waitForSelector("text=You are logged out here");
        await take_pictures(page, "logged-out");
        await page.click("text=Also log out of Corp");
        await page.waitForURL(new RegExp(`^${issuer}/session/end`));
    }, { javascript: false, expected: [fonts, icon] });
});

for (const javascript of [true, false]) {
    test(`a form that is sent after the session has ended comes back after a log-in there, scripts ${javascript ? "on" : "off"}`, async () => {
        await tell("set?person=sub-ann");
        await in_browser(async (page, context) => {
            const cluster = new_name("late");
            await page.goto("/login");
            await page.click("text=Log in with Corp");
            await page.waitForURL((url) => url.pathname === "/");
            await page.goto("/clusters/new?template=web");
            await page.fill("#inputClusterName", cluster);
            await context.clearCookies();
            await page.click("button:text-is('Preview')");
            await page.waitForSelector("text=Your session has ended");
            if (javascript) await take_pictures(page, "login-ways-with-a-form");
            await page.click("button:text-is('Log in with Corp')");
            await page.waitForSelector("h1:has-text('Send your form now?')");
            await page.click("button:has-text('Send')");
            await page.waitForSelector(`h1:has-text('Preview: ${cluster}')`);
        }, { javascript, expected: ["status of 403", fonts, icon] });
    });
}

test("a session ends when the provider ends it", async () => {
    await tell("set?person=sub-bob");
    await in_browser(async (page) => {
        await page.goto("/login");
        await page.click("text=Log in with Corp");
        await page.waitForURL((url) => url.pathname === "/");
        await page.goto(`${issuer}/session/end`);
        await page.click("button[name=logout]");
        await page.waitForURL(/\/session\/end\/success/);
        await page.goto("/clusters");
        await page.waitForURL(/\/login/);
    }, { expected: ["400", "404", fonts, icon] });
});

test("who has no place is told so, and an old answer is worth nothing", async () => {
    await tell("set?person=sub-eve");
    await in_browser(async (page) => {
        let callback;
        page.on("request", (request) => {
            if (request.url().includes("/login/callback")) callback = request.url();
        });
        await page.goto("/login");
        await page.click("text=Log in with Corp");
        await page.waitForSelector("text=None of your groups has a place here");
        await take_pictures(page, "login-no-place");
        await page.goto(callback);
        await page.waitForSelector("text=That took too long. Log in again.");
    }, { expected: ["403", "422"] });
});

test("a provider is deleted after a question that says whom it locks", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("superadmin", "superadmin"));
        await page.goto(`/identity-providers/${name}`);
        await page.click("text=Delete…");
        await page.waitForSelector("text=2 users will be locked");
        await take_pictures(page, "identity-provider-delete");
        await page.click("text=Keep it");
        await page.waitForURL(new RegExp(`/identity-providers/${name}$`));
        await page.click("text=Delete…");
        await page.click("button.danger");
        await page.waitForSelector(`[role=status]:has-text('Identity provider ${name} deleted. 2 users are locked.')`);
        assert.equal(await page.locator(`th a:text-is('${name}')`).count(), 0);
    }, { javascript: false });
});
