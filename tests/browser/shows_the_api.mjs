// The page about the API: nothing of it is refused by the Content-Security-Policy, and calls can be tried out with the session
// of who is logged in, those that need its token too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { in_browser, log_in, someone, take_pictures } from "./support.mjs";

async function try_out(page, id) {
    const call = page.locator(`[id$="-${id}"]`);
    await call.locator(".opblock-summary-control").click();
    await call.getByRole("button", { name: "Try it out" }).click();
    await call.getByRole("button", { name: "Execute" }).click();
    const answer = call.locator(".live-responses-table .response");
    await answer.waitFor();
    return { status: (await answer.locator(".response-col_status").innerText()).trim().slice(0, 3), text: await answer.innerText() };
}

test("everybody can read about every call", async () => {
    await in_browser(async (page) => {
        const described = await (await page.request.get("/v2/openapi.json")).json();
        await page.goto("/docs/api");
        await page.waitForSelector(".opblock-tag");
        assert.equal(await page.locator(".opblock-tag").count(), described.tags.length);
        await page.getByRole("button", { name: /Expand operation "Clusters"/ }).or(page.locator("#operations-tag-Clusters button").first()).click();
        await page.waitForSelector("[id$='-createCluster']");
        await take_pictures(page, "api");
    });
});

test("who is logged in tries calls out as themselves", async () => {
    await in_browser(async (page) => {
        await log_in(page, someone("user"));
        await page.goto("/docs/api");
        await page.locator("#operations-tag-Clusters button").first().click();
        const list = await try_out(page, "listClusters");
        assert.equal(list.status, "200", list.text);
        await page.locator("#operations-tag-Profile button").first().click();
        const stored = await try_out(page, "replaceProfile");
        assert.equal(stored.status, "200", stored.text);
        const removed = await try_out(page, "deleteProfile");
        assert.equal(removed.status, "200", removed.text);
    });
});

test("without scripts the description is still to be had", async () => {
    await in_browser(async (page) => {
        await page.goto("/docs/api");
        await page.locator("main a[href='/v2/openapi.json']").click();
        assert.match(await page.locator("body").innerText(), /"openapi":"3\.1\.0"/);
    }, { javascript: false });
});
