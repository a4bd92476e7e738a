// Samples of what machines come from and cost, and of the provisioners that make them.
#include "fcgi/pages/daemons/daemons.hpp"
#include "fcgi/pages/machines/login_keys.hpp"
#include "fcgi/pages/machines/prices.hpp"
#include "fcgi/pages/machines/unknown_machines.hpp"
#include "sample_values.hpp"
#include "samples.hpp"

namespace samples {

using namespace fcgi::pages;
using namespace provisioner::model;
using namespace std::chrono_literals;
using provisioner::base::Json;
using provisioner::base::Timestamp;

namespace {

/// One at work, one with more than is shown, one that is gone.
DaemonsPage daemons_page() {
    using provisioner::store::DaemonRow;
    using provisioner::store::RunningTask;
    const auto task = [](int number) {
        RunningTask running;
        running.cluster = ClusterId{7};
        running.job = JobId{12};
        running.task = TaskId{100 + number};
        running.tenant = "demo";
        running.cluster_name = "shop";
        running.hostname = "shop7-" + std::to_string(1000 + number) + ".local";
        running.action = number == 0 ? Action::confirm : Action::install;
        running.service = number == 0 ? "" : "web-application";
        running.since = now - std::chrono::seconds{200 - number};
        return running;
    };
    DaemonRow busy{.instance = "prov1:/var/lib/cooperage/provisioner.lock",
                   .pid = 4711,
                   .capacity = 2000,
                   .version = "0.2.0",
                   .started_at = now - std::chrono::hours{50},
                   .heartbeat_at = now - std::chrono::seconds{2},
                   .running = {}};
    DaemonRow full = busy;
    DaemonRow gone = busy;
    for (int i = 0; i < 3; ++i) busy.running.push_back(task(i));
    full.drains = true;
    full.version = "";
    full.instance = "prov2:/var/lib/cooperage/provisioner.lock";
    for (int i = 0; i < 53; ++i) full.running.push_back(task(i));
    gone.instance = "prov3:/var/lib/cooperage/provisioner.lock";
    gone.heartbeat_at = now - std::chrono::minutes{40};
    return {.daemons = {busy, full, gone}, .now = now};
}

DrainPage drain_page(bool is_last) {
    const auto daemon = daemons_page().daemons.front();
    return {.instance = daemon.instance, .running = daemon.running.size(), .is_last = is_last};
}

DaemonsPage draining_page() {
    auto page = daemons_page();
    for (auto& daemon : page.daemons) daemon.drains = true;
    return page;
}

Json in_daemons(Json page) {
    const Viewer viewer{.user = "admin",
                        .tenant = "superadmin",
                        .role = Role::superadmin,
                        .csrf = "5f3c",
                        .once = "0a1b"};
    return framed(std::move(page),
                  {.title = "Provisioners", .section = "daemons", .script = "live.js"}, viewer);
}

/// One account with machines, one that answers and has none, one that does not answer, and a
/// machine in an account of the installation.
UnknownMachinesPage unknown_machines_page() {
    ProviderAccount cloud{.id = ProviderAccountId{1},
                          .tenant = TenantId{2},
                          .tenant_name = "demo",
                          .provider_type = "aws",
                          .name = "AKIA0123456789 in eu-central-1",
                          .provider = "amazon",
                          .looked_at = now - std::chrono::seconds{25}};
    ProviderAccount empty = cloud;
    empty.id.value = 2;
    empty.name = "AKIA0123456789 in us-east-1";
    ProviderAccount failing = cloud;
    failing.id.value = 3;
    failing.name = "old@example.com in the basement";
    failing.looked_at.reset();
    failing.failures = 3;
    failing.error =
        "https://identity.api.rackspacecloud.com/v2.0/tokens: answered 401: the request lacks a "
        "valid token";
    ProviderAccount local{.id = ProviderAccountId{4},
                          .provider_type = "local",
                          .name = "prov1:/var/lib/cooperage/local"};
    const auto machine = [](const ProviderAccount& account, const std::string& name) {
        return UnknownMachine{.id = account.id.value * 1000 + name.back(),
                              .account = account,
                              .tenant = TenantId{2},
                              .tenant_name = "demo",
                              .machine = "i-0f2b" + name,
                              .name = name,
                              .addresses = {{"access_v4", "192.0.2.17"}, {"bind_v4", "10.0.0.4"}},
                              .first_seen = now - std::chrono::hours{30},
                              .last_seen = now - std::chrono::seconds{25}};
    };
    UnknownMachine host = machine(local, "web");
    host.tenant_name.clear();
    UnknownMachinesPage page{
        .accounts = {cloud, empty, failing},
        .machines = {machine(cloud, "00000042-1003"), machine(cloud, "00000007-1000"), host},
        .lost = {{.nodenum = 1001,
                  .cluster = ClusterId{42},
                  .tenant_name = "demo",
                  .hostname = "shop-1001.example.com",
                  .machine = "i-0a11",
                  .missing_since = now - std::chrono::minutes{7},
                  .may_be_reclaimed = true}},
        .count = 120,
        .counts = {{empty.id, 20}},
        .now = now};
    page.lost.resize(UnknownMachinesPage::most_lost + 1, page.lost.front());
    return page;
}

UnknownMachinesPage second_page_of_unknown_machines() {
    UnknownMachinesPage page = unknown_machines_page();
    page.page = 2;
    page.lost_page = 2;
    page.may_replace = false;
    return page;
}

Json in_unknown_machines(const UnknownMachinesPage& page) {
    return framed(to_json(page),
                  {.title = "Unknown machines", .section = "unknown_machines", .script = "live.js"},
                  administrator);
}

provisioner::operations::LoginKeyView login_key(LoginKeyState state, const std::string& provider,
                                                LoginProgress progress) {
    return {.row = {.id = LoginKeyId{7},
                    .tenant = TenantId{2},
                    .provider = provider,
                    .public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKf",
                    .state = state,
                    .made_at = now - 20min,
                    .made_by = "admin"},
            .progress = progress};
}

/// A provider of each source; a key on its way, one that is everywhere and one that was replaced.
LoginKeysPage login_keys_page() {
    using Source = provisioner::operations::LoginKeySource;
    LoginKeysPage page{.now = now, .done = "The new key is made."};
    page.view.keys = {
        login_key(LoginKeyState::current, "amazon",
                  {.nodes = 5, .done = 3, .failed = 1, .given_up = 1, .without_machine = 2}),
        login_key(LoginKeyState::current, "", {.nodes = 1, .done = 1}),
        login_key(LoginKeyState::replaced, "", {}), login_key(LoginKeyState::current, "empty", {})};
    page.view.providers = {
        {.provider = "amazon",
         .provider_type = "aws",
         .source = Source::provider_key,
         .key = page.view.keys[0].row},
        {.provider = "dc", .provider_type = "openstack", .source = Source::file},
        {.provider = "here",
         .provider_type = "local",
         .source = Source::tenant_key,
         .key = page.view.keys[1].row},
        {.provider = "old", .provider_type = "aws", .source = Source::installation},
        {.provider = "racks", .provider_type = "existing", .source = Source::none}};
    return page;
}

/// A node in each step, and one that fails.
LoginKeyPage login_key_page() {
    LoginKeyPage page{
        .key = login_key(LoginKeyState::current, "amazon", {.nodes = 700, .done = 3, .failed = 1}),
        .now = now};
    for (const auto& [step, word] : provisioner::base::words<LoginStep>) {
        page.nodes.push_back({.hostname = std::string(word) + ".example.com",
                              .cluster = ClusterId{42},
                              .step = step,
                              .standing = step == LoginStep::done ? LoginStanding::has_key
                                                                  : LoginStanding::on_its_way});
    }
    for (const auto& [standing, word] : provisioner::base::words<LoginStanding>) {
        page.nodes.push_back({.uuid = std::string(word),
                              .hostname = std::string(word) + ".example.com",
                              .cluster = ClusterId{42},
                              .standing = standing,
                              .given_up_by = "admin"});
    }
    page.nodes.push_back({.hostname = "down.example.com",
                          .cluster = ClusterId{42},
                          .tries = 3,
                          .message = "192.0.2.7: no route to host",
                          .retry_at = now + 2min});
    page.done = "No older key is kept.";
    return page;
}

Json in_login_keys(Json page) {
    return framed(std::move(page), {.title = "Login keys", .section = "login_keys"}, administrator);
}

Price price(const MachineKind& of, std::int64_t micros, const std::string& currency) {
    return {
        .of = of, .per_hour = {.currency = currency, .micros = micros}, .is_own = of.region != ""};
}

/// Both lists, a budget that is nearly used up, and a refused text.
PricesPage prices_page() {
    namespace operations = provisioner::operations;
    PricesPage page{.own = {.owner = operations::PriceListOwner::tenant, .tenant = "demo"},
                    .common = {.owner = operations::PriceListOwner::everybody},
                    .provider_types = {{"aws", "Amazon Web Services (aws)"}, {"local", "local"}},
                    .providers = {{"amazon", "Amazon, Ireland (amazon)"}},
                    .for_superadmin = true,
                    .month = month_of(now),
                    .now = now};
    page.own.prices = {price({"aws", "amazon", "eu-west-1", "m5.large", "ami-1"}, 107'000, "USD")};
    page.tenant.name = "demo";
    page.own.text = "provider_type,flavor\n";
    page.own.problems = {{"line 1", "The column currency is missing."}};
    page.done = "Prices for all tenants saved.";
    page.own.added.fields = {
        {"providerType", "aws"}, {"perHour", "cheap"}, {"replaces", "aws,,,m5.large,,USD,0.1"}};
    page.own.problems_added = {{"perHour", "must be a number."}};
    page.common.prices = {price({"local", "", "", "*", ""}, 2'000, "EUR")};
    for (std::size_t i = 0; i < PricesPage::most_prices; ++i) {
        page.common.prices.push_back(
            price({"digitalocean", "", "", "s-" + std::to_string(i), ""}, 8'930, "USD"));
    }
    operations::CostShare share{.owner = "ada", .cluster_template = "web", .seconds = 360'000};
    share.cost.amounts.add({"USD", 10'700'000});
    share.cost.unpriced_seconds = 7200;
    page.shares = {share};
    page.budget = operations::BudgetState{
        .budget = {.currency = "USD", .per_hour = 500'000, .per_month = 100'000'000},
        .use = {.month = page.month}};
    page.budget->use.spent.amounts.add({"USD", 10'700'000});
    page.budget->use.machines.hourly.per_hour.add({"USD", 428'000});
    page.budget->use.machines.committed.add({"USD", 71'900'000});
    page.budget->warnings = {"85 % of the tenant's budget of 0.50 USD per hour is used."};
    return page;
}

/// A new list that is not saved yet.
/// As a superadmin sees those of another tenant.
PricesPage prices_of_other() {
    PricesPage page = prices_page();
    page.tenant_href = "/tenants/demo";
    page.href = "/tenants/demo/prices";
    page.own.text.reset();
    page.own.problems = {};
    page.own.added = {};
    page.own.problems_added = {};
    page.unpriced_currency = "EUR";
    return page;
}

PricesPage filtered_prices() {
    PricesPage page = prices_page();
    page.own = {.owner = page.own.owner, .prices = page.own.prices};
    page.done.clear();
    page.filter = {.provider_type = "digitalocean", .text = "s-"};
    page.common.page = 2;
    page.common.prices.resize(300);
    return page;
}

PricesPage previewed_prices() {
    PricesPage page = prices_page();
    page.done = "";
    page.common.prices.resize(3);
    page.own.text =
        "provider_type,provider,region,flavor,image,currency,per_hour\n"
        "aws,amazon,eu-west-1,m5.large,ami-1,USD,0.12\n";
    page.own.problems = {};
    page.own.added = {};
    page.own.problems_added = {};
    page.own.is_preview = true;
    page.own.is_overtaken = true;
    page.own.last_change =
        LastChange{.user = "grace", .at = now - std::chrono::minutes{3}, .href = "/audit/7"};
    return page;
}

PricesPage single_price() {
    PricesPage page = prices_page();
    page.done = "";
    page.common.prices.resize(3);
    page.own.problems = {};
    page.own.added = {};
    page.own.problems_added = {};
    fcgi::http::FormData adds;
    adds.fields = {{"list", "own"},     {"providerType", "aws"}, {"flavor", "m5.small"},
                   {"currency", "USD"}, {"perHour", "0.05"},     {"add", "1"}};
    preview_draft(adds, page.own);
    return page;
}

Json in_prices(const PricesPage& page) {
    return framed(to_json(page), {.title = "Prices", .section = "prices"}, administrator);
}

}  // namespace

std::vector<Sample> of_machines() {
    return {
        {"unknown_machines", "machines/unknown", in_unknown_machines(unknown_machines_page())},
        {"unknown_machines_next", "machines/unknown",
         in_unknown_machines(second_page_of_unknown_machines())},
        {"unknown_machines_none", "machines/unknown",
         in_unknown_machines(UnknownMachinesPage{.now = now})},
        {"login_keys", "machines/login_keys", in_login_keys(to_json(login_keys_page()))},
        {"login_keys_none", "machines/login_keys",
         in_login_keys(to_json(LoginKeysPage{.now = now}))},
        {"login_key", "machines/login_key", in_login_keys(to_json(login_key_page()))},
        {"login_key_none", "machines/login_key", in_login_keys(to_json(LoginKeyPage{.now = now}))},
        {"prices", "machines/prices", in_prices(prices_page())},
        {"prices_of_tenant", "machines/prices", in_prices(prices_of_other())},
        {"prices_filtered", "machines/prices", in_prices(filtered_prices())},
        {"prices_preview", "machines/prices", in_prices(previewed_prices())},
        {"prices_single", "machines/prices", in_prices(single_price())},
        {"prices_none", "machines/prices",
         in_prices(
             PricesPage{.own = {.owner = provisioner::operations::PriceListOwner::tenant},
                        .common = {.owner = provisioner::operations::PriceListOwner::everybody},
                        .month = month_of(now)})},
        {"daemons", "daemons/index", in_daemons(to_json(daemons_page()))},
        {"drain", "daemons/drain", in_daemons(to_json(drain_page(false)))},
        {"drain_last", "daemons/drain", in_daemons(to_json(drain_page(true)))},
        {"daemons_all_drain", "daemons/index", in_daemons(to_json(draining_page()))},
        {"daemons_none", "daemons/index", in_daemons(to_json(DaemonsPage{.now = now}))},
    };
}

}  // namespace samples
