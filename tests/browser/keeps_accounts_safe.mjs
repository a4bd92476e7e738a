// What people do with their own account: sessions, keys, passwords, a second factor; and what administrators do for them.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { access, in_browser, log_in, new_name, someone, take_pictures } from "./support.mjs";

const grace = { tenant: "demo", user: new_name("grace"), password: "" };
const of_grace = `${access.url.replace(/\/$/, "")}/v2/tenants/demo/users`;

async function as_superadmin(method, path, body) {
    const root = someone("superadmin", "superadmin");
    const answer = await fetch(of_grace + path, {
        method,
        headers: { "Coopr-UserID": root.user, "Coopr-TenantID": root.tenant, "Coopr-ApiKey": root.apikey },
        body: body ? JSON.stringify(body) : undefined,
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return text ? JSON.parse(text) : undefined;
}

function code_of(secret) {
    const digits = [...secret.replaceAll(" ", "")].map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0")).join("");
    const key = Buffer.from(digits.match(/.{8}/g).map((bits) => parseInt(bits, 2)));
    const step = Buffer.alloc(8);
    step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
    const digest = createHmac("sha1", key).update(step).digest();
    return ((digest.readUInt32BE(digest.at(-1) & 15) & 0x7fffffff) % 1_000_000).toString().padStart(6, "0");
}

/// The code of the step after this one, in that step: codes count once, and none counts early.
async function next_code_of(secret) {
    const used = code_of(secret);
    while (code_of(secret) === used) await new Promise((wake) => setTimeout(wake, 500));
    return code_of(secret);
}

before(async () => {
    await as_superadmin("POST", "", { name: grace.user });
    grace.password = (await as_superadmin("POST", `/${grace.user}/password`)).password;
});

after(() => as_superadmin("DELETE", `/${grace.user}`));

test("an initial password is changed, a key made, a second factor set up and used, without scripts", async () => {
    await in_browser(async (page, context) => {
        await log_in(page, grace);
        assert.ok(page.url().endsWith("/profile/password"), "the password has to be changed first");
        await page.fill("#input-current", grace.password);
        await page.fill("#input-wanted", "password1234");
        await page.fill("#input-repeated", "password1234");
        await page.click("button.primary");
        await page.waitForSelector("#input-wanted-problem");
        await take_pictures(page, "profile-password");
        await page.fill("#input-current", grace.password);
        grace.password = "rivers run past mills";
        await page.fill("#input-wanted", grace.password);
        await page.fill("#input-repeated", grace.password);
        await page.click("button.primary");
        await page.waitForURL(/\/$/);

        await page.goto("/profile");
        await page.fill("#input-name", "of-the-page");
        await page.click("text=Create key");
        await page.waitForSelector("text=Your new API key");
        await take_pictures(page, "profile");

        await page.click("text=Set up");
        const secret = await page.innerText("code.secret");
        assert.ok(await page.locator("svg.qr path").isVisible());
        await take_pictures(page, "profile-factor");
        await page.fill("#input-code", code_of(secret));
        await page.click("text=Turn on");
        const codes = await page.locator(".recovery-codes li").allInnerTexts();
        assert.equal(codes.length, 10);
        await take_pictures(page, "profile-recovery-codes");
        await page.click(".who button");

        await log_in_to_second_step(page);
        await take_pictures(page, "login-code");
        await page.fill("#input-code", await next_code_of(secret));
        await page.click("button.primary");
        await page.waitForURL((url) => url.pathname === "/");

        // A form of a session that has ended comes back after both steps, and a recovery code is said to be used up.
        await page.goto("/clusters/new?template=web");
        await page.fill("#inputClusterName", new_name("second"));
        await context.clearCookies();
        await page.click("button:text-is('Preview')");
        await page.waitForSelector("text=Your session has ended");
        await fill_log_in(page, grace);
        await page.waitForSelector("h1:text-is('Enter your second factor')");
        await page.fill("#input-code", codes[0].trim());
        await page.click("button.primary");
        await page.waitForSelector(".note:has-text('9 recovery codes left')");
        await take_pictures(page, "profile-after-a-recovery-code");
        await page.click("a:text-is('Go on')");
        await page.waitForSelector("h1:has-text('Send your form now?')");
    }, { javascript: false, expected: ["422", "403"] });
});

async function log_in_to_second_step(page) {
    await page.goto("/login");
    await fill_log_in(page, grace);
    await page.waitForURL(/\/login\/code/);
}

test("a security key is added, asked for at login and before something dangerous, and removed", async () => {
    const here = access.url.replace("127.0.0.1", "localhost");
    await in_browser(async (page, context) => {
        const browser = await context.newCDPSession(page);
        await browser.send("WebAuthn.enable");
        await browser.send("WebAuthn.addVirtualAuthenticator", {
            options: { protocol: "ctap2", transport: "usb", hasUserVerification: false, isUserVerified: false, automaticPresenceSimulation: true },
        });
        const user = someone("user");
        await page.goto(`${here}/login`);
        await fill_log_in(page, user);
        await page.waitForURL((url) => url.pathname === "/");
        await page.goto(`${here}/profile/factor`);
        await page.fill("#input-name", "the blue one");
        await take_pictures(page, "profile-security-keys");
        await page.click("text=Add a security key");
        await page.waitForSelector(".recovery-codes li");
        assert.equal(await page.locator(".recovery-codes li").count(), 10);
        await page.click("text=Continue");
        await page.click(".who button");

        await page.goto(`${here}/login`);
        await fill_log_in(page, user);
        await page.waitForURL(/\/login\/code/);
        await take_pictures(page, "login-security-key");
        await page.click("#use-security-key");
        await page.waitForURL((url) => url.pathname === "/");

        await page.goto(`${here}/profile/proof?next=/profile/factor`);
        await page.click("#use-security-key");
        await page.waitForURL(/\/profile\/factor$/);
        await take_pictures(page, "profile-factor-with-key");
        await page.fill("#input-name", "the same again");
        await page.click("text=Add a security key");
        await page.waitForSelector("text=This key is known already.");
        await page.click("text=Remove the key the blue one");
        await page.waitForSelector("text=Remove the key the blue one", { state: "detached" });
    }, { expected: ["credential"] });
});

async function fill_log_in(page, user) {
    await page.fill("#loginUsername", user.user);
    await page.fill("#loginTenant", user.tenant);
    await page.fill("#loginPassword", user.password);
    await page.click("button.primary");
}

test("an administrator decides who needs a second factor", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        for (const who of ["everybody", "nobody"]) {
            // Afresh, so that the message is not the one of the time before.
            await page.goto("/people");
            await page.selectOption("#input-who", who);
            await page.click("text=Save");
            await page.waitForSelector("text=The change applies when each user");
            assert.equal(await page.inputValue("#input-who"), who);
        }
    }, { javascript: false });
});

