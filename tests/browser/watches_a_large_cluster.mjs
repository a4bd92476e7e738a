// A cluster of 120 simulated machines is watched while services are restarted: what changes is drawn without a load, cheaply; what is
// selected or has the focus stays so; a lost connection is said.
import assert from "node:assert/strict";
import fs from "node:fs";
import { before, test } from "node:test";
import { call_api, in_browser, log_in, longest_job, new_name, settled_status, someone, take_pictures } from "./support.mjs";

const catalogue = new URL("../../sql/examples/simulated/catalogue/", import.meta.url);
const machines = 120;

const call = (role, method, path, body) => call_api(someone(role), method, path, body);

// Every entry of the example; its machines take a second for a step, give or take half of it.
async function load_catalogue() {
    for (const collection of ["providers", "hardwaretypes", "imagetypes", "services", "clustertemplates"]) {
        for (const file of fs.readdirSync(new URL(`${collection}/`, catalogue))) {
            const entry = JSON.parse(fs.readFileSync(new URL(`${collection}/${file}`, catalogue), "utf8"));
            if (entry.name === "simulated" && collection === "providers") {
                entry.name = "simulated-watched";
                entry.provisioner = { simulated_seed: "3", simulated_step_ms: "3000", simulated_step_spread_ms: "2500" };
            }
            for (const own of ["simulated-watched", "simulated-failing", "simulated-talking"]) {
                if (entry.providermap?.simulated) entry.providermap[own] = entry.providermap.simulated;
            }
            await call("admin", "PUT", `/v2/${collection}/${entry.name}`, entry);
        }
    }
    await call("admin", "PUT", "/v2/providers/simulated-failing", {
        name: "simulated-failing", providertype: "simulated",
        provisioner: { simulated_seed: "3", simulated_step_ms: "100", simulated_failing_percent: "100" },
    });
    await call("admin", "PUT", "/v2/providers/simulated-talking", {
        name: "simulated-talking", providertype: "simulated",
        provisioner: { simulated_seed: "3", simulated_step_ms: "25000", simulated_lines: "250" },
    });
}

const settled = (id) => settled_status(someone("user"), id);

let cluster = "";

before(async () => {
    await load_catalogue();
    const made = await call("user", "POST", "/v2/clusters", {
        name: new_name("large"), clusterTemplate: "simulated-one", numMachines: machines, provider: "simulated-watched",
    });
    cluster = made.id;
    assert.equal(await settled(cluster), "active");
});

async function restart() {
    await call("user", "POST", `/v2/clusters/${cluster}/services/restart`);
}

/// Sizes in bytes of the updates that the page gets from now on.
function updates_of(page) {
    const sizes = [];
    page.on("response", async (answer) => {
        if (answer.request().headers()["x-live-parts"] === undefined) return;
        sizes.push((await answer.body().catch(() => "")).length);
    });
    return sizes;
}

async function loaded_once(page, path) {
    await page.goto(path);
    await page.evaluate(() => { window.never_loaded_again = true; });
}

async function was_loaded_once(page) {
    assert.ok(await page.evaluate(() => window.never_loaded_again), "the page updated itself");
}

test("cells of machines change while they are looked at", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await restart();
        await loaded_once(page, `/clusters/${cluster}`);
        const sizes = updates_of(page);
        const cells = page.locator("#cells svg path");
        await page.waitForFunction(() => document.querySelector("#cells path.done") !== null, null, { timeout: longest_job });
        await take_pictures(page, "cluster-large-at-work");
        await page.waitForSelector("h1 + .badge.active", { timeout: longest_job });
        await was_loaded_once(page);
        assert.ok(sizes.length >= 2, "there were updates");

        // What came with updates is drawn as well as what was loaded.
        assert.equal(await cells.count(), 5, "a line of equal cells is one path: four times 25, and 20");
        for (const path of await cells.all()) {
            assert.equal(await path.evaluate((one) => one.namespaceURI), "http://www.w3.org/2000/svg");
            assert.ok((await path.boundingBox()).width > 50, "the cells are seen");
        }
        assert.equal((await page.textContent("#states-1")).trim().replace(/\s+/g, " "), `${machines} machines: ${machines} running`);
        const live = await page.$$eval("[data-live]", (parts) => parts.map((part) => [part.id, part.dataset.live]));
        await page.reload();
        const fresh = await page.$$eval("[data-live]", (parts) => parts.map((part) => [part.id, part.dataset.live]));
        assert.deepEqual(live, fresh, "a page that was updated is the page that is loaded");
        await take_pictures(page, "cluster-large");
    });
});

