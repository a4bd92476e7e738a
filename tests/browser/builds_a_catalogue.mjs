// An administrator makes a catalogue in the browser: a provider of existing machines, a hardware type, an image type, and a
// service with a script of its own; what is needed cannot be deleted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { in_browser, log_in, new_name, someone, take_pictures } from "./support.mjs";

const saved = ".note.good:has-text('Saved')";

async function save(page) {
    await page.click("button.primary:has-text('Save')");
    await page.waitForSelector(saved);
}

test("an administrator makes a provider, types and a service with a script", async () => {
    await in_browser(async (page) => {
        const admin = someone("admin");
        const name = new_name("racks");
        await log_in(page, admin);

        await page.goto("/catalogue/providers");
        await page.click("text=New provider");
        await page.click("a[href$='?providertype=aws']");
        assert.equal(await page.locator("#more-settings[open]").count(), 0, "what is not needed is closed");
        await page.fill("#entry-name", name);
        await page.selectOption("#entry-providertype", "existing");
        await page.waitForSelector("#entry-provisioner\\.machines");
        assert.equal(await page.inputValue("#entry-name"), name, "another type loses nothing");
        await page.fill("#entry-provisioner\\.machines", "- name: rack-1\n  address: 192.0.2.7\n");
        await page.click("#more-settings > summary");
        await page.selectOption("#entry-provisioner\\.pin_on_first_contact", "true");
        await take_pictures(page, "edit-provider");
        await save(page);
        await page.waitForSelector("#test .badge");

        for (const [kind, setting, value] of [["hardwaretypes", "flavor", "any"], ["imagetypes", "image", "any"]]) {
            await page.goto(`/catalogue/new/${kind}`);
            await page.fill("#entry-name", name);
            await page.selectOption("#added-provider", name);
            await page.fill(`[name="providermap.*.${setting}"]`, value);
            await page.click("text=Add another provider");
            await page.waitForSelector(`[name="providermap.${name}.${setting}"]`);
            if (kind === "hardwaretypes") await take_pictures(page, "edit-hardware");
            await save(page);
        }

        const script = `${name}.sh`;
        await page.goto("/catalogue/files/automatortypes/shell/scripts");
        await page.setInputFiles("#upload-file",
            { name: script, mimeType: "text/x-sh", buffer: Buffer.from("#!/bin/sh\necho one\n") });
        await page.fill("#upload-note", "A first try");
        await page.click("#upload button");
        await page.waitForSelector("h1:has-text('.sh')");
        await page.waitForSelector("li:has-text('Version 1'):has-text('A first try')");
        await page.click("button[value=stage]");
        await page.click("button[value=unstage]");
        await page.waitForSelector("text=Unstaged. No version is in use.");
        await page.click("button[value=stage]");
        await page.click("text=Review and sync");
        await page.waitForSelector(`text=${script}`);
        await take_pictures(page, "files");
        await page.click("button:has-text('Sync')");
        await page.waitForSelector(`.note.good:has-text('Synced.') li:has-text('${script}: Nothing → Version 1')`);

        // Its text is changed on a page: a second version, whose last line is ended.
        await page.goto(`/catalogue/files/automatortypes/shell/scripts/${script}`);
        await page.click("a:has-text('Edit')");
        assert.equal(await page.locator("h1").innerText(), `Edit ${script}, version 1`);
        const other = await page.context().newPage();
        await other.goto(page.url());
        assert.equal(await page.evaluate(() => document.activeElement.id), "file-text");
        assert.equal(await page.inputValue("#file-text"), "#!/bin/sh\necho one\n");
        await page.fill("#file-text", "\n#!/bin/sh\necho two");
        await page.click("#write button[value=use]");
        await page.waitForSelector(".note.good:has-text('In use.')");
        await page.waitForSelector("li:has-text('Version 2') .badge.active");
        await page.waitForSelector("h2:has-text('Version 2')");
        assert.equal(await page.locator("pre.tall").textContent(), "\n#!/bin/sh\necho two\n");
        await page.click("a:has-text('Edit')");
        await page.click("#write button[value=save]");
        await page.waitForSelector(".note.good:has-text('Nothing was changed')");

        // Who has edited the version before is asked, and loses nothing.
        await other.fill("#file-text", "#!/bin/sh\necho three\n");
        await other.click("#write button[value=use]");
        await other.waitForSelector("text=Version 2 is newer than this text.");
        assert.equal(await other.inputValue("#file-text"), "#!/bin/sh\necho three\n");
        await other.click("button:has-text('Save as version 3 nevertheless and put to use')");
        await other.waitForSelector("li:has-text('Version 3') .badge.active");

        // Nor does an upload drop what somebody has staged since its page was drawn.
        const file = `/catalogue/files/automatortypes/shell/scripts/${script}`;
        await page.goto(file);
        await other.goto(file);
        await other.click("li:has-text('Version 2') button[value=stage]");
        await other.waitForSelector("li:has-text('Version 2') button[value=unstage]");
        await page.setInputFiles("#upload-file",
            { name: script, mimeType: "text/x-sh", buffer: Buffer.from("#!/bin/sh\necho four\n") });
        await page.click("#upload button[value=use]");
        await page.waitForSelector(".note:has-text('Saved, but not put to use, because others')");
        await page.click("li:has-text('Version 2') button[value=unstage]");
        await page.waitForSelector("li:has-text('Version 3') .badge.active");
        await other.close();

        await page.goto("/catalogue/new/services");
        await page.fill("#entry-name", name);
        await page.selectOption("#entry-provisioner\\.actions\\.install\\.type", "shell");
        await page.waitForSelector("#entry-provisioner\\.actions\\.install\\.fields\\.script");
        await page.fill("#entry-provisioner\\.actions\\.install\\.fields\\.script", script);
        await page.fill("#entry-provisioner\\.actions\\.install\\.limit", "5m");
        await take_pictures(page, "edit-service");
        await save(page);
        const made = JSON.parse(await page.locator("#document").innerText());
        assert.deepEqual(made.provisioner.actions.install,
            { type: "shell", fields: { script }, limit: 300000 });

        await page.click("text=Edit");
        await page.click("text=Edit as JSON");
        await page.fill("#entry-document", "{\"name\": oops}");
        await page.click("button.primary:has-text('Save')");
        await page.waitForSelector("#entry-document-problem:has-text('Line 1, column')");

        await page.goto(`/catalogue/providers/${name}`);
        await page.waitForSelector("text=has settings for it");
        for (const kind of ["services", "imagetypes", "hardwaretypes", "providers"]) {
            await page.goto(`/catalogue/${kind}/${name}`);
            await page.click("text=Delete");
            await page.click("button.danger");
            await page.waitForSelector("text=Deleted.");
        }
    }, { expected: ["status of 409", "status of 422"] });
});

