// Forms forgive: a session that has ended, a page that is out of date, a second press and the browser's own buttons lose nothing.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { in_browser, log_in, new_name, someone, take_pictures } from "./support.mjs";

const expected = ["status of 403"];

async function fill_log_in(page, user) {
    await page.fill("#loginUsername", user.user);
    await page.fill("#loginTenant", user.tenant);
    await page.fill("#loginPassword", user.password);
    await page.click("button:text-is('Log in')");
}

for (const javascript of [true, false]) {
    test(`a form that is sent after the session has ended comes back after the login, scripts ${javascript ? "on" : "off"}`, async () => {
        await in_browser(async (page, context) => {
            const user = someone("user");
            const name = new_name("late");
            await log_in(page, user);
            await page.goto("/clusters/new?template=web");
            await page.fill("#inputClusterName", name);
            await context.clearCookies();
            await page.click("button:text-is('Preview')");
            await page.waitForSelector("text=Your session has ended");
            if (javascript) await take_pictures(page, "login-with-a-form");
            await fill_log_in(page, user);
            await page.waitForSelector("h1:has-text('Send your form now?')");
            if (javascript) await take_pictures(page, "kept-form");
            await page.reload();
            await page.click("button:has-text('Send')");
            await page.waitForSelector(`h1:has-text('Preview: ${name}')`);
        }, { javascript, expected });
    });
}

/// As if nobody had given a password in this browser for the time that a proof counts. Other tests run at the same time, in others.
function age_proofs(agent) {
    const socket = path.join(path.dirname(process.env.COOPERAGE_ACCESS), "run/database/db.sock");
    execFileSync("mariadb", ["--no-defaults", `--socket=${socket}`, "--user=root", "cooperage", "-e",
        `UPDATE session SET proven_at = proven_at - INTERVAL 1 HOUR WHERE agent = '${agent}'`]);
}

for (const javascript of [true, false]) {
    test(`a form for which only the password was missing is sent when that is given, once, scripts ${javascript ? "on" : "off"}`, async () => {
        const name = new_name("proof");
        const agent = `browser of ${name}`;
        await in_browser(async (page) => {
            const admin = someone("admin");
            await log_in(page, admin);
            await page.goto("/people");
            await page.fill("#name", name);
            age_proofs(agent);
            await page.click("text=Create user");
            await page.waitForURL(/\/profile\/proof/);
            const kept = new URL(page.url()).searchParams.get("next");
            await in_browser(async (other) => {
                await log_in(other, admin);
                assert.equal((await other.goto(kept)).status(), 404, "another session of the same user does not see it");
            }, { javascript, expected: ["status of 404"] });
            await page.fill("input[name=password]", admin.password);
            await page.click("button:has-text('Continue')");
            await page.waitForSelector("code.secret");
            // What was sent once is not sent again by itself.
            await page.goto(kept);
            await page.waitForSelector("h1:has-text('Send your form now?')");
            await page.goto(`/people/${name}/delete`);
            await page.click("button.danger");
        }, { javascript, agent });
    });
}

test("a form of a page that is out of date is looked at before it is sent, also when a password was missing", async () => {
    const name = new_name("stale");
    const agent = `browser of ${name}`;
    await in_browser(async (page) => {
        const admin = someone("admin");
        await log_in(page, admin);
        await page.goto("/people");
        await page.fill("#name", name);
        await page.evaluate(() => { document.querySelector("form[action='/people'] input[name=csrf]").value = "another"; });
        age_proofs(agent);
        await page.click("text=Create user");
        await page.waitForURL(/\/profile\/proof/);
        await page.fill("input[name=password]", admin.password);
        await page.click("button:has-text('Continue')");
        await page.waitForSelector("h1:has-text('Send your form now?')");
        assert.equal((await page.goto(`/people/${name}`)).status(), 404);
    }, { expected: ["status of 404"], agent });
});

test("a preview has an address: reload, Back and Forward keep it", async () => {
    await in_browser(async (page) => {
        const name = new_name("draft");
        await log_in(page, someone("user"));
        await page.goto("/clusters/new?template=web");
        await page.fill("#inputClusterName", name);
        await page.click("button:text-is('Preview')");
        await page.waitForSelector(`h1:has-text('Preview: ${name}')`);
        await page.reload();
        await page.waitForSelector(`h1:has-text('Preview: ${name}')`);
        await page.goBack();
        await page.waitForSelector("h1:has-text('New cluster')");
        await page.goForward();
        await page.waitForSelector(`h1:has-text('Preview: ${name}')`);
        await page.click("text=Change");
        assert.equal(await page.inputValue("#inputClusterName"), name);
    });
});

test("a form that is sent twice makes one thing, and both answers lead to it", async () => {
    await in_browser(async (page) => {
        const admin = someone("admin");
        const name = new_name("twice");
        await log_in(page, admin);
        await page.goto("/profile/proof?next=/groups");
        await page.fill("input[name=password]", admin.password);
        await page.click("button:has-text('Continue')");
        await page.waitForURL(/\/groups$/);
        await page.fill("form[action='/groups'] input[name=name]", name);
        const ends = await page.evaluate(async () => {
            const form = document.querySelector("form[action='/groups']");
            const send = async () => {
                const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
                return `${answer.status} ${new URL(answer.url).pathname}`;
            };
            const first = await send();
            return [first, await send()];
        });
        assert.equal(ends[0], ends[1]);
        assert.match(ends[0], /^200 /);
        await page.goto("/groups");
        assert.equal(await page.locator(`th:has-text('${name}')`).count(), 1);
        await page.goto(`/groups/${name}`);
        await page.click("summary:has-text('Delete the group')");
        await page.click("button:has-text('Delete')");
    });
});

test("a problem is in the title of the window and has the focus", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters/new?template=web");
        await page.evaluate(() => { document.querySelector("main form").noValidate = true; });
        await page.click("main form button.primary");
        await page.waitForSelector("#problems");
        assert.match(await page.title(), /^Error: /);
        assert.equal(await page.evaluate(() => document.activeElement.id), "problems");
    }, { expected: ["status of 422"] });
});

test("times are the reader's own, with UTC beside", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        await page.goto("/profile");
        const title = await page.locator("td time").first().getAttribute("title");
        assert.match(title, /^(?!\d{4}-).* \(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)$/);
        // The audit log is filtered in UTC, so its rows are in UTC, and the reader's own time is beside.
        await page.goto("/audit");
        const time = page.locator("th time").first();
        assert.match(await time.innerText(), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
        assert.doesNotMatch(await time.getAttribute("title"), /UTC/);
    });
});