test("a cell says which machine it is, and leads to it", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto(`/clusters/${cluster}`);
        const picture = page.locator(".cells svg").first();
        const { width } = await picture.boundingBox();
        const position = { x: width / 25 * 2.4, y: width / 25 * 0.4 };
        await picture.hover({ position });
        const title = await picture.locator("path title").first().evaluate((element) => element.textContent);
        const [, number, state] = title.match(/^Machine (\d+): (.+)$/);
        assert.equal(state, "running");
        await picture.click({ position });
        await page.waitForURL(`**/clusters/${cluster}/machines/${number}`);
    });
});

test("rows of machines change places without a load, and the focus stays on its machine", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await restart();
        await loaded_once(page, `/clusters/${cluster}/machines`);
        const order = () => page.$$eval("#machine-rows tr", (rows) => rows.map((row) => row.id).join(" "));
        const loaded = await order();
        const focused = await page.evaluate(() => {
            const link = document.querySelector("#machine-rows tr:nth-child(40) a");
            link.focus();
            return link.id;
        });
        // Machines that are at work come first.
        await page.waitForFunction((old) => [...document.querySelectorAll("#machine-rows tr")].map((row) => row.id).join(" ") !== old,
            loaded, { timeout: longest_job });
        await page.waitForSelector("h1 + .badge.active", { timeout: longest_job });
        await was_loaded_once(page);
        // A row that has the focus stays for a moment longer than its place on the page.
        await page.waitForFunction(() => document.querySelectorAll("#machine-rows tr").length === 50);
        assert.equal(new Set((await order()).split(" ")).size, 50, "every machine is there once");
        assert.equal(await page.evaluate(() => document.activeElement.id), focused);
        const shown = await order();
        await page.reload();
        assert.equal(await order(), shown);
    });
});