test("a new template is built, not typed as JSON", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        await page.goto("/catalogue/new/clustertemplates");
        await page.waitForURL("**/builder/clustertemplates");
        await page.waitForSelector("#t-name");
    });
});

test("what somebody else saved meanwhile is not lost, and nothing typed either", async () => {
    await in_browser(async (page, context) => {
        const name = new_name("size");
        await log_in(page, someone("admin"));
        await page.goto("/catalogue/new/hardwaretypes");
        await page.fill("#entry-name", name);
        await save(page);

        await page.goto(`/catalogue/hardwaretypes/${name}/edit`);
        const other = await context.newPage();
        await other.goto(`/catalogue/hardwaretypes/${name}/edit`);
        await other.fill("#entry-description", "theirs");
        await other.click("button.primary:has-text('Save')");
        await other.waitForSelector(saved);

        await page.fill("#entry-description", "mine");
        await page.click("button.primary:has-text('Save')");
        await page.waitForSelector("#problems:has-text('somebody else changed the same')");
        assert.match(await page.locator("#problems li").innerText(), /mine below, theirs in version 2/);
        assert.equal(await page.inputValue("#entry-description"), "mine");
        await save(page);

        await page.goto(`/catalogue/hardwaretypes/${name}/edit`);
        await other.goto(`/catalogue/hardwaretypes/${name}/edit`);
        await other.fill("#entry-label", "Theirs");
        await other.click("button.primary:has-text('Save')");
        await other.waitForSelector(saved);
        await page.fill("#entry-description", "mine again");
        await page.click("button.primary:has-text('Save')");
        await page.waitForSelector("text=what that changed stays: Label.");
        assert.match(await page.locator("h1").innerText(), /Theirs/);
        await page.click("text=Delete");
        await page.click("button.danger");
        await page.waitForSelector("text=Deleted.");
    }, { expected: ["status of 409"] });
});
