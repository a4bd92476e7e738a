#include "catalogue_samples.hpp"

#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "fcgi/pages/catalogue/editors/overtaken.hpp"
#include "fcgi/pages/catalogue/editors/provider_choice.hpp"
#include "fcgi/pages/catalogue/editors/removal.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/files/files_page.hpp"
#include "fcgi/pages/catalogue/files/sync_effects.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/to_check.hpp"

namespace samples {

using namespace fcgi::pages;
using namespace provisioner::model;
using namespace std::chrono_literals;
using provisioner::base::Json;

namespace {

const auto moment_of_catalogue = provisioner::base::from_sql("2026-11-20 10:00:00");

Json in_editor(Json page, const std::string& title) {
    const Viewer catalogue_editor{
        .user = "admin", .tenant = "demo", .role = Role::admin, .csrf = "5f3c"};
    return framed(std::move(page),
                  {.title = title, .section = "catalogue", .script = "catalogue.js"},
                  catalogue_editor);
}

template <class Page>
Json titled(const Page& page) {
    return in_editor(to_json(page), title_of(page));
}

Json in_tab(const CataloguePage& page) {
    return in_editor(to_json(page), tab_title(plural_title(page.kind)));
}

PluginField field_of(const std::string& name, const std::string& label, const std::string& kind,
                     const std::string& tip) {
    PluginField field;
    field.name = name;
    field.label = label;
    field.kind = kind;
    field.tip = tip;
    return field;
}

PluginType cloud_type() {
    PluginType type;
    type.header.name = "openstack";
    type.header.label = "OpenStack";
    type.header.description = "Machines of a cloud with OpenStack";
    type.admin.fields = {field_of("auth_url", "Auth URL", "text", "The address of Keystone"),
                         field_of("api_username", "Username", "text", ""),
                         field_of("api_password", "Password", "password", ""),
                         field_of("floating_ip", "Floating IP", "checkbox", "A public address"),
                         field_of("machines", "Machines", "text", "A list"),
                         field_of("boot_volume_size", "Boot volume", "text", "GB")};
    type.admin.fields.back().number = NumberRange{.least = 1, .most = 16'384};
    type.admin.fields[0].overridable = true;
    type.admin.required = {{"auth_url", "api_password"}};
    type.user.fields = {field_of("network", "Network", "select", "Of the machines")};
    type.user.fields[0].options = {"inner", "outer"};
    return type;
}

PluginType script_type() {
    PluginType type;
    type.header.name = "shell";
    type.kind = PluginKind::automator;
    type.admin.fields = {field_of("script", "Script", "text", "The name of a script"),
                         field_of("args", "Arguments", "text", "Appended to the script")};
    type.admin.required = {{"script"}};
    type.resource_types = {{.name = "scripts", .format = "file", .permissions = std::nullopt}};
    return type;
}

EditContext context() {
    EditContext made;
    made.provider_types = {cloud_type()};
    made.given.automator_types = {script_type()};
    made.given.files["shell/scripts"] = {"redis.sh", "web.sh"};
    made.entries[CatalogueKind::provider] = {
        Json{{"name", "openstack"}, {"providertype", "openstack"}},
        Json{{"name", "racks"}, {"providertype", "existing"}}};
    made.entries[CatalogueKind::service] = {
        Json::parse(R"({"name":"base","description":"Users and time"})"),
        Json::parse(R"({"name":"mariadb","dependencies":{"provides":["sql"],"conflicts":[]}})")};
    made.offers["openstack"] =
        Json::parse(R"({"choices":{"flavor":[{"value":"m1.small","label":"1 CPU, 2 GB"}]}})");
    return made;
}

EditPage provider_editor() {
    EditPage page{.kind = CatalogueKind::provider, .version = 2, .context = context()};
    page.stored = Json::parse(
        R"({"name":"openstack","version":2,"description":"The department's cloud","providertype":"openstack",
        "provisioner":{"auth_url":"https://cloud.example.test:5000","api_password":"********","old":"1"}})");
    page.entry = page.stored;
    page.entry["provisioner"]["auth_url"] = "";
    page.entry["provisioner"]["floating_ip"] = "true";
    page.entry["provisioner"]["network"] = "inner";
    page.entry["provisioner"]["boot_volume_size"] = "big";
    page.cleared = {"api_password"};
    page.problems = {{"provisioner.auth_url", "must be given again"},
                     {"provisioner.boot_volume_size", "Must be a whole number from 1 to 16384."},
                     {"version",
                      "provider openstack was changed meanwhile: version 3 is in force, and this "
                      "is based on version 2."}};
    page.is_overtaken = true;
    page.now = provisioner::base::from_sql("2026-11-20 10:00:00");
    page.last_change =
        LastChange{.user = "grace", .at = page.now - std::chrono::minutes{3}, .href = "/audit/7"};
    return page;
}

/// Somebody else has saved it meanwhile; both have changed the label and a flavor.
EditPage hardware_overtaken() {
    EditPage page{.kind = CatalogueKind::hardware_type, .version = 3, .context = context()};
    page.stored = Json::parse(
        R"({"name":"small","label":"Small, 2 cores","description":"For tests","version":4,
            "providermap":{"openstack":{"flavor":"m2.small"}}})");
    page.entry = Json::parse(
        R"({"name":"small","label":"Little","description":"",
            "providermap":{"openstack":{"flavor":"m1.tiny"}}})");
    take_both(Json::parse(R"({"name":"small","label":"Small","description":"",
                              "providermap":{"openstack":{"flavor":"m1.small"}}})"),
              {.version = 4, .line = 40}, page);
    page.problems = problems_of_clashes(page);
    page.is_overtaken = true;
    page.now = provisioner::base::from_sql("2026-11-20 10:00:00");
    page.last_change =
        LastChange{.user = "grace", .at = page.now - std::chrono::minutes{3}, .href = "/audit/7"};
    return page;
}

