// Everything a person does works with scripts switched off; pages of running work load themselves again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { in_browser, log_in, longest_job, new_name, someone } from "./support.mjs";

test("a cluster is created, watched and deleted without scripts", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters/new?template=web");
        await page.fill("#inputClusterName", new_name("plain"));
        await page.click("details.more > summary");
        assert.ok(await page.locator("#inputClusterConfig").isVisible(), "advanced fields open without scripts");
        await page.click("button:text-is('Preview')");
        await page.click("button:has-text('Create cluster')");
        await page.waitForURL(/\/clusters\/\d+$/);
        await page.waitForSelector("h1 + .badge.active", { timeout: longest_job });
        await page.click("text=Delete");
        await page.click("button.danger");
        await page.waitForSelector("h1 + .badge.terminated", { timeout: longest_job });
    }, { javascript: false });
});

test("switching the template keeps the name and redraws the form", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/clusters/new?template=web");
        const others = await page.locator("#inputClusterTemplate option:not([value=web])").all();
        const other = others.length > 0 ? await others[0].getAttribute("value") : "web";
        await page.fill("#inputClusterName", "kept");
        await page.selectOption("#inputClusterTemplate", other);
        await page.click("text=Switch");
        assert.equal(await page.inputValue("#inputClusterName"), "kept");
        assert.equal(await page.inputValue("#inputClusterTemplate"), other);
    }, { javascript: false });
});

// An archive with one file: its header and its bytes in blocks of 512, then two empty ones.
function tar_of(name, text) {
    const archive = Buffer.alloc(4 * 512);
    archive.write(name, 0);
    archive.write("0000644\0" + "0000000\0" + "0000000\0", 100);
    archive.write(text.length.toString(8).padStart(11, "0") + "\0" + "00000000000\0" + "        " + "0", 124);
    archive.write("ustar\0" + "00", 257);
    const sum = archive.subarray(0, 512).reduce((all, byte) => all + byte, 0);
    archive.write(sum.toString(8).padStart(6, "0") + "\0 ", 148);
    archive.write(text, 512);
    return archive;
}

test("files are uploaded and imported without scripts", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("admin"));
        const name = new_name("plain");
        await page.goto("/catalogue/files/automatortypes/shell/archives");
        const none = Buffer.from([0x1f, 0x8b, 0, 255, 13, 10, 45, 45]);
        const file = (buffer) => ({ name: "any name.tar.gz", mimeType: "application/gzip", buffer });
        // Every machine unpacks archives that are in use.
        await page.setInputFiles("#upload-file", file(none));
        await page.click("#upload button[value=use]");
        await page.waitForSelector("#upload-file-problem");
        const bytes = gzipSync(tar_of("a", "text\n"));
        await page.setInputFiles("#upload-file", file(bytes));
        await page.click("#upload button[value=use]");
        await page.waitForSelector("#upload-name-problem");
        await page.setInputFiles("#upload-file", file(bytes));
        await page.fill("#upload-name", `${name}.tar.gz`);
        await page.click("#upload button[value=save]");
        await page.waitForSelector(`text=${bytes.length} bytes`);

        await page.goto("/catalogue/files/automatortypes/shell/scripts");
        await page.setInputFiles("#upload-file", { name: `${name}.sh`, mimeType: "text/plain", buffer: Buffer.from("#!/bin/sh\n") });
        await page.click("#upload button[value=use]");
        await page.waitForSelector(".note.good:has-text('In use.')");
        await page.waitForSelector("li:has-text('Version 1') .badge.active");
        // A page that was opened before another version came does not take that one out of use.
        const earlier = await page.context().newPage();
        await earlier.goto(page.url());
        const upload_next = async (where, text) => {
            await where.setInputFiles("#upload-file", { name: `${name}.sh`, mimeType: "text/plain", buffer: Buffer.from(text) });
            await where.click("#upload button[value=use]");
        };
        await upload_next(page, "#!/bin/sh\n# two\n");
        await page.waitForSelector("li:has-text('Version 2') .badge.active");
        await upload_next(earlier, "#!/bin/sh\n# three\n");
        await earlier.waitForSelector(".note.warn:has-text('saved version 2 meanwhile')");
        await earlier.waitForSelector("li:has-text('Version 3') .badge.waiting");
        await earlier.waitForSelector("li:has-text('Version 2') .badge.active");
        await earlier.close();
        // The list does not put a version over a file that is there.
        await page.goto("/catalogue/files/automatortypes/shell/scripts");
        await upload_next(page, "#!/bin/sh\n# four\n");
        await page.waitForSelector(".note.warn:has-text('A file of this name was there already, version 3')");
        await page.waitForSelector("li:has-text('Version 2') .badge.active");
        await page.click("button:has-text('Put version 4 to use')");
        await page.waitForSelector("li:has-text('Version 4') .badge.active");

        await page.goto("/exchange");
        const image = { imagetypes: [{ name, providermap: {} }] };
        await page.setInputFiles("#import-file",
            { name: "some.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(image)) });
        await page.click("text=Review the import");
        await page.waitForSelector("h1:has-text('Review the import')");
        await page.waitForSelector(`.draft strong:has-text('${name}')`);

        // What a selected entry needs and nobody selected is asked about.
        await page.goto("/exchange");
        const services = [{ name: `${name}-db` }, { name: `${name}-web`, dependencies: { provides: [], conflicts: [], install: { requires: [`${name}-db`] } } }];
        await page.setInputFiles("#import-file",
            { name: "two.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify({ services })) });
        await page.click("text=Review the import");
        await page.uncheck(`input[value='services/${name}-db']`);
        await page.click("button.primary:has-text('Import selected')");
        await page.waitForSelector(`#to-check li:has-text('Service ${name}-web needs service ${name}-db, which is not selected.') a`);
        await page.check("#checked");
        await page.click("#to-check button");
        await page.waitForSelector("h1:has-text('Imported')");
    }, { javascript: false, expected: ["status of 422"] });
});
