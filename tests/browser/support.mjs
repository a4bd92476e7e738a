// What the browser tests share. They run against an installation that is up: COOPERAGE_ACCESS is the path of its
// access.json ({"url", "users": [{tenant, user, role, password, apikey}]}), COOPERAGE_SHOTS the folder for pictures of the
// pages (none are taken without it), COOPERAGE_CHROMIUM the browser (/usr/bin/chromium).
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

// A cluster of real hosts takes seconds on a free machine; a busy one needs room.
export const longest_job = 180_000;

// The identity provider of the tests has pages that want a font from elsewhere: a name server that does not answer would hold them up.
const flags = ["--no-sandbox", "--host-resolver-rules=MAP *.googleapis.com ~NOTFOUND", "--disable-quic", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run"];

const shots = process.env.COOPERAGE_SHOTS;

function read_access() {
    const file = process.env.COOPERAGE_ACCESS;
    assert.ok(file, "COOPERAGE_ACCESS must name the access.json of a running installation");
    return JSON.parse(fs.readFileSync(file, "utf8"));
}

export const access = read_access();

export function someone(role, tenant = "demo") {
    const found = access.users.find((user) => user.role === role && user.tenant === tenant);
    assert.ok(found, `access.json has no ${role} of the tenant ${tenant}`);
    return found;
}

export function new_name(prefix) {
    return `${prefix}-${Date.now().toString(36)}`;
}

/// What the API answers to `user`, which must be 200; null where that is no JSON.
export async function call_api(user, method, path, body) {
    const answer = await fetch(access.url + path, {
        method,
        headers: { "Coopr-UserID": user.user, "Coopr-TenantID": user.tenant, "Coopr-ApiKey": user.apikey },
        body: body === undefined ? undefined : JSON.stringify(body),
    });
    assert.equal(answer.status, 200, `${method} ${path}: ${await answer.clone().text()}`);
    return answer.headers.get("content-type")?.startsWith("application/json") ? answer.json() : null;
}

/// The status of a cluster of `user` when its job has ended.
export async function settled_status(user, id) {
    for (const end = Date.now() + longest_job; Date.now() < end;) {
        const { status } = await call_api(user, "GET", `/v2/clusters/${id}/status`);
        if (status !== "pending") return status;
        await new Promise((resolve) => setTimeout(resolve, 500));
    }
    return "still pending";
}

/// Runs `work(page)` in a fresh browser and fails if the page complained: script errors, refused content, lost files.
/// `expected` are complaints that belong to the test; `agent` is what the browser calls itself.
export async function in_browser(work, { javascript = true, expected = [], agent } = {}) {
    const browser = await chromium.launch({
        executablePath: process.env.COOPERAGE_CHROMIUM ?? "/usr/bin/chromium",
        args: flags,
    });
    try {
        const context = await browser.newContext({
            baseURL: access.url,
            javaScriptEnabled: javascript,
            userAgent: agent,
            viewport: { width: 1280, height: 900 },
            ignoreHTTPSErrors: true,
        });
        const page = await context.newPage();
        page.setDefaultTimeout(60_000);
        // A page asks before what was typed is left.
        page.on("dialog", (dialog) => (dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss()));
        const complaints = [];
        page.on("pageerror", (error) => complaints.push(error.message));
        page.on("console", (message) => {
            if (message.type() === "error") complaints.push(`${message.text()} (${message.location().url})`);
        });
        await work(page, context);
        const surprising = complaints.filter((line) => !expected.some((part) => line.includes(part)));
        assert.deepEqual(surprising, [], "the browser's console must stay empty");
    } finally {
        await browser.close();
    }
}

export async function log_in(page, user) {
    await page.goto("/login");
    await page.fill("#loginUsername", user.user);
    await page.fill("#loginTenant", user.tenant);
    await page.fill("#loginPassword", user.password);
    await page.click("button:text-is('Log in')");
    await page.waitForURL((url) => !url.pathname.startsWith("/login"));
}

/// Pictures of the page as it is: a wide screen in light and dark, and a phone. Also checks that nothing sticks out.
export async function take_pictures(page, name) {
    const looks = [
        ["light", 1280, 900, "light"],
        ["dark", 1280, 900, "dark"],
        ["phone", 390, 844, "light"],
    ];
    for (const [label, width, height, colorScheme] of looks) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        if (shots) {
            fs.mkdirSync(shots, { recursive: true });
            await page.screenshot({ path: path.join(shots, `${name}-${label}.png`), fullPage: true, animations: "disabled" });
        }
        const too_wide = await sticks_out(page);
        assert.ok(!too_wide, `${name} is wider than a screen of ${width} pixels`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
}

async function sticks_out(page) {
    await page.locator("#main").waitFor();
    const box = await page.locator("html").boundingBox();
    const content = await page.locator("#main").boundingBox();
    return content.x + content.width > box.x + box.width + 1;
}

/// Waits until the cluster's page says `status`; fails at once, with what the page says, when the job failed.
export async function wait_for_status(page, status) {
    const reached = page.locator(`h1 + .badge.${status}`);
    const failed = page.locator("#trouble .note");
    await reached.or(failed).first().waitFor({ timeout: longest_job });
    if (await failed.count()) assert.fail(`instead of ${status}: ${await failed.innerText()}`);
}

/// Presses Tab until the element that `selector` names has the focus.
export async function tab_to(page, selector) {
    for (let presses = 0; presses < 80; ++presses) {
        await page.keyboard.press("Tab");
        const there = await page.evaluate((wanted) => document.activeElement.matches(wanted), selector);
        if (there) return;
    }
    assert.fail(`Tab does not reach ${selector}`);
}