/// Somebody else has deleted it meanwhile.
EditPage hardware_deleted() {
    EditPage page{.kind = CatalogueKind::hardware_type, .version = 3, .context = context()};
    page.entry = Json::parse(R"({"name":"small","label":"Small, 2 cores"})");
    page.problems = {{"version", "hardware type small was deleted meanwhile."}};
    page.now = provisioner::base::from_sql("2026-11-20 10:00:00");
    page.last_change = LastChange{.user = "grace", .at = page.now};
    begin_anew(page);
    return page;
}

EditPage hardware_editor() {
    EditPage page{.kind = CatalogueKind::hardware_type, .context = context()};
    page.entry = Json::parse(
        R"({"name":"small","providermap":{"openstack":{"flavor":"m1.small","cpus":"1"},"gone":{"flavor":"x"}}})");
    page.problems = {{"providermap.gone.flavor", "must be given"}};
    return page;
}

EditPage hardware_to_check() {
    auto page = hardware_editor();
    page.stored = page.entry;
    page.to_check = {
        "Cluster template Web shop, offered to users: Its default hardware type small has no "
        "flavor at its provider Simulated.",
        "Cluster template Store, offered to users: 1–4 machines: not possible."};
    page.to_note = {"Drafts, which users are not offered, are affected, too: web and Trial.",
                    "Sizes not checked: Large store and Research."};
    page.problems = {problem_of_unchecked()};
    return page;
}

EditPage service_editor() {
    EditPage page{.kind = CatalogueKind::service, .version = 3, .context = context()};
    page.stored = Json::parse(
        R"({"name":"web","version":3,"description":"Web servers","dependencies":{"provides":["http"],"conflicts":[],
        "install":{"requires":["base"],"uses":[]},"runtime":{"requires":["php"],"uses":["sql"]}},
        "provisioner":{"actions":{"install":{"type":"shell","fields":{"script":"web.sh","args":"install"},"limit":600000},
        "start":{"type":"shell","fields":{}},"stop":{"type":"rake","fields":{"task":"stop"}}}},
        "ports":["80/tcp"],"links":[{"label":"Site","url":"http://%ip.access_v4.self%/"}]})");
    page.entry = page.stored;
    page.problems = {{"services", "web and base need each other."}};
    return page;
}