test("the page of a large job shows lanes by the page, what is expected, and tasks by filter", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await restart();
        await loaded_once(page, `/clusters/${cluster}/jobs`);
        await page.click("#job-rows tr:first-child th a");
        await page.evaluate(() => { window.never_loaded_again = true; });
        await page.waitForSelector("#lanes .expected > rect", { timeout: longest_job });
        assert.match(await page.textContent("#forecast"), /^(About .+ left(: should end at \d\d:\d\d UTC)?|About to end|Should have ended by now) \(based on \d+ earlier runs?\)\.$/);
        await take_pictures(page, "cluster-job-large-at-work");
        // Who does not see the page hears how far it is, once a minute.
        const spoken = page.locator("#main > p.visually-hidden[role=status]");
        assert.equal(await spoken.textContent(), "");
        await page.evaluate(() => {
            const before = Date.now;
            Date.now = () => before.call(Date) + 61000;
        });
        await page.waitForFunction(() => /^[\d,]+ of [\d,]+ tasks done$/.test(document.querySelector("#main > p.visually-hidden[role=status]").textContent));
        await page.waitForSelector("h1 + .badge.active", { timeout: longest_job });
        await was_loaded_once(page);
        assert.equal((await page.textContent("#forecast")).trim(), "", "nothing is foretold of a job that has ended");
        assert.doesNotMatch(await page.textContent("#inputState"), /running|waiting/, "the choices of the filter follow");
        assert.equal(await page.locator("#lanes .expected > rect").count(), 0);
        assert.ok((await page.locator("#lanes rect.chain").count()) >= 1, "the critical path is on the first page");

        const shown = async () => page.$$eval("#lanes tr", (rows) => rows.map((row) => row.id));
        const first = await shown();
        assert.match(await page.textContent("#lanes-shown"), new RegExp(`^Machines 1–${first.length} of ${machines}: `));
        await page.click("#lane-pages >> text=Next page");
        const second = await shown();
        assert.ok(second.length > 0 && second.every((lane) => !first.includes(lane)), "other machines");

        await page.selectOption("#inputService", "simulated-one");
        await page.selectOption("#inputAction", "start");
        await page.click("button:has-text('Filter')");
        assert.match(await page.textContent("#tasks-summary"), new RegExp(`^1–25 of ${machines} tasks$`));
        await page.click("#pages >> text=Next page");
        assert.match(await page.textContent("#tasks-summary"), new RegExp(`^26–50 of ${machines} tasks$`));
        const name = (await page.locator("#task-rows td[data-label=Machine]").first().textContent()).trim();
        await page.fill("#inputMachine", name);
        await page.click("button:has-text('Filter')");
        assert.equal(await page.textContent("#tasks-summary"), "1–1 of 1 task");
        assert.equal((await page.locator("#task-rows th").textContent()).trim(), "start One action");
        await page.selectOption("#inputState", "done");
        await page.click("text=Clear filter");
        assert.equal(await page.inputValue("#inputMachine"), "");

        await page.click("#to-graph");
        const labels = await page.$$eval("#graph a", (all) => all.map((one) => one.getAttribute("aria-label")));
        assert.ok(labels.includes(`start One action all ${machines} done, One action`), labels.join("; "));
        await take_pictures(page, "cluster-job-graph");
        await page.click("#graph-table > summary");
        const rows = await page.$$eval("#graph-rows tr", (all) => all.map((row) => {
            const [what, column, state] = [...row.cells].map((cell) => cell.textContent);
            return `${what} ${state === "done" ? "" : "all "}${state}, ${column}`;
        }));
        assert.deepEqual(rows, labels, "the table has every box");
        await page.click("#graph a");
        assert.match(page.url(), /[?]service=[\w-]+&action=\w+#tasks$/);
        assert.match(await page.textContent("#tasks-summary"), new RegExp(`^1–25 of ${machines} tasks$`));
    });
});

test("text stays selected while the rest of the page changes", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await restart();
        await loaded_once(page, `/clusters/${cluster}/services`);
        await page.waitForSelector("#row-of-simulated-one .badge:has-text('in progress')");
        const selected = await page.evaluate(() => {
            document.getSelection().selectAllChildren(document.getElementById("service-of-simulated-one"));
            return document.getSelection().toString();
        });
        assert.equal(selected, "One action");
        await page.waitForSelector("h1 + .badge.active", { timeout: longest_job });
        await was_loaded_once(page);
        assert.equal(await page.evaluate(() => document.getSelection().toString()), selected);
    });
});

test("the list of all machines has each machine once, page by page", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        const hosts = [];
        await page.goto("/machines");
        const total = Number((await page.textContent("#summary")).replaceAll(",", "").match(/ of (\d+) machines/)[1]);
        assert.ok(total > 50, "there is more than one page");
        for (;;) {
            hosts.push(...await page.locator("#machine-rows th a").allTextContents());
            const next = page.locator("#machines >> text=Next page");
            if (await next.count() === 0) break;
            await next.click();
            await page.waitForLoadState();
        }
        assert.equal(hosts.length, total);
        assert.equal(new Set(hosts).size, total);
        await page.goto(`/machines?q=${hosts[0]}`);
        assert.deepEqual(await page.locator("#machine-rows th a").allTextContents(), [hosts[0]]);
    });
});

test("the focus goes to a neighbour when an update takes its link away", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await loaded_once(page, `/clusters/${cluster}`);
        const part = await page.evaluate(() => {
            const inner = [...document.querySelectorAll("main [data-live]")].find((one) => one.querySelector("[data-live]") === null);
            inner.innerHTML = '<a id="first" href="/clusters">1 running</a> <a id="gone" href="/templates">1 waiting</a>';
            document.getElementById("gone").focus();
            return inner.id;
        });
        await page.route("**/clusters/*", (route) => route.request().headers()["x-live-parts"] === undefined ? route.continue() :
            route.fulfill({ json: { title: "still here", follows: false, parts: { [part]: {
                fingerprint: "another", html: '<a id="first" href="/clusters">1 running</a>',
            } } } }));
        await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
        await page.waitForFunction(() => document.getElementById("gone") === null);
        assert.equal(await page.evaluate(() => document.activeElement.id), "first");
    });
});

