#include "creation_samples.hpp"

namespace samples {

namespace {

provisioner::store::ClusterSummary summary(int number, const std::string& name,
                                           ClusterStatus status) {
    provisioner::store::ClusterSummary made;
    made.id = ClusterId{number};
    made.owner = number % 2 ? "ada" : "grace";
    made.name = name;
    made.status = status;
    made.created_at = now - std::chrono::hours(number * number);
    if (number % 3) made.expires_at = now + std::chrono::hours(30 * number);
    made.node_count = 2 + number;
    if (number % 3 == 2) {
        made.description =
            "For the demo on Friday: has the data of last week, and is shown to visitors of the "
            "fair until the end of the month";
    }
    made.cluster_template.name = number % 2 ? "web" : "hadoop-distributed";
    made.latest_job = job(60, 23, now - 60s);
    return made;
}

}  // namespace

ClustersPage clusters_page(bool show_owner) {
    auto stopped = summary(6, "intranet", ClusterStatus::active);
    stopped.services_stopped = 2;
    return {.clusters = {summary(5, "shop", ClusterStatus::pending), stopped,
                         summary(4, "analytics", ClusterStatus::active),
                         summary(3, "shop", ClusterStatus::active),
                         summary(2, "try-out", ClusterStatus::incomplete),
                         summary(1, "old", ClusterStatus::inconsistent)},
            .choice = "",
            .order = show_owner ? "name" : "",
            .portion = show_owner ? std::optional(portion_of(312, 50, 2)) : std::nullopt,
            .is_first = !show_owner,
            .is_last = !show_owner,
            .show_owner = show_owner,
            .now = now};
}

ClustersPage clusters_of_all_tenants() {
    auto page = clusters_page(true);
    page.may_see_all = true;
    page.is_of_all = true;
    page.tenant = "superadmin";
    for (auto& cluster : page.clusters)
        cluster.tenant = cluster.id.value % 2 == 0 ? "demo" : "acme";
    return page;
}

ClustersPage found_clusters_page() {
    auto page = clusters_of_all_tenants();
    page.choice = "failing";
    page.text = "shop & more";
    auto& never = page.clusters.emplace_back(summary(7, "huge", ClusterStatus::terminated));
    never.tenant = "demo";
    never.latest_job->operation = Operation::solve_layout;
    never.latest_job->status = JobStatus::failed;
    return page;
}

ClustersPage terminated_clusters_page() {
    auto page = clusters_page(true);
    page.choice = "terminated";
    page.order = "ended";
    for (auto& cluster : page.clusters) {
        cluster.status = ClusterStatus::terminated;
        cluster.latest_job->finished_at = now - 3h;
    }
    page.clusters.back().latest_job->finished_at.reset();
    return page;
}

ClustersPage clusters_found_among_terminated() {
    return {.text = "old", .is_among_terminated = true, .now = now};
}

ClustersPage searched_clusters_page() {
    ClustersPage page{.text = "zebra", .now = now};
    page.searched = ClustersPage::Searched{.clusters = 10'000, .oldest = ClusterId{42}};
    return page;
}

NewClusterPage new_cluster_page() {
    auto form = form_for(web_template());
    form.name = "shop";
    return {.offer = offer(), .form = form, .problems = {}};
}

NewClusterPage new_cluster_like_another() {
    auto page = new_cluster_page();
    page.form.like = "00000007";
    page.form.config = "{\"db_password\": \"********\"}";
    page.not_copied = {{"hardwaretype", "Not copied: this is the template's choice."},
                       {"imagetype", "Not copied: this is the template's choice."}};
    return page;
}

NewClusterPage new_cluster_in_doubt(bool is_admin) {
    auto page = new_cluster_page();
    page.doubts = {is_admin ? "Web server needs sql, and no machine of this layout has that."
                            : "Web server and Cache must not share a machine."};
    page.is_impossible = !is_admin;
    page.unpriced = "No machine has a price in EUR: no cluster can be created.";
    page.is_admin = is_admin;
    return page;
}

NewClusterPage new_cluster_with_problems() {
    auto page = new_cluster_page();
    page.form.name = "the shop!";
    page.form.machines = "40";
    page.form.config = "{\"web\": ";
    page.problems = {
        {"name", "Use letters, digits, dots, hyphens and underscores only."},
        {"numMachines", "The template allows 1 to 20 machines."},
        {"clusterTemplate", "This template has changed since the form was drawn."},
        {"config", "Line 2, column 5: expected the name of a member in double quotes, found }."},
        {"services", "web needs a load-balancer."},
        {"initialLeaseDuration", "At most 7 days."},
        {"providerFields.key", "The provider needs this."},
        {"", "The tenant's quota of 10 clusters is used up."}};
    page.is_refused = true;
    page.missing = {{.service = "web", .needs = "load-balancer", .offered = {"load-balancer"}}};
    page.remedies = {{true, "Ask for 5 machines."},
                     {false, "Drop the rule that web and cache must not share a machine."}};
    return page;
}

NewClusterPage new_cluster_of_one_size() {
    auto page = new_cluster_page();
    for (auto& one : page.offer.templates) {
        one.constraints.size_min = one.constraints.size_max = 3;
    }
    page.form.services.clear();
    page.is_none_chosen = true;
    return page;
}

NewClusterPage new_cluster_of_draft() {
    auto page = new_cluster_page();
    page.form.of_draft = true;
    return page;
}

NewClusterPage new_cluster_elsewhere(bool is_admin) {
    auto page = new_cluster_page();
    page.form.provider = "openstack";
    page.form.hardware_type = "huge";
    page.offer.hardware_types.push_back({"huge", "huge", {"local"}});
    page.problems = {{"hardwaretype", "Hardware type huge has no flavor for provider openstack."}};
    page.remedies = {{true, "Ask for hardware type large, medium or small."},
                     {false, "Let the template have image types of provider openstack."}};
    page.drawn_provider = "local";
    page.is_admin = is_admin;
    return page;
}

PreviewPage explained_preview_page() {
    auto page = preview_page(4);
    page.defaults.services = {"cache", "web"};
    page.defaults.config = {{"web", {{"port", 80}, {"title", "Hello"}}}};
    page.wanted.services = {"cache", "web", "cron", "load-balancer"};
    page.wanted.dns_suffix = "example.com";
    page.wanted.config = {{"web", {{"port", 8080}, {"theme", "dark"}}}};
    page.preview.reasons = {
        {.services = {{"cron", true, "cron needs at least 1 machine and is on no more than that."},
                      {"web", false, "web is not here: cron and web must not share a machine."}},
         .machine = "small is the only hardware type this cluster can have."},
        {.services = {{"web", true, "A machine takes every service it may have."}},
         .machine = "small is the only hardware type this cluster can have."}};
    return page;
}

PreviewPage preview_page(int machines) {
    PreviewPage page{.now = now};
    if (machines == 60) page.preview.lacking = {{"web", "sql"}};
    page.wanted.name = "shop";
    page.wanted.cluster_template = "web";
    page.wanted.description = "The shop, for the demo on Friday";
    page.preview.provider = "local";
    page.preview.provider_title = "This machine";
    page.preview.expires_at = now + 168h;
    for (int i = 1; i <= machines; ++i) {
        const auto services = i == 1 ? std::vector<std::string>{"cron", "load-balancer"}
                                     : std::vector<std::string>{"cache", "web"};
        page.preview.nodes.push_back({999 + i, "small", "debian", services});
    }
    page.preview.layout.groups = {{"small", "debian", {"cron", "load-balancer"}, 1},
                                  {"small", "debian", {"cache", "web"}, machines - 1}};
    page.preview.tasks = {{Action::create, machines},        {Action::confirm, machines},
                          {Action::bootstrap, machines},     {Action::install, 2 * machines},
                          {Action::configure, 2 * machines}, {Action::initialize, 0},
                          {Action::start, 2 * machines}};
    page.preview.task_count = 9 * machines;
    page.preview.stage_count = 9;
    page.wanted.machines = machines;
    page.labels = offer().labels();
    page.namesakes.emplace_back().name = "shop";
    page.creation_times = {std::chrono::seconds{70}, std::chrono::seconds{95}};
    page.preview.cost.emplace();
    page.preview.cost->per_hour.add({"USD", 46'400});
    page.preview.cost->unpriced[{"local", "local", "", "large", ""}] = 2;
    page.preview.cost_of_lease.add({"USD", 7'795'200});
    page.preview.warnings = {"85 % of the tenant's budget of 0.50 USD per hour is used."};
    page.sizes = {
        {.machines = machines - 1, .problems = {{"numMachines", "web needs at least 3 machines."}}},
        {.machines = machines,
         .layout = page.preview.layout,
         .task_count = 9 * machines,
         .cost = page.preview.cost},
        {.machines = machines + 1,
         .layout = page.preview.layout,
         .task_count = 9 * (machines + 1)}};
    provisioner::model::PluginField key;
    key.name = "key";
    key.label = "Key of the account";
    key.sensitive = true;
    page.provider_fields = {key};
    page.sent.fields = {{"providerFields.key", "typed"},
                        {"csrf", "5f3c"},
                        {"name", "shop"},
                        {"numMachines", std::to_string(machines)}};
    return page;
}

}  // namespace samples
