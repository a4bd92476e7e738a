// What is done to a cluster that lives, without scripts: paused and resumed work, one service restarted after a question, a
// wrong and a right configuration, another end of the lease.
import assert from "node:assert/strict";
import { test } from "node:test";
import { in_browser, log_in, longest_job, new_name, someone, take_pictures } from "./support.mjs";

const active = "h1 + .badge.active";

test("a cluster is operated without scripts", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters/new?template=web");
        const name = new_name("operated");
        await page.fill("#inputClusterName", name);
        await page.click("button:text-is('Preview')");
        await page.click("button:has-text('Create cluster')");
        await page.waitForURL(/\/clusters\/\d+$/);
        const cluster = new URL(page.url()).pathname;

        await page.click("button:has-text('Pause')");
        await page.waitForSelector("h1 + .badge.paused");
        await take_pictures(page, "cluster-paused");
        await page.click("button:has-text('Resume')");
        await page.waitForSelector(active, { timeout: longest_job });

        await page.click(".tabs a:has-text('Services')");
        assert.equal(await page.textContent("#service-of-web-balancer + .badge"), "running");
        await take_pictures(page, "cluster-services");
        await page.click("#restart-of-web-balancer");
        assert.equal(await page.textContent("h1"), `Restart Load balancer on ${name}?`);
        await page.click("text=Leave it running");
        await page.goto(`${cluster}/services`);
        await page.click("#restart-of-web-balancer");
        await page.click("button:has-text('Restart Load balancer')");
        await page.waitForSelector("text=Restarting services");
        await page.waitForSelector(active, { timeout: longest_job });

        await page.click("text=Configure");
        await page.fill("#inputConfig", "{\"web\": ");
        await page.click("button:has-text('Preview changes')");
        assert.match(await page.textContent("#inputConfig-problem"), /^Line 1, column \d+: /);
        await page.goto(`${cluster}/configure`);
        const config = await page.inputValue("#inputConfig");
        await page.fill("#inputConfig", config.replace("Hello from Cooperage", "Hello again"));
        await page.uncheck("input[name=restart]");
        await page.click("button:has-text('Preview changes')");
        await page.waitForURL(/configure\?draft=/);
        assert.match(await page.textContent("#preview"), /1 line added, 1 line removed[^]*Hello from Cooperage[^]*Hello again/);
        assert.equal(await page.isChecked("input[name=restart]"), false, "a preview keeps the form as it was");
        assert.match(await page.textContent("#plan"), /\d+ tasks in \d+ stages?[^]*Reconfigured without a restart: /);
        await take_pictures(page, "cluster-configure-preview");
        // What was typed after the preview is previewed, too.
        await page.fill("#inputConfig", config.replace("Hello from Cooperage", "Hello once more"));
        await page.click("button:text-is('Configure')");
        await page.waitForURL(/configure\?draft=/);
        assert.match(await page.textContent("#preview"), /Hello once more/);
        await page.click("button:text-is('Configure')");
        await page.waitForSelector("text=Configuring the cluster");
        await page.waitForSelector(active, { timeout: longest_job });

        await page.click("a:text-is('Change lease')");
        const end = Date.parse(`${await page.inputValue("#inputExpireTime")}Z`);
        await page.click("button:has-text('1 day longer')");
        await page.waitForURL(`**${cluster}`);
        await page.click("a:text-is('Change lease')");
        assert.equal(Date.parse(`${await page.inputValue("#inputExpireTime")}Z`) - end, 86_400_000, "one press is one day");
        await page.fill("#inputExpireTime", "2020-01-01T00:00");
        await page.click("button:has-text('Change lease')");
        assert.match(await page.textContent("#inputExpireTime-problem"), /Choose a time in the future/);
        const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
        await page.fill("#inputExpireTime", tomorrow);
        await page.click("button:has-text('Change lease')");
        await page.waitForURL(`**${cluster}`);
        await page.click(".tabs a:has-text('Settings')");
        await take_pictures(page, "cluster-settings");
        assert.equal((await page.getAttribute("dt:has-text('Expires') + dd time", "datetime")).slice(0, 16), tomorrow);
        await page.goto(cluster);
        await take_pictures(page, "cluster-active");

        // What was stopped is said, and not shown as if it ran.
        await page.click(".tabs a:has-text('Services')");
        await page.click("#stop-of-web-application");
        assert.match(await page.textContent("#touched"), /Application[^]*Load balancer[^]*uses Application/);
        assert.doesNotMatch(await page.textContent("#touched"), /Database/);
        await take_pictures(page, "cluster-stop-question");
        await page.click("button:has-text('Stop Application')");
        await page.waitForSelector("text=Stopping services");
        await page.waitForSelector("h1 + .badge.stopped", { timeout: longest_job });
        assert.equal(await page.textContent("h1 + .badge"), "2 services stopped");
        assert.match(await page.textContent("#stopped"), /Some services are not running[^]*Application[^]*Load balancer[^]*stopped/);
        assert.match(await page.textContent("#links"), /Web site \(stopped\)/);
        await take_pictures(page, "cluster-stopped");
        await page.goto("/clusters?status=stopped");
        assert.match(await page.textContent(`tr:has-text('${name}')`), /2 services stopped/);
        await page.goto(cluster);
        await page.click("text=Start or restart services");
        // A start of what it needs offers to start what was stopped with it.
        await page.click("#start-of-web-application");
        assert.equal(await page.textContent("h1"), `Start Application on ${name}?`);
        assert.equal(await page.isChecked("#offers input[value=web-balancer]"), true);
        await take_pictures(page, "cluster-start-question");
        await page.click("button:has-text('Start')");
        await page.waitForSelector("text=Starting services");
        await page.waitForSelector(active, { timeout: longest_job });
        assert.doesNotMatch(await page.textContent("#stopped"), /Some services are not running/);

        // A configuration that fails says so where it is changed, and leads back to the one that worked.
        await page.goto(`${cluster}/configure`);
        await page.fill("#inputConfig", (await page.inputValue("#inputConfig")).replace(/"port": 80\b/, "\"port\": \"abc\""));
        await page.uncheck("input[name=restart]");
        await page.click("button:has-text('Preview changes')");
        await page.click("button:text-is('Configure')");
        await page.waitForSelector("h1 + .badge.inconsistent", { timeout: longest_job });
        assert.equal(await page.textContent("h1 + .badge"), "configuration failed");
        await page.click(".tabs a:has-text('Settings')");
        assert.match(await page.textContent("#config-note"), /See the job[^]*Configure/);
        await page.click(".tabs a:has-text('Overview')");
        await page.click("a.primary:has-text('Change the configuration')");
        assert.match(await page.textContent("section.bad"), /This configuration failed[^]*port[^]*"abc"/);
        await take_pictures(page, "cluster-configure-failed");
        await page.click("text=Go back to the last configuration that worked");
        const back = "Go back to the last configuration that worked";
        assert.equal(await page.textContent("h1"), back);
        assert.match(await page.textContent("#preview"), /"abc"[^]*80/);
        assert.match(await page.inputValue("#inputConfig"), /"port": 80\b/);
        // Another choice of restarts is previewed first.
        await page.uncheck("input[name=restart]");
        await page.click(`button:text-is('${back}')`);
        await page.waitForURL(/configure\?draft=/);
        assert.match(await page.textContent("#touched"), /Reconfigured without a restart: /);
        await page.click(`button:text-is('${back}')`);
        await page.waitForSelector(active, { timeout: longest_job });

        // Another cluster of the name is possible, and said to be another one.
        await page.goto("/clusters/new?template=web");
        await page.fill("#inputClusterName", name);
        await page.click("button:text-is('Preview')");
        assert.match(await page.textContent("#namesakes"), /There is already a cluster of this name/);
        assert.match(await page.textContent("main"), /The latest (cluster|\d clusters) of this template (was|were) created in /);
        await page.click("#namesakes a");
        await page.waitForURL(`**${cluster}`);

        await page.click("text=Delete");
        await page.click("button.danger");
        await page.waitForSelector("h1 + .badge.terminated", { timeout: longest_job });
    }, { javascript: false, expected: ["422"] });
});