test("the picture of a small cluster is followed from an idle page, with its legend, its focus and what is selected", async () => {
    const { id } = await call("user", "POST", "/v2/clusters", {
        name: new_name("small"), clusterTemplate: "simulated-one", numMachines: 3, provider: "simulated-watched",
    });
    assert.equal(await settled(id), "active");
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await loaded_once(page, `/clusters/${id}`);
        const legend = () => page.textContent("#legend").then((text) => text.trim().replace(/\s+/g, " "));
        assert.equal(await legend(), "ready running");

        // Something is begun elsewhere, and one comes back to the page.
        await call("user", "POST", `/v2/clusters/${id}/services/restart`);
        await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
        await page.waitForFunction(() => document.querySelector("#picture-1 .stave:not(.done, .none)") &&
            document.querySelector("#picture-2 .stave:not(.done, .none)"));
        assert.notEqual(await legend(), "ready running");
        await page.evaluate(() => {
            document.getElementById("picture-link-1").focus();
            document.getSelection().selectAllChildren(document.querySelector("#picture-2 th"));
        });
        await page.waitForSelector("h1 + .badge.active", { timeout: longest_job });
        await page.waitForFunction(() => document.querySelector("#legend").textContent.trim() !== "");
        assert.equal(await page.evaluate(() => document.activeElement.id), "picture-link-1", "the focus stays");
        assert.match(await page.locator("p.visually-hidden[role=status]").textContent(), /: active$/, "the end is announced");

        // What is selected is left alone, and catches up when it is not selected any more.
        await page.evaluate(() => document.getSelection().removeAllRanges());
        await page.waitForFunction(() => document.querySelector("#picture .stave:not(.done, .none)") === null);
        assert.equal(await legend(), "ready running");
        await was_loaded_once(page);
    });
    await call("user", "DELETE", `/v2/clusters/${id}`);
});

test("a connection that is lost is said, and when it is back the page goes on", async () => {
    await in_browser(async (page, context) => {
        await log_in(page, someone("user"));
        await restart();
        await loaded_once(page, `/clusters/${cluster}`);
        await context.setOffline(true);
        const lost = page.locator("#connection.note");
        await lost.waitFor();
        assert.match(await lost.innerText(), /Connection lost\. This page is not up to date\.\s+Last update \d+ s ago\./);
        await take_pictures(page, "cluster-connection-lost");
        await context.setOffline(false);
        await lost.waitFor({ state: "detached" });
        await page.waitForSelector("h1 + .badge.active", { timeout: longest_job });
        await was_loaded_once(page);
    }, { expected: ["ERR_INTERNET_DISCONNECTED"] });
});

