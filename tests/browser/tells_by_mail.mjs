// Mails about one's clusters: chosen, confirmed by the code of a real mail, sent for what becomes of a cluster. The server of mail of
// the settings is at COOPERAGE_MAIL_PORT; it runs only here.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { in_browser, log_in, longest_job, new_name, someone, take_pictures } from "./support.mjs";

const port = process.env.COOPERAGE_MAIL_PORT;
const script = fileURLToPath(new URL("../integration/provisioner/callbacks/mailbox.py", import.meta.url));

/// A server of mail for the time of `work(mails)`; `mails()` are those that it took.
async function with_mailbox(work) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mailbox-"));
    const file = path.join(folder, "mails");
    const server = spawn("python3", [script, file, "--port", port], { stdio: ["pipe", "pipe", "inherit"] });
    try {
        await new Promise((resolve, reject) => {
            server.stdout.once("data", resolve);
            server.once("exit", () => reject(new Error("the server of mail does not start")));
        });
        await work(() => (fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n").map(JSON.parse) : []));
    } finally {
        server.stdin.end();
        server.kill();
        fs.rmSync(folder, { recursive: true });
    }
}

/// The newest mail that `is_it` accepts, waiting for it.
async function mail_that(mails, is_it) {
    for (const end = Date.now() + longest_job; Date.now() < end;) {
        const found = mails().filter(is_it).at(-1);
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 500));
    }
    return assert.fail(`no such mail among ${JSON.stringify(mails())}`);
}

test("people choose their mails, confirm an address, and are told of what becomes of a cluster", { skip: port ? false : "no server of mail in the settings" }, async () => {
    await with_mailbox(async (mails) => in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/profile");
        await page.click("a:has-text('Change notifications')");
        await page.fill("#input-address", "a..b@example.com");
        for (const box of await page.locator("#events input").all()) await box.uncheck();
        await page.click("button:text-is('Save')");
        await page.waitForSelector("#input-address[aria-invalid=true]");
        assert.match(await page.title(), /^Error: Notifications/);
        await page.waitForSelector("#events-problem:has-text('Choose at least one')");
        await take_pictures(page, "notifications-wrong");

        await page.fill("#input-address", "ada@example.com");
        await page.check("#events input[value=success]");
        await page.click("button:text-is('Save')");
        await page.waitForSelector("h2:has-text('Confirm ada@example.com')");
        await take_pictures(page, "notifications-code");
        await page.fill("#input-code", "0000000g");
        await page.click("button:text-is('Confirm')");
        await page.waitForSelector("#input-code[aria-invalid=true]");
        const { subject } = await mail_that(mails, (mail) => mail.to[0] === "ada@example.com");
        await page.fill("#input-code", subject.split(" ").at(-1));
        await page.click("button:text-is('Confirm')");
        await page.waitForSelector("[role=status]:has-text('Address confirmed.')");
        await take_pictures(page, "notifications");
        await page.goto("/profile");
        await page.waitForSelector("text=Emails about finished operations to ada@example.com");

        const name = new_name("told");
        await page.goto("/clusters/new?template=web");
        await page.fill("#inputClusterName", name);
        await page.click("button:text-is('Preview')");
        await page.click("button:has-text('Create cluster')");
        await page.waitForURL(/\/clusters\/\d+$/);
        const cluster = page.url();
        await page.waitForSelector("h1 + .badge.active", { timeout: longest_job });
        const told = await mail_that(mails, (mail) => mail.body.includes(`${name} is ready`));
        assert.ok(told.body.includes(`\n${cluster}\n`), told.body);

        await page.goto("/profile/notifications");
        await page.fill("#input-address", "");
        await page.click("button:text-is('Save')");
        await page.waitForSelector("[role=status]:has-text('Saved.')");
        await page.goto("/profile");
        await page.waitForSelector("text=No emails");
        await page.goto(cluster);
        await page.click("text=Delete");
        await page.click("button.danger");
        await page.waitForSelector("h1 + .badge.terminated", { timeout: longest_job });
        assert.equal(mails().filter((mail) => mail.body.includes(`${name} was deleted`)).length, 0);
    }, { javascript: false, expected: ["status of 422", "422"] }));
});
