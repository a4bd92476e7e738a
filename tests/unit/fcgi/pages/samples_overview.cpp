// Samples of the pages that show many things at once: home, search, tenants, provisioners, queues.
#include "fcgi/pages/daemons/queues.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/home/home.hpp"
#include "fcgi/pages/machines/machines_page.hpp"
#include "fcgi/pages/search/search.hpp"
#include "fcgi/pages/tenants/deletion.hpp"
#include "fcgi/pages/tenants/tenants.hpp"
#include "samples.hpp"

namespace samples {

namespace overview {

using namespace fcgi::pages;
using namespace provisioner::model;
using namespace std::chrono_literals;
using provisioner::base::Json;
using provisioner::base::Timestamp;
namespace store = provisioner::store;

const Timestamp noon = provisioner::base::from_sql("2026-11-20 10:00:00");
const Viewer user{
    .user = "ada", .tenant = "demo", .role = Role::user, .csrf = "5f3c", .once = "0a1b"};
const Viewer superadmin{.user = "admin",
                        .tenant = "superadmin",
                        .role = Role::superadmin,
                        .csrf = "5f3c",
                        .once = "0a1b"};

store::ClusterSummary cluster(int id, const std::string& name, ClusterStatus status) {
    store::ClusterSummary made;
    made.id = ClusterId{id};
    made.name = name;
    made.owner = "ada";
    made.status = status;
    made.created_at = noon - 3h;
    if (id % 3 == 0) made.description = "For the demo on Friday";
    Job job;
    job.id = JobId{2};
    job.cluster = made.id;
    job.status = status == ClusterStatus::pending ? JobStatus::running : JobStatus::failed;
    job.tasks_total = 40;
    job.tasks_done = 17;
    made.latest_job = job;
    if (status == ClusterStatus::incomplete) {
        made.message = "install mysql failed on shop-1001.local: no space left on device";
    }
    return made;
}

HomePage home_page() {
    HomePage page{.of_tenant = "demo", .now = noon};
    page.counts = {.active = 12, .stopped = 2, .pending = 1, .failing = 2, .nodes = 74};
    page.use = {.clusters = 15, .nodes = 74};
    page.max_clusters = 15;
    page.max_nodes = 200;
    page.budget.emplace();
    page.budget->budget = {.currency = "USD", .per_hour = 2'000'000};
    page.show_owner = true;
    page.broken = {{"shop", "Shop", "Web requires sql, which is not among its default services."},
                   {"blog", "blog", "It names service php, which is not in the catalogue."}};
    page.broken.push_back({.name = "forum",
                           .label = "Forum",
                           .reason = "3–8 machines: not possible.",
                           .weight = TroubleWeight::some_works});
    page.broken.push_back({.name = "wiki",
                           .label = "Wiki",
                           .reason = "ada and bob may not use its default service Database.",
                           .weight = TroubleWeight::some_works});
    page.broken_count = 17;
    page.unpriced_currency = "EUR";
    for (int i = 0; i < 8; ++i) {
        page.failing.push_back(
            cluster(40 + i, "shop-" + std::to_string(i), ClusterStatus::incomplete));
        page.pending.push_back(cluster(60 + i, "web", ClusterStatus::pending));
        page.active.push_back(cluster(20 + i, "site", ClusterStatus::active));
        page.expiring.push_back({.id = ClusterId{80 + i},
                                 .name = "trial",
                                 .owner = "grace",
                                 .expires_at = noon + std::chrono::hours{i + 2}});
    }
    return page;
}

/// Of a superadmin: all tenants, with some clusters in the own one.
HomePage installation_home_page() {
    HomePage page = home_page();
    // It is of their own tenant's administrators.
    page.broken.clear();
    page.unpriced_currency.clear();
    page.of_tenant = "superadmin";
    page.active.clear();
    page.expiring.clear();
    page.counts = {.active = 210, .stopped = 3, .pending = 14, .failing = 15, .nodes = 1234};
    for (auto* const list : {&page.failing, &page.pending}) {
        for (std::size_t i = 0; i < list->size(); ++i) {
            (*list)[i].tenant = i % 2 == 0 ? "demo" : "lab";
        }
    }
    page.use = {.clusters = 2, .nodes = 5};
    HomeInstallation installation;
    installation.own = {.active = 2, .nodes = 5};
    installation.longest.tenant = "demo";
    installation.longest.due = 3;
    installation.longest.oldest_seconds = 75;
    installation.wait.words = "the tenant's limit: 4 of 4 workers in use";
    auto& numbers = installation.numbers;
    numbers.tasks_claimed = 42;
    numbers.tasks_due = 3;
    numbers.tasks_later = 12;
    numbers.unknown_machines = 2;
    numbers.lost_machines = 1;
    numbers.mails_failing = 3;
    numbers.mails_failing_seconds = 720;
    numbers.mail_error = "smtp://mail.example: Connection refused";
    numbers.failing_accounts = {{"aws", 1}};
    numbers.daemons = {{.instance = "prov1:/var/lib/cooperage/provisioner.lock",
                        .capacity = 2000,
                        .running = 42,
                        .heard_seconds_ago = 2}};
    page.installation = installation;
    return page;
}

/// Nothing to do, and nothing in the own tenant.
HomePage quiet_home_page() {
    HomePage page = installation_home_page();
    page.counts = {.active = 210, .nodes = 1234};
    page.failing.clear();
    page.pending.clear();
    page.installation->own = {};
    page.installation->longest = {};
    auto& numbers = page.installation->numbers;
    numbers.tasks_due = numbers.unknown_machines = numbers.lost_machines = 0;
    numbers.mails_failing = 0;
    numbers.failing_accounts.clear();
    return page;
}

HomePage draining_home_page() {
    HomePage page = installation_home_page();
    page.installation->numbers.daemons.front().drains = true;
    page.installation->wait.words = "a provisioner: all are draining";
    return page;
}

HomePage silent_home_page() {
    HomePage page = installation_home_page();
    page.installation->numbers.daemons.front().heard_seconds_ago = 4000;
    page.installation->wait.words = "a provisioner: none is running";
    return page;
}

/// What a superadmin sees who views a tenant: what it has, and nothing that would change it.
HomePage viewed_home_page() {
    HomePage page = home_page();
    page.counts.pending = 0;
    page.failing.clear();
    page.pending.clear();
    page.expiring.resize(1);
    page.max_nodes = no_maximum;
    page.may_create = false;
    return page;
}

Json in_home(const HomePage& page, const Viewer& viewer) {
    return framed(to_json(page), {.title = "Home", .section = "home", .script = "live.js"}, viewer);
}

Json in_queues(const QueuesPage& page) {
    return framed(to_json(page), {.title = "Queues", .section = "queues", .script = "live.js"},
                  superadmin);
}

QueuesPage queues_page() {
    QueuesPage page{.now = noon};
    page.queues = {{.id = TenantId{2},
                    .tenant = "demo",
                    .workers = 4,
                    .due = 12,
                    .later = 3,
                    .running = 4,
                    .oldest_seconds = 300,
                    .oldest_needs = {"shell"}},
                   {.id = TenantId{3},
                    .tenant = "lab",
                    .workers = 0,
                    .due = 0,
                    .later = 1,
                    .running = 2,
                    .oldest_seconds = 0}};
    for (int i = 0; i < waiting_shown; ++i) {
        page.waiting.push_back({.task = TaskId{100 + i},
                                .job = JobId{2},
                                .cluster = ClusterId{42},
                                .tenant = "demo",
                                .cluster_name = "shop",
                                .nodenum = 1000,
                                .hostname = "shop42-1000.local",
                                .action = Action::install,
                                .service = "web",
                                .needs = {i == 1 ? "chef" : "shell"},
                                .seconds = 300 - i});
    }
    page.unknown_machines = 2;
    page.lost_machines = 1;
    page.mails = "3 emails cannot be sent, for 12 minutes now (smtp://mail.example: refused).";
    page.workforce = {.alive = 1, .at_work = 1, .workers = 2000, .busy = 6, .offers = {{"shell"}}};
    return page;
}

QueuesPage all_of_the_queue() {
    auto page = queues_page();
    page.page = 2;
    page.queues.front().due = 1200;
    return page;
}

QueuesPage queue_with_long_names() {
    auto page = queues_page();
    page.waiting.resize(2);
    page.workforce = {.alive = 1};
    page.waiting[0].hostname = std::string(200, 'h');
    page.waiting[0].cluster_name = std::string(200, 'c');
    page.waiting[0].tenant = page.queues[0].tenant = std::string(200, 't');
    return page;
}

Json in_tenants(Json page, const std::string& title) {
    return framed(std::move(page), {.title = title, .section = "tenants"}, superadmin);
}

Tenant a_tenant() {
    Tenant tenant;
    tenant.id = TenantId{2};
    tenant.uid = "0b7a2c1e-6c1f-4f56-9d55-0f2a8d5f6b1c";
    tenant.name = "demo";
    tenant.description = "For trying things out.";
    tenant.workers = 4;
    tenant.max_clusters = 20;
    return tenant;
}

TenantsPage tenants_page() {
    TenantsPage page{
        .workers = 2000, .free_workers = 0, .running = 42, .queued = 12, .done = "Done."};
    page.tenants = {
        {.tenant = a_tenant(), .use = {.clusters = 12, .nodes = 60}, .users = 5, .failing = 2}};
    page.running_of["demo"] = 3;
    return page;
}

TenantPage tenant_page() {
    TenantPage page{.tenant = a_tenant(), .now = noon};
    page.form = {.name = "demo", .workers = "9999999", .max_clusters = "20"};
    page.problems = {{"base", "The tenant was saved meanwhile."},
                     {"workers", "\"4\" was saved meanwhile."}};
    page.free_workers = 0;
    page.use = {.clusters = 12, .nodes = 60};
    page.done = "Saved.";
    page.users = 27;
    page.running = 3;
    page.budget.emplace();
    page.budget->budget = {.currency = "USD", .per_hour = 2'000'000, .per_month = 900'000'000};
    page.budget->use.month.name = "November 2026";
    page.base = "5f3c";
    page.is_overtaken = true;
    page.last_change = LastChange{.user = "grace", .at = noon - 3min, .href = "/audit/12"};
    page.unpriced_currency = "USD";
    return page;
}

/// Nobody can log in to it yet.
TenantPage empty_tenant_page() {
    TenantPage page{.tenant = a_tenant(), .now = noon};
    page.done = "Tenant demo created.";
    return page;
}

TenantDeletionPage deletion_page() {
    TenantDeletionPage page{
        .tenant = a_tenant(),
        .use = {.clusters = 3, .nodes = 8},
        .users = 3,
        .providers = {{.name = "corp", .rules = 2, .ends = true}, {.name = "lab", .rules = 1}},
        .refusals = {"The job of shop is being aborted. Delete the cluster when that has ended."},
        .done = "Clusters are being deleted.",
        .confirmed = "dem",
        .problems = {{"confirm", "This is not the name."}}};
    for (const auto& [id, name] : {std::pair{43, "blog"}, std::pair{42, "shop"}}) {
        auto& cluster = page.clusters.emplace_back();
        cluster.id = ClusterId{id};
        cluster.name = name;
        cluster.owner = "ada";
        cluster.node_count = 4;
        cluster.status = ClusterStatus::active;
    }
    auto& deleted = page.clusters.front();
    deleted.status = ClusterStatus::pending;
    deleted.latest_job.emplace();
    deleted.latest_job->operation = Operation::cluster_delete;
    return page;
}

TenantDeletionPage deletion_page_of_empty() {
    TenantDeletionPage page;
    page.tenant.name = "old";
    return page;
}

TenantPage page_of_superadmins() {
    TenantPage page{.tenant = a_tenant(), .now = noon};
    page.tenant.name = superadmin_tenant;
    page.factor_of_all = SecondFactorFor::admins;
    page.users = 1;
    return page;
}

TenantPage new_tenant() {
    TenantPage page{.is_new = true, .free_workers = 0, .now = noon};
    page.form = {.workers = "1", .max_clusters = "10", .max_nodes = "50"};
    return page;
}

Json in_search(const SearchPage& page) {
    return framed(to_json(page), {.title = "Search", .section = "search"}, superadmin);
}

SearchPage search_page() {
    return {.text = "shop",
            .groups = {{.label = "Clusters",
                        .hits = {{.label = "shop",
                                  .detail = "active, of ada: The shop, for the demo on Friday",
                                  .href = "/clusters/00000042"},
                                 {.label = "shop-test",
                                  .detail = "deleted, of grace",
                                  .href = "/clusters/00000007"}}},
                       {.label = "Machines",
                        .hits = {{.label = "shop42-1000.local",
                                  .detail = "of shop",
                                  .href = "/clusters/00000042/machines/1000"}}},
                       {.label = "Users",
                        .hits = {{.label = "shopkeeper", .href = "/people/shopkeeper"}}}}};
}

/// One of each group that is cut.
SearchPage search_page_of_many(const std::string& kind) {
    SearchPage page{.text = "shop", .kind = kind};
    const auto add = [&](const char* label, const char* word) {
        if (!kind.empty() && kind != word) return;
        SearchGroup group{.label = label, .kind = word, .is_cut = true};
        for (int i = 1; i <= search_rows; ++i) {
            group.hits.push_back({.label = "shop" + std::to_string(i),
                                  .detail = "of shop",
                                  .href = "/clusters/00000042/machines/" + std::to_string(i)});
        }
        page.groups.push_back(std::move(group));
    };
    add("Clusters", "clusters");
    add("Machines", "machines");
    return page;
}

/// A machine of each state.
std::vector<MachineRow> machines_of_all_looks() {
    struct Look {
        ClusterStatus status;
        int done;
        int running;
        int failed;
    };
    std::vector<MachineRow> rows;
    for (const auto& [status, done, running, failed] :
         {Look{ClusterStatus::pending, 4, 1, 0}, Look{ClusterStatus::pending, 2, 0, 0},
          Look{ClusterStatus::pending, 0, 0, 0}, Look{ClusterStatus::incomplete, 3, 0, 1},
          Look{ClusterStatus::incomplete, 3, 0, 0}, Look{ClusterStatus::inconsistent, 1, 0, 0},
          Look{ClusterStatus::active, 0, 0, 0}, Look{ClusterStatus::active, 8, 0, 0}}) {
        const int number = static_cast<int>(rows.size());
        const bool is_young = status == ClusterStatus::pending && done == 0;
        MachineRow row;
        row.cluster = cluster(60 - number, number % 2 == 0 ? "shop" : "analytics", status);
        row.cluster.tenant = number % 2 == 0 ? "demo" : "lab";
        row.cluster.provider.name = "local";
        row.cluster.provider.label = "Hosts on this machine";
        row.machine = {.node = NodeId{500 + number},
                       .cluster = row.cluster.id,
                       .nodenum = 1000 + number,
                       .hostname = row.cluster.name + std::to_string(60 - number) + "-" +
                                   std::to_string(1000 + number) + ".local",
                       .hardware_type = number % 3 == 0 ? "small" : "large",
                       .address = is_young ? "" : "10.0.0." + std::to_string(20 + number),
                       .tasks = status == ClusterStatus::active && done == 0 ? 0 : 8,
                       .done = done,
                       .running = running,
                       .failed = failed,
                       .action = Action::install,
                       .service = "mysql"};
        rows.push_back(std::move(row));
    }
    rows.back().lost = noon - 2h;
    rows[5].machine.leaves = true;
    rows[5].left = "running";
    for (MachineRow& row : rows) {
        row.look = look_of({.status = row.cluster.status, .operation = Operation::cluster_create},
                           row.lost, row.machine);
    }
    rows[4].look = MachineLook::runs;
    rows[4].left = "change not finished";
    return rows;
}

MachinesPage machines_page() {
    return {.machines = machines_of_all_looks(),
            .order = "-name",
            .counts = std::map<std::string, std::size_t>{{"", 8},
                                                         {"failed", 1},
                                                         {"lost", 1},
                                                         {"pending", 3},
                                                         {"unfinished", 0},
                                                         {"leaving", 1},
                                                         {"stopped", 0},
                                                         {"ready", 2}},
            .portion = portion_of(8, machines_on_a_list, 1),
            .total = 8,
            .now = noon};
}

MachinesPage third_page_of_machines() {
    auto page = machines_page();
    page.portion = portion_of(1234, machines_on_a_list, 3);
    page.order.clear();
    page.counts.reset();
    return page;
}

MachinesPage machines_of_all_tenants() {
    auto page = machines_page();
    page.choice = "pending";
    page.text = "shop";
    page.portion = portion_of(107, machines_on_a_list, 3);
    page.order.clear();
    page.counts.reset();
    page.before.value = 80;
    page.rest = ClusterId{54};
    page.looked_at = 20'000;
    page.may_see_all = true;
    page.is_of_all = true;
    page.tenant = "superadmin";
    page.show_owner = true;
    return page;
}

Json in_machines(const MachinesPage& page, const Viewer& viewer, bool is_still = false) {
    return framed(to_json(page),
                  {.title = "Machines",
                   .section = "machines",
                   .script = "live.js",
                   .refresh = {.is_stopped = is_still}},
                  viewer);
}

Viewer viewing() {
    Viewer viewer = superadmin;
    viewer.role = Role::auditor;
    viewer.viewing = "demo";
    return viewer;
}

Viewer viewing_elsewhere() {
    Viewer viewer = superadmin;
    viewer.views = {{"demo", noon - std::chrono::minutes{12}}, {"lab", noon}};
    return viewer;
}

HomePage empty_home_page() {
    HomePage page{.of_tenant = "demo", .now = noon};
    page.max_clusters = no_maximum;
    page.max_nodes = no_maximum;
    return page;
}

}  // namespace overview

std::vector<Sample> of_overview() {
    using namespace overview;
    return {
        {"home", "home/index", in_home(installation_home_page(), superadmin)},
        {"home_quiet", "home/index", in_home(quiet_home_page(), superadmin)},
        {"home_of_tenant", "home/index", in_home(home_page(), user)},
        {"home_viewing_elsewhere", "home/index", in_home(quiet_home_page(), viewing_elsewhere())},
        {"home_viewing", "home/index", in_home(viewed_home_page(), viewing())},
        {"home_draining", "home/index", in_home(draining_home_page(), superadmin)},
        {"home_silent", "home/index", in_home(silent_home_page(), superadmin)},
        {"machines", "machines/index", in_machines(machines_page(), user)},
        {"machines_numbered", "machines/index", in_machines(third_page_of_machines(), user)},
        {"machines_everywhere", "machines/index",
         in_machines(machines_of_all_tenants(), superadmin, true)},
        {"machines_none", "machines/index", in_machines({.now = noon}, user)},
        {"machines_none_failed", "machines/index",
         in_machines({.choice = "failed", .now = noon}, user)},
        {"machines_none_found", "machines/index",
         in_machines({.text = "nowhere", .now = noon}, user)},
        {"machines_none_so_far", "machines/index",
         in_machines({.choice = "pending", .rest = ClusterId{54}, .looked_at = 2000, .now = noon},
                     user)},
        {"queues", "daemons/queues", in_queues(queues_page())},
        {"queues_all", "daemons/queues", in_queues(all_of_the_queue())},
        {"queues_long", "daemons/queues", in_queues(queue_with_long_names())},
        {"queues_none", "daemons/queues", in_queues({.now = noon})},
        {"tenants", "tenants/index", in_tenants(to_json(tenants_page()), "Tenants")},
        {"tenant", "tenants/show", in_tenants(to_json(tenant_page()), "demo")},
        {"tenant_empty", "tenants/show", in_tenants(to_json(empty_tenant_page()), "demo")},
        {"tenant_new", "tenants/show", in_tenants(to_json(overview::new_tenant()), "New tenant")},
        {"tenant_delete", "tenants/delete", in_tenants(to_json(deletion_page()), "Delete demo")},
        {"tenant_delete_empty", "tenants/delete",
         in_tenants(to_json(deletion_page_of_empty()), "Delete old")},
        {"tenant_super", "tenants/show", in_tenants(to_json(page_of_superadmins()), "superadmin")},
        {"search", "search/index", in_search(search_page())},
        {"search_nothing", "search/index", in_search({.text = "nowhere"})},
        {"search_many", "search/index", in_search(search_page_of_many(""))},
        {"search_kind", "search/index", in_search(search_page_of_many("machines"))},
        {"search_form", "search/index", in_search({})},
        {"home_empty", "home/index", in_home(empty_home_page(), user)},
    };
}

}  // namespace samples