EditPage json_editor() {
    EditPage page{.kind = CatalogueKind::service, .context = context(), .problems = {}};
    page.document = "{\"name\": \"web\",\n  oops}";
    page.problems = {{"document", "Line 2, column 3: syntax error"}};
    return page;
}

RemovalPage removal(bool is_blocked) {
    RemovalPage page{.kind = CatalogueKind::service};
    page.entries = {{.name = "base", .description = "Users and time", .references = {}},
                    {.name = "old", .description = "", .references = {}}};
    page.entries.front().references = {{{CatalogueKind::cluster_template, "shop"}, "allows it"}};
    if (is_blocked) {
        page.entries.front().references.push_back(
            {{CatalogueKind::service, "web"}, "needs it to be installed", true});
        page.entries.front().references.push_back(
            {{CatalogueKind::service, "web"}, "needs it to run", true});
    }
    page.entries.back().clusters = {2, 6};
    page.entries.back().draft_by = "ada";
    return page;
}

ProviderTest connection_test() {
    ProviderTest test{.provider = "openstack", .number = 3, .asked_by = "ada"};
    test.asked_at = moment_of_catalogue - 5min;
    test.done_at = moment_of_catalogue - 4min;
    test.message = "Keystone refuses the login.";
    test.offer = Json::parse(
        R"({"choices":{"flavor":[{"value":"m1.small","label":"small"}]},"notes":["There is one region."]})");
    return test;
}

EntryPage provider_page() {
    EntryPage page{.kind = CatalogueKind::provider,
                   .entry = provider_editor().stored,
                   .for_whom = "everybody",
                   .user = "admin",
                   .tenant = "demo",
                   .done = "Saved.",
                   .warnings = {"Fields are missing. Fill in Auth URL and Password."}};
    page.references = {{{CatalogueKind::hardware_type, "small"}, "has settings for it"}};
    page.fields = {{"auth_url", {.label = "Auth URL", .is_required = true}},
                   {"old", {.label = "Old", .standard = "1"}}};
    page.test = ProviderTestPart{
        .provider = "openstack", .test = connection_test(), .now = moment_of_catalogue};
    return page;
}

provisioner::store::ResourceShelf scripts() {
    return {.tenant = TenantId{1}, .plugin = "shell", .resource_type = "scripts"};
}

provisioner::store::ResourceVersion version_of(const std::string& name, int number, bool live,
                                               bool slated) {
    return {.name = name,
            .version = number,
            .live = live,
            .slated = slated,
            .size = 1234,
            .sha256 = std::string(64, 'a'),
            .created_at = moment_of_catalogue - 3h};
}

std::vector<provisioner::store::ResourceVersion> some_versions() {
    return {version_of("redis.sh", 1, false, false), version_of("redis.sh", 2, true, false),
            version_of("redis.sh", 3, false, true), version_of("web.sh", 1, false, false)};
}

FilesPage files_page() {
    FilesPage page;
    page.shelves = {{.shelf = scripts(), .format = "file", .files = 2},
                    {.shelf = scripts(), .format = "archive"}};
    page.pending = {{.change = {.shelf = scripts(), .name = "redis.sh", .before = 2, .after = 3},
                     .services = {"cache"}},
                    {.change = {.shelf = scripts(), .name = "web.sh", .before = 1}}};
    page.done = "Synced.";
    page.synced.assign(51, {.file = "shell/scripts/web.sh", .before = 1});
    return page;
}

FilesPage sync_to_check() {
    auto page = files_page();
    page.done.clear();
    page.synced.clear();
    page.problems = {{"", "Version 3 of redis.sh was staged meanwhile by bob."}};
    page.to_check = words_on_sync({{.change = page.pending[1].change,
                                    .service_labels = {"Web"},
                                    .templates = {"Shop"},
                                    .clusters = 3}});
    page.is_asked = true;
    return page;
}

ShelfPage shelf_of_scripts() {
    ShelfPage page{.shelf = scripts(), .format = "file", .is_secret = true};
    page.versions = some_versions();
    page.services = {{"redis.sh", {"cache"}}};
    page.pending = 2;
    page.done = "Deleted.";
    page.now = moment_of_catalogue;
    page.typed_name = "a b";
    page.typed_text = "echo";
    page.has_crlf = true;
    page.problems = {{"name", "must not have blanks"}, {"text", "Enter the text of the file."}};
    return page;
}