test("an administrator sees who is logged in, takes a factor away and ends sessions", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        await page.click("nav >> text=Access");
        await page.click("nav >> text=Users");
        await take_pictures(page, "people");
        await page.click(`text=${grace.user}`);
        await take_pictures(page, "person");
        await page.click("text=Remove the second factor");
        await page.waitForSelector(`h1:text-is('Remove the second factor of ${grace.user}?')`);
        await take_pictures(page, "person-remove-factor");
        await page.click("button:text-is('Remove the second factor')");
        await page.waitForSelector("[role=status]:has-text('removed')");
        await page.click("text=Set an initial password");
        await page.click("button:has-text('Replace the password')");
        await page.waitForSelector("code.secret");
        await take_pictures(page, "person-initial-password");
    });
});

test("an administrator deletes a user after a question that says what becomes of them", async () => {
    await in_browser(async (page) => {
        const name = new_name("leaver");
        await log_in(page, someone("admin"));
        await page.goto("/people");
        await page.fill("#name", name);
        await page.click("text=Create user");
        await page.waitForSelector("code.secret");
        await page.click("a.quiet-danger:text-is('Delete')");
        await page.waitForSelector(`h1:text-is('Delete ${name}?')`);
        await take_pictures(page, "person-delete");
        await page.click("text=Keep the user");
        await page.waitForSelector(`h1:text-is('${name}')`);
        await page.goto(`/people/${name}/delete`);
        await page.click("button.danger");
        await page.waitForSelector("[role=status]:has-text('deleted')");
        assert.equal(await page.locator(`th a:text-is('${name}')`).count(), 0);

        await page.goto(`/people/${someone("admin").user}/delete`);
        await page.waitForSelector("[role=alert]:has-text('You cannot delete yourself')");
        assert.equal(await page.locator("button.danger").count(), 0, "nobody deletes themselves");
    }, { javascript: false });
});

test("a password is asked for again before something dangerous", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/profile/proof?next=/profile");
        await take_pictures(page, "profile-proof");
        await page.fill("#input-password", "not this one");
        await page.click("button.primary");
        await page.waitForSelector("#input-password-problem");
        await page.fill("#input-password", someone("user").password);
        await page.click("button.primary");
        await page.waitForURL(/\/profile$/);
    }, { expected: ["422"] });
});