test("what failed alike is retried together or on one machine, and its log is read, without scripts", async () => {
    const { id } = await call("user", "POST", "/v2/clusters", {
        name: new_name("failing"), clusterTemplate: "simulated-one", numMachines: 3, provider: "simulated-failing",
    });
    assert.equal(await settled(id), "incomplete");
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto(`/clusters/${id}`);
        assert.match(await page.locator(".failure button").first().textContent(), /^Retry (this machine|these [23] machines)$/);
        await take_pictures(page, "cluster-failed-retry");
        await page.locator(".failure button").first().click();
        await page.waitForURL(`**/clusters/${id}`);
        assert.equal(await settled(id), "incomplete");

        await page.goto(`/clusters/${id}/machines?state=failed`);
        await page.locator("#machine-rows a").first().click();
        const machine = new URL(page.url()).pathname;
        await page.click("#retry");
        await page.waitForURL(`**/clusters/${id}`);
        assert.equal(await settled(id), "incomplete");

        // From the job to what failed, from one failed task to the next, and from there to a retry.
        await page.goto(`/clusters/${id}/jobs`);
        await page.locator("#job-rows th a").first().click();
        await page.click("#to-failed");
        const failed = page.locator("#task-rows th a");
        const all = await failed.count();
        assert.ok(all >= 1);
        await failed.first().click();
        const first = page.url();
        assert.doesNotMatch(await page.textContent("#where"), /status \d+/);
        assert.doesNotMatch(await page.textContent("#said .problem"), /ended with exit code/);
        for (let at = 1; at < all; ++at) {
            await page.click("#next-failed");
            assert.match(await page.textContent("#all-failed"), new RegExp(`^${at + 1} of ${all} failed tasks$`));
        }
        if (all > 1) await page.click("#next-failed");
        assert.equal(page.url(), first, "behind the last one comes the first");
        await take_pictures(page, "task-failed");
        await page.click("#retry");
        await page.waitForURL(`**/clusters/${id}`);
        assert.equal(await settled(id), "incomplete");

        await page.goto(machine);
        await page.locator(".tasks li.failed a").first().click();
        const line = page.locator(".log .line").first();
        const number = await line.locator("a").textContent();
        const word = (await line.locator("> span").textContent()).trim().split(/\s+/).pop();
        assert.ok(word.length > 0, "the log has words");
        await page.fill("#inputFind", word.toUpperCase());
        await page.click("button:has-text('Find')");
        assert.match(page.url(), new RegExp(`[?]line=${number}&find=.*#L${number}$`));
        assert.match(await page.textContent("#found"), /^Match 1 of \d+$/);
        assert.equal((await page.locator(`#L${number} mark`).first().textContent()).toLowerCase(), word.toLowerCase());
        assert.equal(await page.locator(".log .line:target").getAttribute("id"), `L${number}`);
        await take_pictures(page, "task-log");
        await page.click("#wrap");
        assert.equal(await page.locator(".log.wraps").count(), 0);
        await page.click("a:has-text('Clear search')");
        assert.equal(await page.locator("#found").count(), 0);
        const [file] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
        assert.match(file.suggestedFilename(), /^[\w.-]+[.]txt$/);
    }, { javascript: false });
    await call("user", "DELETE", `/v2/clusters/${id}`);
});

test("a log is followed while its end is seen, and what is selected in it stays selected", async () => {
    const { id } = await call("user", "POST", "/v2/clusters", {
        name: new_name("talking"), clusterTemplate: "simulated-one", numMachines: 1, provider: "simulated-talking",
    });
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto(`/clusters/${id}/machines/1000`);
        await page.locator(".tasks li.running pre").waitFor({ timeout: longest_job });
        await page.locator(".tasks li.running a").click();
        await page.waitForURL("**/tasks/*");
        await page.evaluate(() => { window.never_loaded_again = true; });
        const lines = () => page.locator(".log .line").count();
        const more_than = (number) => page.waitForFunction((least) => document.querySelectorAll(".log .line").length > least, number);
        const from_end = () => page.$eval(".log", (log) => log.scrollHeight - log.scrollTop - log.clientHeight);
        await more_than(45);
        assert.ok(await from_end() < 24, "the end is seen");

        // Who scrolls up stays where they are, and reads on.
        await page.$eval(".log", (log) => { log.scrollTop = 0; });
        await page.$eval("#L2 > span", (text) => document.getSelection().selectAllChildren(text));
        const selected = await page.evaluate(() => document.getSelection().toString());
        assert.ok(selected.length > 3, "text of the log is selected");
        await more_than(await lines() + 30);
        assert.equal(await page.$eval(".log", (log) => log.scrollTop), 0);
        assert.equal(await page.evaluate(() => document.getSelection().toString()), selected);
        await was_loaded_once(page);

        await page.$eval(".log", (log) => { log.scrollTop = log.scrollHeight; });
        await more_than(await lines() + 5);
        assert.ok(await from_end() < 24, "the end is followed again");
    });
    await call("user", "POST", `/v2/clusters/${id}/abort`);
    await settled(id);
    await call("user", "DELETE", `/v2/clusters/${id}`);
});