ShelfPage shelf_of_archives() {
    ShelfPage page{.shelf = scripts(), .format = "archive", .is_upload = true};
    page.shelf.resource_type = "archives";
    page.problems = {{"file", "This is no .tar.gz: machines could not unpack it."}};
    return page;
}

ShelfPage editor_of_a_script() {
    ShelfPage page{.shelf = scripts(),
                   .format = "file",
                   .is_editing = true,
                   .edited_version = 2,
                   .newest_by = "bob"};
    page.versions = some_versions();
    page.now = moment_of_catalogue;
    page.typed_name = "redis.sh";
    page.typed_text = "#!/bin/sh\necho one\n";
    page.note = "Starts faster";
    return page;
}

ShelfPage shelf_with_refused_upload() {
    ShelfPage page{.shelf = scripts(), .format = "file", .is_upload = true};
    page.typed_name = "a b";
    page.note = "Starts faster";
    page.problems = {
        {"name", "invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-]."},
        {"file", "Choose a file."}};
    return page;
}

FilePage file_of_scripts() {
    FilePage page{.shelf = scripts(), .name = "redis.sh"};
    page.versions = some_versions();
    page.versions.pop_back();
    page.uploads = {{2, {.by = "ada", .note = "Starts faster"}}};
    page.effects =
        words_on_sync({{.change = {.shelf = scripts(), .name = "redis.sh", .before = 2, .after = 3},
                        .service_labels = {"Cache"},
                        .clusters = 1}});
    for (int i = 1; i < 13; ++i) page.services.push_back("cache-" + std::to_string(i));
    page.clusters = {{.id = ClusterId{7},
                      .name = "shop-1",
                      .owner = "ada",
                      .status = ClusterStatus::active,
                      .set_up_at = moment_of_catalogue - 48h},
                     {.id = ClusterId{8},
                      .name = "shop-2",
                      .owner = "bob",
                      .status = ClusterStatus::pending,
                      .set_up_at = std::nullopt}};
    page.pending = 2;
    page.version = 3;
    page.text = "#!/bin/sh\necho b\n";
    page.compared = 2;
    const std::string long_line = "data=" + std::string(300, 'x');
    page.compared_text = "#!/bin/sh\necho a\n" + long_line + "a;\n";
    page.text_compared = *page.text + long_line + "b;\n";
    page.overtaken = 3;
    page.overtaken_by = 2;
    page.done = "Staged.";
    page.now = moment_of_catalogue;
    return page;
}

FilePage file_that_is_no_text() {
    auto page = file_of_scripts();
    page.text.reset();
    page.no_text = "This file is not text.";
    page.compared = 0;
    page.not_compared = 2;
    page.overtaken = 0;
    page.problems = {{"", "Resource not in a deletable state."}};
    return page;
}

CataloguePage searched_page() {
    CataloguePage page{.kind = CatalogueKind::hardware_type, .now = moment_of_catalogue};
    page.entries = {Json::parse(R"({"name":"small","description":"1 CPU","version":2})"),
                    Json::parse(R"({"name":"large","description":"8 CPU","version":1})")};
    page.used = {{"small", 2}};
    page.changed = {{"small", {.by = "ada", .at = moment_of_catalogue - 2h}}};
    page.search = "CPU";
    page.sort = "used";
    page.is_descending = true;
    page.done = "Deleted.";
    return page;
}

Json service_page() {
    EntryPage page{
        .kind = CatalogueKind::service, .entry = service_editor().stored, .for_whom = "everybody"};
    page.around.labels.add(CatalogueKind::service, {{"php", "PHP"}});
    page.files = {{.action = "install",
                   .automator = "shell",
                   .field = "script",
                   .file = "web.sh",
                   .href = file_page(scripts(), "web.sh"),
                   .state = NamedFile::State::unused}};
    page.warnings = {warning_about(page.files.front())};
    return titled(page);
}

