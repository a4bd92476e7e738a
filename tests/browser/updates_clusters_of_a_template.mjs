// What a question about clusters has shown is what is applied to them: a version of the template that was saved after it was drawn is
// not. One cluster on its own page, and all of a template.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { call_api, in_browser, log_in, new_name, settled_status, someone } from "./support.mjs";

const name = new_name("updated");
const admin = someone("admin");
const user = someone("user");
const clusters = [];

// Everything it needs has the template's name, so that no other test sees it.
async function save_template(size_max) {
    await call_api(admin, "PUT", `/v2/clustertemplates/${name}`, {
        name,
        defaults: { services: [name], provider: name, hardwaretype: name, imagetype: name },
        compatibility: { hardwaretypes: [name], imagetypes: [name], services: [name] },
        constraints: { size: { min: 1, max: size_max } },
        administration: { leaseduration: { initial: 0, max: 0, step: 0 } },
    });
}

const largest_size_of = async (id) => {
    const cluster = await call_api(user, "GET", `/v2/clusters/${id}`);
    return cluster.clusterTemplate.constraints.size.max;
};

before(async () => {
    await call_api(admin, "PUT", `/v2/providers/${name}`,
        { name, providertype: "simulated", provisioner: { simulated_seed: "3", simulated_step_ms: "50" } });
    await call_api(admin, "PUT", `/v2/hardwaretypes/${name}`, { name, providermap: { [name]: { flavor: "any" } } });
    await call_api(admin, "PUT", `/v2/imagetypes/${name}`, { name, providermap: { [name]: { image: "none", sshuser: "root" } } });
    await call_api(admin, "PUT", `/v2/services/${name}`,
        { name, provisioner: { actions: { start: { type: "simulated", fields: {} } } } });
    await save_template(10);
    for (const which of ["one", "two"]) {
        const made = await call_api(user, "POST", "/v2/clusters", { name: `${name}-${which}`, clusterTemplate: name, numMachines: 1 });
        clusters.push(made.id);
    }
    for (const id of clusters) assert.equal(await settled_status(user, id), "active");
});

const changed_meanwhile = "text=The template was changed meanwhile. Look again at what changes.";

test("all clusters of a template get the version that was shown, or none", async () => {
    await in_browser(async (page) => {
        await save_template(11);
        await log_in(page, admin);
        await page.goto(`/catalogue/clustertemplates/${name}/update`);
        await save_template(12);
        await page.uncheck(`input[name=cluster][value="${clusters[1]}"]`);
        await page.click("button:text-is('Update the selected clusters')");
        await page.waitForSelector(changed_meanwhile);
        assert.deepEqual(await Promise.all(clusters.map(largest_size_of)), [10, 10], "a version that nobody was shown is not applied");
        assert.equal(await page.isChecked(`input[name=cluster][value="${clusters[1]}"]`), false, "the choice is kept");
        await page.click("button:text-is('Update the selected clusters')");
        await page.waitForURL(`**/catalogue/clustertemplates/${name}/versions*`);
        assert.deepEqual(await Promise.all(clusters.map(largest_size_of)), [12, 10], "only the chosen one is updated");
    }, { expected: ["status of 409"] });
});

test("a cluster gets the version that was shown on its page, or none", async () => {
    await in_browser(async (page) => {
        await save_template(13);
        await log_in(page, user);
        await page.goto(`/clusters/${clusters[1]}/sync`);
        await save_template(14);
        await page.click("button:text-is('Update')");
        await page.waitForSelector(changed_meanwhile);
        assert.equal(await largest_size_of(clusters[1]), 10);
        await page.click("button:text-is('Update')");
        await page.waitForURL(`**/clusters/${clusters[1]}*`);
        assert.equal(await largest_size_of(clusters[1]), 14);
    }, { expected: ["status of 409"] });
});
