#include "builder_samples.hpp"

#include "fcgi/pages/catalogue/builder/drawn_template.hpp"
#include "fcgi/pages/catalogue/builder/template_page.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"
#include "fcgi/pages/catalogue/offer.hpp"
#include "fcgi/pages/catalogue/template_facts.hpp"
#include "fcgi/pages/catalogue/versions/sync.hpp"
#include "fcgi/pages/catalogue/versions/update_all.hpp"
#include "fcgi/pages/catalogue/versions/version_pages.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/to_check.hpp"

namespace samples {

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::operations::SizeAnswer;
using provisioner::solver::TemplatePart;

namespace {

const Viewer editor{.user = "admin", .tenant = "demo", .role = Role::admin, .csrf = "5f3c"};

/// With the script that its handler asks for.
Json in_builder(Json page, const std::string& title, const char* script = "") {
    return framed(std::move(page), {.title = title, .section = "catalogue", .script = script},
                  editor);
}

template <class Page>
Json built(const Page& page, const char* script = "") {
    return in_builder(to_json(page), title_of(page), script);
}

ClusterTemplate shop() {
    ClusterTemplate made;
    made.header.name = "shop";
    made.header.label = "Shop";
    made.header.description = "A shop with its database.";
    made.header.version = 3;
    made.defaults.services = {"database", "web"};
    made.defaults.provider = "local";
    made.defaults.config = {{"web", {{"greeting", "Hello"}}}};
    made.compatibility.services = {"cache", "database", "web"};
    made.constraints.size_max = 20;
    made.constraints.must_coexist = {{"cache", "web"}};
    made.constraints.cant_coexist = {{"database", "web"}};
    made.constraints.services = {
        {"database", {.hardware_types = {"large"}, .image_types = {}, .max = 1}}};
    made.links = {{"Shop", "http://%ip.access_v4.service.web[0]%/"}};
    made.extends = "base";
    made.includes = {"monitoring", "backups"};
    made.lease.initial = std::chrono::hours(50);
    return made;
}

/// With a parent and a partial template of which it takes something.
TemplateSurroundings family_of_shop() {
    provisioner::operations::CatalogueEntries entries;
    entries[CatalogueKind::service] = {{{"name", "database"}, {"label", "MariaDB"}},
                                       {{"name", "web"}}};
    ClusterTemplate base;
    base.header.name = "base";
    base.header.label = "Base";
    base.constraints.size_min = 2;
    base.constraints.cant_coexist = {{"database", "queue"}};
    base.compatibility.hardware_types = {"large"};
    ClusterTemplate monitoring;
    monitoring.header.name = "monitoring";
    monitoring.immutable = true;
    monitoring.defaults.services = {"exporter"};
    monitoring.defaults.config = {{"exporter", {{"port", 9100}}}};
    ClusterTemplate backups;
    backups.header.name = "backups";
    backups.immutable = false;
    backups.defaults.services = {"borg"};
    entries[CatalogueKind::cluster_template] = {to_json(base), to_json(shop())};
    entries[CatalogueKind::partial_template] = {to_json(monitoring), to_json(backups)};
    return surroundings_in(std::move(entries));
}

/// With labels for some, and a parent that has a rule of its own.
TemplateSurroundings around_shop() {
    provisioner::operations::CatalogueEntries entries;
    entries[CatalogueKind::service] = {{{"name", "cache"}, {"label", "Redis"}},
                                       {{"name", "database"}, {"label", "MariaDB"}},
                                       {{"name", "web"}}};
    entries[CatalogueKind::hardware_type] = {{{"name", "small"}, {"label", "Small, 2 cores"}}};
    ClusterTemplate base;
    base.header.name = "base";
    base.constraints.must_coexist = {{"cache", "queue"}};
    entries[CatalogueKind::cluster_template] = {to_json(base)};
    return surroundings_in(std::move(entries));
}

TemplateOffer shop_offer() {
    return {.services = {"cache", "database", "web"},
            .hardware_types = {"large", "small"},
            .image_types = {"debian"},
            .providers = {"local"},
            .templates = {"base"},
            .partials = {"backups", "monitoring"},
            .around = around_shop()};
}

std::vector<SizeAnswer> shop_sizes() {
    const auto layout = [](int webs) {
        return provisioner::solver::ClusterLayout{
            {{"large", "debian", {"database"}, 1}, {"small", "debian", {"web"}, webs}}};
    };
    SizeAnswer one{.machines = 1};
    one.why.reasons = {"database and web must not share a machine, and there is only 1 machine."};
    one.why.clash = {{.kind = TemplatePart::Kind::apart, .services = {"database", "web"}},
                     {.kind = TemplatePart::Kind::at_least, .services = {"queue"}},
                     {.kind = TemplatePart::Kind::together, .services = {"cache", "queue"}}};
    one.why.remedies = {{true, "Ask for 2 machines."},
                        {false,
                         "Drop the rule that database and web must not share a machine.",
                         {{.kind = TemplatePart::Kind::apart, .services = {"database", "web"}}}},
                        {false,
                         "Drop the minimum of queue.",
                         {{.kind = TemplatePart::Kind::at_least, .services = {"queue"}}}}};
    return {one,
            {.machines = 2, .layout = layout(1)},
            {.machines = 3, .layout = layout(2)},
            {.machines = 4, .layout = layout(3)}};
}

TemplatePage shop_page() {
    TemplatePage page{.form = template_form_of(CatalogueKind::cluster_template, shop()),
                      .offer = shop_offer()};
    page.form.from = "1";
    page.form.to = "4";
    page.form.services.emplace_back("queue");
    page.preview.sizes =
        provisioner::operations::TemplateSizes{.provider = "local",
                                               .services = {"database", "web", "queue"},
                                               .sizes = shop_sizes(),
                                               .most = 20};
    return page;
}

TemplatePage new_shop_page() {
    return {.form = new_template_form(CatalogueKind::cluster_template)};
}

/// A default that its parent does not allow, and lists that are long enough to be filtered.
TemplatePage long_shop_page() {
    auto page = shop_page();
    auto& sizes = *page.preview.sizes;
    sizes.sizes.push_back({.machines = 5});
    sizes.sizes.back().why.reasons = {"There is no room."};
    sizes.beyond = {{.machines = 10}, {.machines = 20}};
    sizes.beyond.back().why = sizes.sizes.back().why;
    page.form.hardware_type = "small";
    for (int i = 1; i <= 40; ++i) page.offer.services.push_back("service-" + std::to_string(i));
    for (int i = 1; i <= 20; ++i) {
        page.offer.hardware_types.push_back("size-" + std::to_string(i));
    }
    page.form.fit_services.clear();
    ClusterTemplate base;
    base.header.name = "base";
    base.compatibility.hardware_types = {"large"};
    page.offer.around.entries[CatalogueKind::cluster_template] = {to_json(base)};
    SizeAnswer none{.machines = 1};
    none.why.field = "hardwaretype";
    none.why.reasons = {"Template shop does not allow hardware type small."};
    page.preview.sizes->sizes = {none};
    return page;
}

TemplatePage shop_with_problems() {
    auto page = shop_page();
    page.form.note = "More room";
    page.form.groups.push_back({.is_together = true, .services = {"database", "web"}});
    page.newer = "4";
    page.in_force = to_json(shop());
    page.in_force["label"] = "Their shop";
    page.now = provisioner::base::from_sql("2026-11-20 10:00:00");
    page.last_change =
        LastChange{.user = "grace", .at = page.now - std::chrono::minutes{3}, .href = "/audit/7"};
    page.preview = {
        .problems = {{"defaults.config", "Line 2, column 3: expected a value, found }."}}};
    page.problems = {{"", "cluster template shop was changed meanwhile: version 4 is in force."},
                     {"defaults.config", "Line 2, column 3: expected a value, found }."},
                     {"compatibility.services", "must be an array"},
                     {"administration.leaseduration.initial",
                      "Enter days, hours and minutes as whole numbers, 0 or more."},
                     {"constraints.layout.mustcoexist", "has too many groups."},
                     {"group.0.services", "Tick the services of this rule, or remove it."},
                     {"limit.0.max", "Enter a whole number, at least 0."}};
    page.lacks_services = true;
    page.without_effect = {
        "The lease and constraints of its partial template Base have no effect: those of cluster "
        "templates are in force."};
    page.lacking = {.sentences = {"Web requires cache, which is not among its default services."},
                    .to_add = {"cache"}};
    page.is_draft = true;
    page.is_unsaved = true;
    return page;
}

TemplatePage shop_to_check() {
    auto page = shop_page();
    page.taken = taken_by_part(to_json(shop()), family_of_shop());
    page.added = {"cache"};
    page.taken_over = {"Description"};
    page.taken["lease"] = {"Longest lease: 30 days, inherited from Base"};
    page.to_check = {"1 machine: not possible. MariaDB and web must not share a machine."};
    page.problems = {{"checked", "Read what is to be checked, and confirm that you have."}};
    page.is_unsaved = true;
    return page;
}

TemplatePage shop_as_json() {
    auto page = shop_page();
    press(page.form, "json");
    page.problems = {{"json",
                      "Line 3, column 7: expected the name of a member in double quotes, found the "
                      "end of the text."}};
    return page;
}

TemplatePage partial_page() {
    auto made = shop();
    made.extends.reset();
    made.includes.clear();
    made.immutable = true;
    return {.form = template_form_of(CatalogueKind::partial_template, made), .offer = shop_offer()};
}

TemplatePage included_part() {
    auto page = partial_page();
    page.form.was = "monitoring";
    page.offer.around = family_of_shop();
    page.preview.problems = {{"defaults.config", "Line 2, column 3: expected a value, found }."}};
    return page;
}

Json without(Json json, const char* key) {
    json.erase(key);
    return json;
}

ClusterTemplate small_web() {
    ClusterTemplate made = shop();
    made.header.name = "web";
    made.header.label = "Web";
    made.header.description = "A site without a database.";
    return made;
}

Json entry_of(ClusterTemplate made) {
    auto json = to_json(made);
    json["version"] = 3;
    return json;
}

const auto an_hour_ago = provisioner::base::from_sql("2026-11-20 09:00:00");
const auto this_moment = provisioner::base::from_sql("2026-11-20 10:00:00");

CatalogueVersion a_version(int version, VersionAct act, std::string note) {
    CatalogueVersion line{.id = 40 + version,
                          .version = version,
                          .act = act,
                          .written_by = version == 1 ? "" : "admin",
                          .written_at = an_hour_ago,
                          .note = std::move(note)};
    auto made = shop();
    made.constraints.size_max = 10 * version;
    if (version == 2) made.links.clear();
    if (act != VersionAct::remove) line.document = to_json(made);
    return line;
}

VersionsPage versions_page() {
    return {.kind = CatalogueKind::cluster_template,
            .name = "shop",
            .lines = {a_version(4, VersionAct::restore, ""), a_version(3, VersionAct::import, ""),
                      a_version(2, VersionAct::change, "More machines"),
                      a_version(1, VersionAct::create, "")},
            .version = 4,
            .clusters = {{{ClusterId{42}, "shop-1", "ada", "active", 2}, true},
                         {{ClusterId{43}, "shop-2", "ada", "pending", 4}, false},
                         {{ClusterId{44}, "shop-3", "bob", "active", 3}, false},
                         {{ClusterId{45}, "shop-4", "bob", "active", 4}, true},
                         {{ClusterId{46}, "shop-5", "bob", "active", 2}, true, true}},
            .has_more_clusters = true,
            .done = "shop-2 has version 4 of the template now.",
            .now = this_moment};
}

UpdateAllPage update_all_page() {
    return {.name = "shop",
            .version = 4,
            .newest = "123456789",
            .after = ClusterId{41},
            .has_more = true,
            .clusters = {{.cluster = {ClusterId{42}, "shop-1", "ada", "active", 2},
                          .is_of_earlier = true},
                         {.cluster = {ClusterId{43}, "shop-2", "ada", "pending", 3},
                          .refusal = "A job is running."}},
            .updated = 2};
}

VersionsPage versions_of_deleted() {
    return {.kind = CatalogueKind::cluster_template,
            .name = "shop",
            .lines = {a_version(2, VersionAct::remove, "Nobody uses it"),
                      a_version(2, VersionAct::change, ""), a_version(1, VersionAct::create, "")},
            .now = this_moment};
}

VersionPage single_version() {
    return {.kind = CatalogueKind::cluster_template,
            .name = "shop",
            .older = a_version(2, VersionAct::change, "More machines"),
            .present = entry_of(shop()),
            .note = "It was better",
            .problems = {{"", "It was changed meanwhile."}},
            .now = this_moment};
}

VersionPage version_of_deleted() {
    auto page = single_version();
    page.present = nullptr;
    page.problems.clear();
    page.note.clear();
    return page;
}

VersionPage deletion_of_template() {
    auto page = version_of_deleted();
    page.older = a_version(2, VersionAct::remove, "Nobody uses it");
    page.older.document.reset();
    page.ended = a_version(2, VersionAct::change, "More machines");
    return page;
}

VersionPage version_to_check() {
    auto page = single_version();
    page.to_check = {"3–8 machines: not possible."};
    page.problems = {problem_of_unchecked()};
    return page;
}

VersionPage two_versions() {
    auto page = single_version();
    page.kind = CatalogueKind::provider;
    page.problems.clear();
    page.newer = a_version(3, VersionAct::change, "");
    return page;
}

VersionPage equal_versions() {
    auto page = two_versions();
    page.newer = page.older;
    return page;
}

VersionPage long_versions() {
    auto page = two_versions();
    Json document = page.older.document.value();
    for (int i = 0; i < 2500; ++i) {
        document["defaults"]["config"]["key" + std::to_string(i)] = i;
    }
    page.older.document = document;
    document["description"] = "Longer";
    page.newer->document = document;
    return page;
}

VersionPage long_difference() {
    auto page = single_version();
    page.problems.clear();
    for (int i = 0; i < 3000; ++i) {
        page.present["defaults"]["config"]["key" + std::to_string(i)] = i;
    }
    return page;
}

SyncPage sync_page() {
    SyncPage page{.cluster = ClusterId{42}, .cluster_name = "shop-1", .present = shop()};
    page.newest = shop();
    page.newest->header.version = 4;
    page.newest->constraints.size_max = 30;
    page.is_from_versions = true;
    return page;
}

SyncPage equal_sync() {
    auto page = sync_page();
    page.newest = page.present;
    page.newest->header.version = 5;
    page.is_from_versions = true;
    return page;
}

SyncPage sync_from_earlier() {
    auto page = sync_page();
    page.is_of_earlier = true;
    return page;
}

SyncPage refused_sync() {
    auto page = sync_page();
    page.fits = false;
    page.problems = {{"", "The cluster has 1 machine; version 4 needs at least 3."}};
    return page;
}

using provisioner::operations::DraftEntry;

ExchangePage exchange_page() {
    return {.entries = {{CatalogueKind::service, {{"database", "MariaDB"}, {"web", "Web server"}}},
                        {CatalogueKind::image_type, {}}},
            .unfinished = {{.id = "0123456789abcdef0123456789abcdef",
                            .file = "catalogue.json",
                            .names = "web, php, shop",
                            .entries = 3,
                            .at = provisioner::base::from_sql("2026-11-20 09:00:00")},
                           {.id = "1123456789abcdef0123456789abcdef",
                            .entries = 1,
                            .at = provisioner::base::from_sql("2026-11-19 12:00:00")}},
            .now = provisioner::base::from_sql("2026-11-20 10:00:00"),
            .done = "The import was thrown away."};
}

ExchangePage exchange_with_problems() {
    return {.text = "{",
            .file = "catalogue.json",
            .problems = {{"text",
                          "Line 1, column 2: expected the name of a member in double quotes, found "
                          "the end of the text."}}};
}

ExchangePage exchange_searched(const std::string& text) {
    auto page = exchange_page();
    page.search = text;
    return page;
}

DraftPage draft_page() {
    auto larger = shop();
    larger.constraints.size_max = 40;
    const auto before = without(entry_of(shop()), "version");
    DraftPage page{
        .text = "{}",
        .kept = "0123456789abcdef0123456789abcdef",
        .entries = {{.kind = CatalogueKind::service,
                     .name = "web",
                     .imported = {{"name", "web"}},
                     .unknown = {"lable"},
                     .missing = {{CatalogueKind::service, "php"}}},
                    {.kind = CatalogueKind::cluster_template,
                     .name = "shop",
                     .state = DraftEntry::State::changed,
                     .version = 3,
                     .present = before,
                     .imported = without(to_json(larger), "version"),
                     .incomplete = {{CatalogueKind::service, "web"}},
                     .is_offered = true,
                     .has_draft = true},
                    {.kind = CatalogueKind::cluster_template,
                     .name = "store",
                     .state = DraftEntry::State::changed,
                     .version = 2,
                     .present = before,
                     .imported = without(to_json(larger), "version"),
                     .is_offered = true},
                    {.kind = CatalogueKind::cluster_template,
                     .name = "small-shop",
                     .imported = without(to_json(larger), "version")},
                    {.kind = CatalogueKind::image_type,
                     .name = "debian",
                     .state = DraftEntry::State::same,
                     .version = 1},
                    {.kind = CatalogueKind::provider,
                     .name = "",
                     .state = DraftEntry::State::wrong,
                     .problems = {{"name", "must be given"}, {"providertype", "must be given"}}}},
        .left_out = words_on_left_out({{"Services", {1}}, {"services", {{"name", "web"}}}}),
        .ticked = {{"clustertemplates/store", "clustertemplates/small-shop"}},
        .keeps_changes = false,
        .checks = {{{CatalogueKind::cluster_template, "store"},
                    {.warnings = {"11 machines or more: not possible."}}},
                   {{CatalogueKind::cluster_template, "small-shop"},
                    {.unchecked = "Its sizes are not checked: it names what the catalogue does "
                                  "not have yet."}}},
        .note = "From the other site",
        .problems = {problem_of_unchecked()},
        .now = provisioner::base::from_sql("2026-11-20 10:00:00")};
    page.needs[{CatalogueKind::cluster_template, "small-shop"}] = {
        {.entry = {CatalogueKind::service, "cache"}},
        {.entry = {CatalogueKind::service, "sql"}, .providers = {"mariadb"}}};
    const LastChange change{.user = "ada",
                            .at = provisioner::base::from_sql("2026-11-20 09:58:00"),
                            .href = "/audit/7"};
    page.overtaken[{CatalogueKind::cluster_template, "shop"}] = {.change = change};
    page.overtaken[{CatalogueKind::service, "proxy"}] = {.how = OvertakenEntry::How::deleted,
                                                         .change = change};
    page.entries.push_back(
        {.kind = CatalogueKind::service, .name = "proxy", .imported = {{"name", "proxy"}}});
    // So many that they can be narrowed.
    for (int i = 0; i < 12; ++i) {
        page.entries.push_back({.kind = CatalogueKind::image_type,
                                .name = "debian-" + std::to_string(i),
                                .state = DraftEntry::State::same,
                                .version = 1});
    }
    return page;
}

provisioner::model::TemplateDraft draft_of_shop() {
    auto larger = shop();
    larger.constraints.size_max = 40;
    larger.lease.initial = std::chrono::hours(48);
    return {.number = 12,
            .name = "shop",
            .base_version = 2,
            .base = without(to_json(shop()), "version"),
            .document = without(to_json(larger), "version"),
            .begun_by = "ada",
            .begun_at = provisioner::base::from_sql("2026-11-18 10:00:00"),
            .written_by = "bob",
            .written_at = provisioner::base::from_sql("2026-11-20 08:00:00"),
            .note = "For the sale"};
}

ChangeDraftPage change_draft_page() {
    auto in_force = shop();
    in_force.header.label = "Shop two";
    in_force.constraints.size_max = 30;
    return {.draft = draft_of_shop(),
            .in_force = entry_of(in_force),
            .choices = {{"constraints.size.max", true}},
            .to_check = {"Web requires cache, which is not among its default services."},
            .note = "For the sale",
            .done = "Kept as a draft. Users get the template as it was.",
            .problems = {{"version",
                          "cluster template shop was changed meanwhile: version 4 is in force, and "
                          "this is based on version 3."}},
            .now = this_moment};
}

ChangeDraftPage undecided_draft() {
    auto page = change_draft_page();
    page.choices.clear();
    page.to_check.clear();
    page.done.clear();
    page.problems = problems_with_choices(page);
    return page;
}

TemplatePage page_of_change() {
    auto page = shop_page();
    page.change = draft_of_shop();
    set_draft(page.form, *page.change);
    return page;
}

TemplatePage page_of_clash() {
    auto page = page_of_change();
    page.is_draft_newer = true;
    page.is_unsaved = true;
    page.clashing = {{"constraints.size.max", "Maximum machines", "30", "40"},
                     {"label", "Label", "", "Shop two"},
                     {"immutable", "Immutable", "no", "yes"}};
    page.taken_over = {"Lease"};
    page.now = this_moment;
    page.last_change = LastChange{
        .user = "bob", .at = an_hour_ago, .href = "/catalogue/clustertemplates/shop/draft"};
    page.problems = {{"", "The draft has other values for fields that you changed."}};
    return page;
}

TemplatePage changing_page() {
    auto page = shop_page();
    page.change = draft_of_shop();
    page.now = this_moment;
    return page;
}

ReceiptPage receipt_page() {
    return {
        .entries = {{.kind = CatalogueKind::service, .name = "web", .is_new = true, .version = 1},
                    {.kind = CatalogueKind::cluster_template,
                     .name = "small-shop",
                     .is_new = true,
                     .is_draft = true,
                     .version = 1},
                    {.kind = CatalogueKind::cluster_template, .name = "shop", .version = 4},
                    {.kind = CatalogueKind::cluster_template,
                     .name = "store",
                     .is_draft = true,
                     .version = 2},
                    {.kind = CatalogueKind::cluster_template,
                     .name = "web-shop",
                     .is_draft = true,
                     .version = 1,
                     .is_left_out = true}},
        .note = "From the other site",
        .unselected = {{CatalogueKind::service, "php"}, {CatalogueKind::provider, ""}}};
}

TemplateTroubles troubles_of_shop_and_web() {
    return {.templates = {{"shop",
                           {.weight = TroubleWeight::nothing_works,
                            .sentences = {"No hardware type that it allows has a flavor at its "
                                          "provider local."}}},
                          {"web",
                           {.weight = TroubleWeight::some_works,
                            .sentences = {"3–8 machines: not possible.",
                                          "1–2 machines: no machine runs Database.",
                                          "ada and bob may not use its default service "
                                          "Database."}}}},
            .unknown = 3};
}

}  // namespace

std::vector<Sample> of_builder() {
    const std::string view = "catalogue/builder/template";
    const auto* script = "template_builder.js";
    return {
        {"builder", view, built(shop_page(), script)},
        {"builder_change", view, built(page_of_change(), script)},
        {"builder_clash", view, built(page_of_clash(), script)},
        {"builder_changing", view, built(changing_page(), script)},
        {"builder_long", view, built(long_shop_page(), script)},
        {"builder_new", view, built(new_shop_page(), script)},
        {"builder_problems", view, built(shop_with_problems(), script)},
        {"builder_to_check", view, built(shop_to_check(), script)},
        {"builder_json", view, built(shop_as_json(), script)},
        {"builder_partial", view, built(partial_page(), script)},
        {"builder_partial_included", view, built(included_part(), script)},
        {"versions", "catalogue/versions/index", built(versions_page())},
        {"versions_deleted", "catalogue/versions/index", built(versions_of_deleted())},
        {"versions_none", "catalogue/versions/index",
         built(VersionsPage{
             .kind = CatalogueKind::service, .name = "shop", .version = 1, .now = this_moment})},
        {"versions_unused", "catalogue/versions/index",
         built(VersionsPage{.kind = CatalogueKind::cluster_template,
                            .name = "shop",
                            .version = 1,
                            .now = this_moment})},
        {"version", "catalogue/versions/show", built(single_version())},
        {"version_to_check", "catalogue/versions/show", built(version_to_check())},
        {"version_of_deleted", "catalogue/versions/show", built(version_of_deleted())},
        {"version_deletion", "catalogue/versions/show", built(deletion_of_template())},
        {"version_two", "catalogue/versions/show", built(two_versions())},
        {"version_equal", "catalogue/versions/show", built(equal_versions())},
        {"version_folded", "catalogue/versions/show", built(long_versions())},
        {"version_long", "catalogue/versions/show", built(long_difference())},
        {"versions_latest", "catalogue/versions/latest",
         built(LatestPage{.kind = CatalogueKind::service,
                          .lines = {{"web", a_version(2, VersionAct::change, "Faster start")}},
                          .now = this_moment})},
        {"versions_latest_none", "catalogue/versions/latest",
         built(LatestPage{.kind = CatalogueKind::service, .now = this_moment})},
        {"update_all", "catalogue/versions/update_all", built(update_all_page())},
        {"update_all_none", "catalogue/versions/update_all",
         built(UpdateAllPage{.name = "shop",
                             .version = 4,
                             .problems = {{"cluster", "Choose at least one cluster."}}})},
        {"sync_equal", "catalogue/versions/sync",
         in_builder(to_json(equal_sync()), "Update the template of shop-1")},
        {"sync", "catalogue/versions/sync",
         in_builder(to_json(sync_page()), "Update the template of shop-1")},
        {"sync_earlier", "catalogue/versions/sync",
         in_builder(to_json(sync_from_earlier()), "Update the template of shop-1")},
        {"sync_refused", "catalogue/versions/sync",
         in_builder(to_json(refused_sync()), "Update the template of shop-1")},
        {"exchange", "catalogue/exchange/index",
         in_builder(to_json(exchange_page()), "Import and export", "file_to_text.js")},
        {"exchange_problems", "catalogue/exchange/index",
         in_builder(to_json(exchange_with_problems()), "Import and export", "file_to_text.js")},
        {"exchange_searched", "catalogue/exchange/index",
         in_builder(to_json(exchange_searched("WEB")), "Import and export", "file_to_text.js")},
        {"exchange_nothing", "catalogue/exchange/index",
         in_builder(to_json(exchange_searched("zebra")), "Import and export", "file_to_text.js")},
        {"import_draft", "catalogue/exchange/draft",
         in_builder(to_json(draft_page()), "Review the import")},
        {"import_empty", "catalogue/exchange/draft",
         in_builder(to_json(DraftPage{.text = "{}"}), "Review the import")},
        {"import_receipt", "catalogue/exchange/receipt",
         in_builder(to_json(receipt_page()), "Imported")},
        {"catalogue_templates", "catalogue/index",
         in_builder(to_json(CataloguePage{.kind = CatalogueKind::cluster_template,
                                          .entries = {entry_of(shop()), entry_of(small_web())},
                                          .clusters = {{"shop", {4, 1146}}},
                                          .drafts = {"shop"},
                                          .around = family_of_shop(),
                                          .changes = {{"shop", draft_of_shop()}},
                                          .troubles = troubles_of_shop_and_web(),
                                          .now = this_moment}),
                    tab_title(plural_title(CatalogueKind::cluster_template)), "catalogue.js")},
        {"catalogue_templates_all_well", "catalogue/index",
         in_builder(to_json(CataloguePage{.kind = CatalogueKind::cluster_template,
                                          .entries = {entry_of(shop())},
                                          .only_troubled = true}),
                    tab_title(plural_title(CatalogueKind::cluster_template)), "catalogue.js")},
        {"catalogue_template", "catalogue/show",
         built(EntryPage{.kind = CatalogueKind::cluster_template,
                         .entry = entry_of(shop()),
                         .for_whom = "everybody",
                         .clusters = {4, 1146},
                         .around = family_of_shop()})},
        {"catalogue_template_draft", "catalogue/show",
         built(EntryPage{.kind = CatalogueKind::cluster_template,
                         .entry = entry_of(shop()),
                         .for_whom = "administrators only",
                         .is_draft = true,
                         .done = "Saved as version 1."})},
        {"catalogue_template_changing", "catalogue/show",
         built(EntryPage{.kind = CatalogueKind::cluster_template,
                         .entry = entry_of(shop()),
                         .for_whom = "everybody",
                         .change = draft_of_shop(),
                         .now = this_moment})},
        {"template_change", "catalogue/change_draft", built(change_draft_page())},
        {"template_change_undecided", "catalogue/change_draft", built(undecided_draft())},
        {"template_offer", "catalogue/offer",
         built(OfferPage{.name = "shop",
                         .label = "Shop",
                         .tenant = "demo",
                         .users = 14,
                         .to_check = {"Web requires cache, which is not among its default "
                                      "services."},
                         .done = "Saved as version 2. It is still a draft."})},
        {"template_offer_nobody", "catalogue/offer",
         built(OfferPage{.name = "shop", .tenant = "demo"})},
        {"catalogue_template_saved", "catalogue/show",
         built(EntryPage{.kind = CatalogueKind::cluster_template,
                         .entry = entry_of(shop()),
                         .for_whom = "everybody",
                         .done = "Saved as version 4.",
                         .warnings = warnings_about_sizes({.sizes = shop_sizes()}, shop_page().form,
                                                          shop_page().offer.around),
                         .sizes_href = "/builder/clustertemplates/shop#preview",
                         .add_required = "Add cache to the template"})},
    };
}

}  // namespace samples