Json type_page() {
    EntryPage page{.kind = CatalogueKind::hardware_type,
                   .entry = Json::parse(R"({"name":"small","version":1,
                       "providermap":{"local":{"flavor":"small"}}})"),
                   .for_whom = "everybody"};
    page.around.labels.add(CatalogueKind::provider, {{"local", "This machine"}});
    return titled(page);
}

Json part_page() {
    const EntryPage page{.kind = CatalogueKind::partial_template, .entry = Json::parse(R"({
        "name":"base","version":2,"immutable":true,"defaults":{"services":["web"]},
        "administration":{"leaseduration":{"initial":86400000,"max":0,"step":0}}})")};
    return titled(page);
}

/// An address with values that the page does not know.
Json misread_list() {
    CataloguePage page = searched_page();
    page.sort = "name";
    const Viewer catalogue_editor{
        .user = "admin", .tenant = "demo", .role = Role::admin, .csrf = "5f3c"};
    return framed(to_json(page),
                  {.title = tab_title(plural_title(page.kind)),
                   .section = "catalogue",
                   .notes = {unknown_value("order", "size", "sorted by name")}},
                  catalogue_editor);
}

}  // namespace

std::vector<Sample> of_catalogue() {
    CataloguePage nothing_found = searched_page();
    CataloguePage nothing_chosen = searched_page();
    nothing_chosen.nothing_chosen = true;
    nothing_found.search = "nothing";
    return {
        {"catalogue_searched", "catalogue/index", in_tab(searched_page())},
        {"catalogue_misread", "catalogue/index", misread_list()},
        {"catalogue_service", "catalogue/show", service_page()},
        {"catalogue_part", "catalogue/show", part_page()},
        {"catalogue_type", "catalogue/show", type_page()},
        {"catalogue_nothing_chosen", "catalogue/index", in_tab(nothing_chosen)},
        {"catalogue_nothing_found", "catalogue/index", in_tab(nothing_found)},
        {"catalogue_provider", "catalogue/show", titled(provider_page())},
        {"provider_types", "catalogue/provider_types",
         in_editor(to_json(ProviderChoicePage{.types = {cloud_type()}}), "New provider")},
        {"provider_types_none", "catalogue/provider_types",
         in_editor(to_json(ProviderChoicePage{}), "New provider")},
        {"edit_provider", "catalogue/edit", titled(provider_editor())},
        {"edit_hardware", "catalogue/edit", titled(hardware_editor())},
        {"edit_hardware_overtaken", "catalogue/edit", titled(hardware_overtaken())},
        {"edit_hardware_deleted", "catalogue/edit", titled(hardware_deleted())},
        {"edit_service", "catalogue/edit", titled(service_editor())},
        {"edit_json", "catalogue/edit", titled(json_editor())},
        {"edit_hardware_to_check", "catalogue/edit", titled(hardware_to_check())},
        {"edit_image_none", "catalogue/edit", titled(EditPage{.kind = CatalogueKind::image_type})},
        {"edit_service_none", "catalogue/edit", titled(EditPage{.kind = CatalogueKind::service})},
        {"files", "catalogue/files", in_editor(to_json(files_page()), tab_title("Files"))},
        {"files_to_check", "catalogue/files",
         in_editor(to_json(sync_to_check()), tab_title("Files"))},
        {"files_none", "catalogue/files", in_editor(to_json(FilesPage{}), tab_title("Files"))},
        {"shelf", "catalogue/shelf", titled(shelf_of_scripts())},
        {"shelf_archives", "catalogue/shelf", titled(shelf_of_archives())},
        {"shelf_editor", "catalogue/shelf", titled(editor_of_a_script())},
        {"shelf_refused", "catalogue/shelf", titled(shelf_with_refused_upload())},
        {"shelf_none", "catalogue/shelf", titled(ShelfPage{.shelf = scripts()})},
        {"file", "catalogue/file", titled(file_of_scripts())},
        {"file_no_text", "catalogue/file", titled(file_that_is_no_text())},
        {"catalogue_delete", "catalogue/delete", titled(removal(false))},
        {"catalogue_delete_blocked", "catalogue/delete", titled(removal(true))}};
}

}  // namespace samples
