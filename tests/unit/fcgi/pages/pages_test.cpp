#include <boost/test/unit_test.hpp>

#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/templates.hpp"
#include "fcgi/pages/clusters/choices/provider_field.hpp"
#include "fcgi/pages/clusters/create_page.hpp"
#include "fcgi/pages/clusters/preview_page.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/profile/security_keys.hpp"
#include "fcgi/pages/tenants/login.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"

namespace {

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::base::Problems;

Constraints size(int least, int most) {
    Constraints constraints;
    constraints.size_min = least;
    constraints.size_max = most;
    return constraints;
}

NewClusterPage form_with(const Problems& problems) {
    ClusterTemplate web;
    web.header.name = "web";
    NewClusterPage page{.offer = {.templates = {web}}, .form = form_for(web), .problems = problems};
    return page;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_field_is_described_by_its_hint_and_its_problem) {
    const FormField field{.id = "inputName", .name = "name", .label = "Name", .hint = "Short."};

    const auto quiet = to_json(field, {});
    const auto wrong =
        to_json(field, {{"name", "Too long."}, {"other", "No."}, {"name.first", "Odd."}});

    BOOST_TEST(quiet.at("described_by") == "inputName-hint");
    BOOST_TEST(quiet.at("problem") == "");
    BOOST_TEST(wrong.at("described_by") == "inputName-hint inputName-problem");
    BOOST_TEST(wrong.at("problem") == "Too long. Odd.");
}

BOOST_AUTO_TEST_CASE(a_problem_of_no_field_is_shown_without_a_link) {
    const auto json = problems_json("Again", {{"", "Quota used up."}, {"name", "Taken."}},
                                    {{"name", "inputName", "Name"}});

    BOOST_TEST(json.at("problems")[0].at("target") == "inputName");
    BOOST_TEST(json.at("problems")[1].at("target").is_null());
}

BOOST_AUTO_TEST_CASE(the_advanced_part_opens_only_when_a_problem_is_inside) {
    BOOST_TEST(to_json(form_with({})).at("advanced_open") == false);
    BOOST_TEST(to_json(form_with({{"name", "Taken."}, {"", "Quota."}})).at("advanced_open") ==
               false);
    BOOST_TEST(to_json(form_with({{"imagetype", "Unknown."}})).at("advanced_open") == true);
}

BOOST_AUTO_TEST_CASE(templates_that_say_what_they_are_for_come_first) {
    TemplatesPage page;
    for (const char* name : {"b", "c", "a"}) page.templates.emplace_back().header.name = name;
    page.templates[1].header.description = "For shops.";

    const auto json = to_json(page);

    std::string names;
    for (const auto& card : json.at("templates")) names += card.at("title").get<std::string>();
    BOOST_TEST(names == "cab");
}

BOOST_AUTO_TEST_CASE(many_templates_can_be_searched_by_what_a_card_says) {
    TemplatesPage page;
    for (int i = 0; i < 12; ++i) {
        page.templates.emplace_back().header.name = "t" + std::to_string(i);
    }
    BOOST_TEST(to_json(page).at("is_searched") == false);
    page.templates.emplace_back().header.name = "shop";
    page.templates.back().header.description = "For small Shops.";
    page.templates.back().defaults.services = {"cache"};
    BOOST_TEST(to_json(page).at("is_searched") == true);
    BOOST_TEST(to_json(page).at("found") == "");

    page.search = "CACHE small";
    const auto found = to_json(page);
    BOOST_REQUIRE(found.at("templates").size() == 1U);
    BOOST_TEST(found.at("templates")[0].at("title") == "shop");
    BOOST_TEST(found.at("found") == "1 of 13 templates.");
    page.search = "cache large";
    BOOST_TEST(to_json(page).at("templates").empty());
    BOOST_TEST(to_json(page).at("found") == "No template has “cache large”.");
}

BOOST_AUTO_TEST_CASE(the_card_of_a_draft_says_so) {
    using provisioner::model::CatalogueKind;
    TemplatesPage page;
    for (const char* name : {"a", "b", "c"}) page.templates.emplace_back().header.name = name;
    page.drafts = templates_that_are_drafts(
        {{.entry = {CatalogueKind::cluster_template, "a"}},
         {.entry = {CatalogueKind::cluster_template, "b"}, .users = {"joe"}},
         {.entry = {CatalogueKind::service, "c"}}});

    const auto json = to_json(page);

    BOOST_TEST(json.at("templates").at(0).at("is_draft") == true);
    BOOST_TEST(json.at("templates").at(1).at("is_draft") == false);
    BOOST_TEST(json.at("templates").at(2).at("is_draft") == false);
}

BOOST_AUTO_TEST_CASE(a_template_whose_provider_is_gone_asks_for_another_one_at_once) {
    NewClusterPage page = form_with({});
    page.offer.templates.front().defaults.provider = "gone";
    page.offer.providers = {{"local", "This machine (local)"}};
    page.form = form_for(page.offer.templates.front());

    page.problems = {{"provider", "null does not exist."}};

    const auto json = to_json(page);

    // It is no part of what need not be looked at.
    BOOST_TEST(json.at("advanced_open") == false);
    BOOST_TEST(json.at("advanced")[0].at("name") != "provider");
    const auto& field = json.at("fields").back();
    BOOST_TEST(field.at("name") == "provider");
    BOOST_TEST(field.at("hint") ==
               "The template's provider, gone, is not offered. Choose another.");
    page.form.provider.clear();
    BOOST_TEST(to_json(page).at("fields").back().at("problem") == "Choose a provider.");
    page.problems.clear();
    page.offer.providers = {{"gone", "gone"}};
    page.offer.hardware_types = {{"small", "small", {"gone"}}};
    page.offer.image_types = {{"debian", "debian", {"gone"}}};
    BOOST_TEST(to_json(page).at("advanced_open") == false);
}

BOOST_AUTO_TEST_CASE(a_login_leads_only_to_pages_of_this_site) {
    BOOST_TEST(safe_next("/clusters/00000042?a=b") == "/clusters/00000042?a=b");
    BOOST_TEST(safe_next("/login-keys/3") == "/login-keys/3");
    for (const char* path :
         {"", "clusters", "/login", "/login/code", "//evil.test/", "/\\evil.test",
          "https://evil.test/", "/login?next=/", "/a\r\nSet-Cookie: x"}) {
        BOOST_TEST(safe_next(path) == "/");
    }
}

BOOST_AUTO_TEST_CASE(another_port_of_the_host_is_another_site_for_security_keys) {
    fcgi::http::Request request;
    request.secure = true;
    request.headers["host"] = "clusters.test:8443";

    BOOST_TEST(key_site(request, "").origin == "https://clusters.test:8443");
    BOOST_TEST(key_site(request, "https://clusters.test").origin == "https://clusters.test");
    BOOST_TEST(key_site(request, "https://clusters.test/below").origin == "https://clusters.test");
    BOOST_TEST(key_site(request, "https://Clusters.test:443/").origin == "https://clusters.test");
    BOOST_TEST(key_site(request, "https://clusters.test").host == "clusters.test");
    // The same installation under another name, which web.address does not speak of.
    BOOST_TEST(key_site(request, "https://other.test").origin == "https://clusters.test:8443");
}

BOOST_AUTO_TEST_CASE(what_an_address_says_wrongly_is_named_below_the_heading) {
    BOOST_TEST(unknown_value("status", "bogus", "showing all") ==
               "Unknown status “bogus”; showing all.");
    BOOST_TEST(unknown_value("place", std::string(100, 'x'), "showing the newest") ==
               "Unknown place “" + std::string(60, 'x') + "…”; showing the newest.");

    const auto page = framed(Json::object(), {.notes = {"Unknown."}}, {});

    BOOST_TEST(page.at("has_address_notes") == true);
    BOOST_TEST(page.at("address_notes")[0].at("note") == "Unknown.");
    BOOST_TEST(framed(Json::object(), {}, {}).at("has_address_notes") == false);
}

BOOST_AUTO_TEST_CASE(only_superadmins_see_all_tenants_and_others_are_told_so) {
    provisioner::model::Caller caller;
    caller.tenant.name = "acme";
    caller.user.role = provisioner::model::Role::user;
    std::vector<std::string> notes;
    fcgi::http::Request request;
    const auto asks = [&](const std::string& query) {
        notes.clear();
        request.query = query;
        return asks_for_all_tenants(request, caller, notes);
    };

    BOOST_TEST(!asks(""));
    BOOST_TEST(notes.empty());
    BOOST_TEST(!asks("tenants=all"));
    BOOST_REQUIRE(notes.size() == 1U);
    BOOST_TEST(notes[0] == "Only superadmins see all tenants; showing acme.");
    BOOST_TEST(!asks("tenants=some"));
    BOOST_REQUIRE(notes.size() == 1U);
    BOOST_TEST(notes[0] == "Unknown choice of tenants “some”; showing acme.");
    caller.user.role = provisioner::model::Role::superadmin;
    BOOST_TEST(asks("tenants=all"));
    BOOST_TEST(notes.empty());
}

BOOST_AUTO_TEST_CASE(permissions_show_labels_and_lead_to_names) {
    PermissionsPage page{.role = Role::admin};
    page.entries = {{.entry = {CatalogueKind::service, "web"}, .text = "Web server"},
                    {.entry = {CatalogueKind::service, "old"}, .is_there = false}};
    page.search = "server";

    const auto found = to_json(page).at("entries");

    BOOST_REQUIRE(found.size() == 1U);
    BOOST_TEST(found[0].at("entry") == "Web server");
    BOOST_TEST(found[0].at("entry_href") == "/permissions/services/web");
    page.search = "";
    const auto all = to_json(page).at("entries");
    BOOST_TEST(all[1].at("entry") == "old");
}

BOOST_AUTO_TEST_CASE(sizes_leases_and_lists_are_said_in_words) {
    BOOST_TEST(size_words(size(1, 20)) == "1 to 20 machines");
    BOOST_TEST(size_words(size(1, 1)) == "1 machine");
    BOOST_TEST(size_words(size(0, 2)) == "at most 2 machines");
    BOOST_TEST(size_words(size(3, no_maximum)) == "3 machines or more");
    BOOST_TEST(lease_words({}) == "no expiry");
    BOOST_TEST(listed({}) == "");
    BOOST_TEST(listed({"a", "b", "c"}) == "a, b and c");
}

BOOST_AUTO_TEST_CASE(secrets_of_a_provider_are_not_shown) {
    const Json entry{{"name", "cloud"},
                     {"provisioner",
                      {{"api_password", "hunter2"},
                       {"list", {{{"secretKey", "s3"}}}},
                       {"auth_url", "https://cloud.test"}}}};

    const auto document =
        to_json(EntryPage{CatalogueKind::provider, entry}).at("document").get<std::string>();

    BOOST_TEST(document.find("hunter2") == std::string::npos);
    BOOST_TEST(document.find("s3") == std::string::npos);
    BOOST_TEST(document.find("https://cloud.test") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_entry_says_its_address_in_the_api_with_the_prefix) {
    const Json entry{{"name", "a b"}};
    const EntryPage alone{CatalogueKind::service, entry};
    const EntryPage below{CatalogueKind::service, entry, "/cooperage"};

    BOOST_TEST(to_json(alone).at("api_path") == "/v2/services/a%20b");
    BOOST_TEST(to_json(below).at("api_path") == "/cooperage/v2/services/a%20b");
}

BOOST_AUTO_TEST_CASE(everything_below_a_name_that_sounds_secret_is_hidden) {
    const Json entry{{"name", "cloud"},
                     {"provisioner",
                      {{"pin_token", 4711},
                       {"passwords", {"hunter2", "hunter3"}},
                       {"credentials", {{"id", "robot7"}, {"uses_tls", true}}},
                       {"port", 8080}}}};

    const auto document =
        to_json(EntryPage{CatalogueKind::provider, entry}).at("document").get<std::string>();

    for (const char* secret : {"4711", "hunter", "robot7"}) {
        BOOST_TEST(document.find(secret) == std::string::npos, secret);
    }
    for (const char* open : {"8080", "\"uses_tls\": true", "\"name\": \"cloud\""}) {
        BOOST_TEST(document.find(open) != std::string::npos, open);
    }
}

BOOST_AUTO_TEST_CASE(a_size_without_a_maximum_is_shown_without_one) {
    Json entry{{"name", "web"}};
    entry["constraints"]["size"] = {{"min", 2}, {"max", provisioner::model::no_maximum}};
    const auto size = [&] { return entry_for_people(entry).at("constraints").at("size").dump(); };
    BOOST_TEST(size() == R"({"min":2})");
    entry["constraints"]["size"]["max"] = 5;
    BOOST_TEST(size() == R"({"min":2,"max":5})");
}

BOOST_AUTO_TEST_CASE(a_service_shows_how_long_its_actions_may_take_where_it_says_so) {
    Json entry;
    entry["name"] = "web";
    entry["provisioner"]["actions"] = {{"install", {{"type", "shell"}, {"limit", 7'200'000}}},
                                       {"start", {{"type", "shell"}}}};

    const auto actions = to_json(EntryPage{CatalogueKind::service, entry}).at("actions");

    BOOST_TEST(actions.at(0).at("step") == "Install");
    BOOST_TEST(actions.at(0).at("automator") == "shell");
    BOOST_TEST(actions.at(0).at("limit") == "2 hours");
    BOOST_TEST(actions.at(1).at("step") == "Start");
    BOOST_TEST(actions.at(1).at("limit") == "");
    const auto listed = to_json(CataloguePage{.kind = CatalogueKind::service, .entries = {entry}});
    BOOST_TEST(listed.at("entries")[0].at("values")[0].at("value") ==
               "install (at most 2 hours) and start");
}

BOOST_AUTO_TEST_CASE(a_service_leads_to_the_files_that_its_actions_name) {
    using State = NamedFile::State;
    EntryPage page{.kind = CatalogueKind::service, .entry = {{"name", "web"}}};
    page.entry["provisioner"]["actions"] = {
        {"install", {{"type", "shell"}, {"fields", {{"script", "web.sh"}, {"args", "web.sh"}}}}},
        {"start", {{"type", "shell"}, {"fields", {{"script", "gone.sh"}}}}}};
    page.files = {{"install", "shell", "script", "web.sh", "/files/web.sh", State::unused},
                  {"start", "shell", "script", "gone.sh", "/files", State::missing}};
    for (const NamedFile& file : page.files) page.warnings.push_back(warning_about(file));
    page.warnings.emplace_back("It has no ports.");

    const auto json = to_json(page);

    const Json fields = json.at("actions").at(0).at("action_fields");
    BOOST_TEST(fields.at(0).at("is_linked") == false);
    BOOST_TEST(fields.at(1).at("pieces").at(0).at("piece_href") == "/files/web.sh");
    BOOST_TEST(json.at("actions").at(1).at("action_fields").at(0).at("is_linked") == false);
    BOOST_TEST(json.at("warnings").at(0).at("file_href") == "/files/web.sh");
    BOOST_TEST(json.at("warnings").at(0).at("file_link") == "See the file");
    BOOST_TEST(json.at("warnings").at(1).at("file_href") == "/files");
    BOOST_TEST(json.at("warnings").at(1).at("file_link") == "See the files");
    BOOST_TEST(json.at("warnings").at(2).at("file_href") == "");
}

BOOST_AUTO_TEST_CASE(uses_of_an_entry_are_a_number_that_does_not_wrap) {
    const Json entry = {{"name", "web"}};
    const auto row = [&](int uses) {
        return to_json(CataloguePage{.kind = CatalogueKind::service,
                                     .entries = {entry},
                                     .used = {{"web", uses}}})
            .at("entries")[0];
    };

    BOOST_TEST(row(5).at("used") == "5 entries");
    BOOST_TEST(row(5).at("is_unused") == false);
    BOOST_TEST(row(0).at("used") == "");
    BOOST_TEST(row(0).at("is_unused") == true);
}

BOOST_AUTO_TEST_CASE(what_was_typed_into_a_secret_field_is_not_sent_back) {
    PluginField key;
    key.name = "key";
    key.label = "Key";
    key.sensitive = true;
    ClusterForm form;
    form.provider_fields = {{"key", "typed-s3cret"}};

    const auto control = to_json(provider_field(key, form), {}).dump();

    BOOST_TEST(control.find("typed-s3cret") == std::string::npos);
    BOOST_TEST(control.find(R"("type":"password")") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_preview_asks_for_secrets_again_instead_of_carrying_them_on) {
    PreviewPage page;
    PluginField key;
    key.name = "key";
    key.kind = "password";
    PluginField region;
    region.name = "region";
    page.provider_fields = {key, region};
    page.sent.fields = {{"providerFields.key", "typed-s3cret"},
                        {"providerFields.of_another_provider", "typed-s3cret"},
                        {"providerFields.region", "r"}};

    const auto json = to_json(page);

    BOOST_TEST(json.dump().find("typed-s3cret") == std::string::npos);
    BOOST_TEST(json.at("hidden").size() == 1U);
    BOOST_TEST(json.at("secrets")[0].at("name") == "providerFields.key");
}

BOOST_AUTO_TEST_CASE(the_form_of_a_new_cluster_announces_secrets_and_does_not_ask_for_them) {
    auto page = form_with({{"providerFields.key", "The provider needs this."}});
    PluginField key;
    key.name = "key";
    key.label = "Key of the account";
    key.sensitive = true;
    PluginField region;
    region.name = "region";
    region.label = "Region";
    page.offer.provider_fields = {region};
    BOOST_TEST(to_json(page).at("secrets_later") == "");
    page.offer.provider_fields = {region, key};
    page.form.provider_fields = {{"key", "typed-s3cret"}};

    const auto json = to_json(page);

    BOOST_TEST(
        json.at("secrets_later") ==
        "The next page has a field for: Key of the account. It is not here, because no page keeps "
        "secrets.");
    BOOST_TEST(json.dump().find("typed-s3cret") == std::string::npos);
    std::string controls;
    for (const auto& field : json.at("advanced")) controls += field.at("name").dump();
    BOOST_TEST(controls.find("providerFields.region") != std::string::npos);
    BOOST_TEST(controls.find("providerFields.key") == std::string::npos);
    BOOST_TEST(json.dump().find("Key of the account: The provider needs this. The next page asks "
                                "for it.") != std::string::npos);
    BOOST_TEST(json.at("advanced_open") == false);
}

BOOST_AUTO_TEST_CASE(a_preview_has_labels_where_people_read) {
    using provisioner::solver::ClusterLayout;
    PreviewPage page;
    page.wanted.machines = 2;
    page.preview.nodes = {{1000, "small", "debian", {"web"}}, {1001, "small", "debian", {"web"}}};
    page.preview.layout.groups = {{"small", "debian", {"web"}, 2}};
    page.sizes = {{.machines = 2, .layout = page.preview.layout},
                  {.machines = 3, .layout = ClusterLayout{{{"small", "debian", {"web"}, 3}}}}};
    page.labels.add(CatalogueKind::service, {{"web", "Web server"}});
    page.labels.add(CatalogueKind::hardware_type, {{"small", "Small, 2 cores"}});
    page.labels.add(CatalogueKind::image_type, {{"debian", "Debian 12"}});

    const auto json = to_json(page);

    BOOST_TEST(json.at("groups")[0].at("services") == "Web server");
    BOOST_TEST(json.at("groups")[0].at("hardware_type") == "Small, 2 cores");
    BOOST_TEST(json.at("groups")[0].at("image_type") == "Debian 12");
    BOOST_TEST(json.at("columns")[0].at("service") == "Web server");
    BOOST_TEST(json.at("rows")[0].at("subtitle") == "Small, 2 cores");
    BOOST_TEST(json.at("sizes")[0].at("layout") == "2 \u00d7 Small, 2 cores with Web server");
    BOOST_TEST(json.at("sizes")[1].at("layout") == "1 more Small, 2 cores with Web server");
}

BOOST_AUTO_TEST_CASE(other_sizes_say_what_they_have_more_and_fewer) {
    using provisioner::solver::ClusterLayout;
    PreviewPage page;
    page.wanted.machines = 4;
    page.preview.layout.groups = {{"small", "debian", {"web"}, 3}, {"large", "debian", {"db"}, 1}};
    const ClusterLayout more{{{"small", "debian", {"web"}, 1200}, {"large", "debian", {"db"}, 1}}};
    const ClusterLayout other{
        {{"small", "debian", {"cache", "web"}, 1}, {"large", "debian", {"db"}, 2}}};
    page.sizes = {{.machines = 2, .problems = {{"numMachines", "Too few."}}},
                  {.machines = 4, .layout = page.preview.layout},
                  {.machines = 3, .layout = other},
                  {.machines = 1201, .layout = more}};

    const auto sizes = to_json(page).at("sizes");

    BOOST_TEST(sizes[0].at("layout") == "Too few.");
    BOOST_TEST(sizes[1].at("layout") == "3 \u00d7 small with web; 1 \u00d7 large with db");
    BOOST_TEST(sizes[2].at("layout") ==
               "1 more small with cache and web; 1 more large with db; 3 fewer small with web");
    BOOST_TEST(sizes[3].at("layout") == "1,197 more small with web");
}

BOOST_AUTO_TEST_CASE(a_tip_and_the_sentence_after_it_are_told_apart) {
    PreviewPage page;
    provisioner::model::PluginField key;
    key.name = "key";
    key.sensitive = true;
    const auto hint = [&](const std::string& tip) {
        key.tip = tip;
        page.provider_fields = {key};
        return to_json(page).at("secrets")[0].at("hint").get<std::string>();
    };
    const std::string why = "Pages do not keep secrets, so it is asked for here.";
    BOOST_TEST(hint("") == why);
    BOOST_TEST(hint("Of the account") == "Of the account. " + why);
    BOOST_TEST(hint("Of the account.") == "Of the account. " + why);
}

BOOST_AUTO_TEST_CASE(a_preview_says_all_that_was_chosen_instead_of_what_the_template_has) {
    PreviewPage page;
    page.labels.add(provisioner::model::CatalogueKind::service, {{"web", "Web server"}});
    page.defaults.services = {"web", "db"};
    page.defaults.config = {{"web", {{"port", 80}}}, {"password", "old"}};
    const auto facts = [&] {
        std::string text;
        const auto json = to_json(page);
        for (std::size_t i = 4; i < json.at("facts").size(); ++i) {
            const auto& fact = json.at("facts")[i];
            text += fact.at("label").get<std::string>() + ": ";
            text += fact.at("value").get<std::string>();
            for (const auto& line : fact.at("lines")) text += line.at("line").get<std::string>();
            text += "; ";
        }
        return text;
    };
    page.wanted.services = {"db", "web"};
    page.wanted.config = page.defaults.config;
    BOOST_TEST(facts() == "");

    page.wanted.services = {"web"};
    page.wanted.dns_suffix = "example.com";
    page.wanted.config["web"]["port"] = 8080;
    BOOST_TEST(facts() ==
               "Services: Web server; DNS suffix: example.com; "
               "Configuration: web.port: 8080 instead of 80; ");

    page.wanted.config = page.defaults.config;
    page.wanted.config["password"] = "secret-9";
    BOOST_TEST(facts().find("secret-9") == std::string::npos);
    BOOST_TEST(facts().find("Values that are not shown were changed.") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_preview_names_clusters_of_the_same_name_and_how_long_others_took) {
    using namespace std::chrono_literals;
    PreviewPage page;
    BOOST_TEST(to_json(page).at("namesakes").is_null());
    BOOST_TEST(to_json(page).at("duration") == "");
    page.namesakes.emplace_back().id = provisioner::model::ClusterId{7};
    page.creation_times = {240s, 125s, 190s};

    const auto json = to_json(page);

    BOOST_TEST(json.at("namesakes").at("words") ==
               "There is already a cluster of this name. Creating makes another one.");
    BOOST_TEST(json.at("namesakes").at("clusters")[0].at("href") == "/clusters/00000007");
    BOOST_TEST(json.at("duration") ==
               "The latest 3 clusters of this template were created in 2 minutes to 4 minutes.");
    page.creation_times = {45s};
    BOOST_TEST(to_json(page).at("duration") ==
               "The latest cluster of this template was created in 45 s.");
}

BOOST_AUTO_TEST_CASE(the_catalogue_is_linked_for_those_who_see_the_tenant_only) {
    const auto links = [](Role role) {
        const auto nav =
            framed({}, {.title = "x", .section = "people"}, {.user = "a", .role = role}).at("nav");
        std::size_t count = 0;
        for (const Json& item : nav) count += item.at("entries").size();
        return count;
    };

    BOOST_TEST(links(Role::user) == 3U);
    BOOST_TEST(links(Role::cluster_operator) == 3U);
    BOOST_TEST(links(Role::auditor) == 11U);
    BOOST_TEST(links(Role::admin) == 11U);
    BOOST_TEST(links(Role::superadmin) == 15U);
}

BOOST_AUTO_TEST_CASE(the_navigation_has_groups_and_a_group_of_one_is_a_link) {
    const auto nav = [](Role role) {
        return framed({}, {.title = "x", .section = "people"}, {.user = "a", .role = role})
            .at("nav");
    };
    const auto text = [](const Json& items) {
        std::string labels;
        for (const Json& item : items) {
            labels += item.at("label").get<std::string>();
            labels += item.at("is_group") == true ? " >" : "";
            labels += item.at("current") == true ? " *, " : ", ";
        }
        return labels;
    };

    BOOST_TEST(text(nav(Role::user)) == "Clusters, Machines, Templates, ");
    BOOST_TEST(text(nav(Role::admin)) ==
               "Clusters, Machines >, Templates, Catalogue, Access > *, Audit, ");
    BOOST_TEST(nav(Role::admin)[1].at("entries")[0].at("label") == "All machines");
    BOOST_TEST(text(nav(Role::superadmin)) ==
               "Clusters, Machines >, Templates, Catalogue, Access > *, System >, ");
    // A superadmin who views a tenant as its auditors see it keeps the pages of the installation.
    const auto viewed = framed({}, {.title = "x", .section = "audit"},
                               {.user = "root", .role = Role::auditor, .viewing = "demo"})
                            .at("nav");
    BOOST_TEST(text(viewed) ==
               "Clusters, Machines >, Templates, Catalogue, Access >, Audit *, Your own pages >, ");
    BOOST_TEST(viewed.back().at("is_own") == true);
    BOOST_TEST(viewed.back().at("entries")[0].at("href") == "/identity-providers");
}

BOOST_AUTO_TEST_CASE(printed_text_is_shown_without_colours_and_overwritten_lines) {
    BOOST_TEST(shown("\x1b[1;32mok\x1b[0m\n") == "ok\n");
    BOOST_TEST(shown("10%\r50%\r100%\nnext\r\n") == "100%\nnext\n");
    BOOST_TEST(shown("cut off \x1b[3") == "cut off ");
    BOOST_TEST(shown("bell\a and\ttab") == "bell and\ttab");
}

BOOST_AUTO_TEST_CASE(a_test_that_was_just_asked_for_is_in_the_title) {
    const Json entry{{"name", "cloud"}};
    EntryPage page{.kind = CatalogueKind::provider, .entry = entry};
    page.test = ProviderTestPart{.provider = "cloud"};
    BOOST_TEST(title_of(page) == "cloud (provider)");

    page.test->is_just_asked = true;
    page.test->test = ProviderTest{};

    BOOST_TEST(title_of(page) == "Connection: Waiting for a provisioner, cloud (provider)");
}

BOOST_AUTO_TEST_CASE(a_permission_for_the_same_in_another_order_is_no_change) {
    const Permission before{.groups = {"a", "b"}, .users = {"ada"}};
    Permission after{.groups = {"b", "a"}, .users = {"ada"}};

    BOOST_TEST(permits_the_same(before, after));
    after.users = {"bob"};
    BOOST_TEST(!permits_the_same(before, after));
}

BOOST_AUTO_TEST_CASE(a_permission_asks_about_what_is_to_be_checked_when_it_becomes_wider) {
    const EntryName entry{CatalogueKind::cluster_template, "shop"};
    const Permission draft{.entry = entry};
    const Permission of_web{.entry = entry, .groups = {"web"}};
    PermissionPage page{.row = {.entry = entry, .permission = draft}, .groups = {"web"}};
    const Json before = to_json(page);
    page.wants_everybody = true;
    page.to_check = {"It names service db, which is not in the catalogue."};
    page.problems = {problem_of_unchecked()};

    const Json asked = to_json(page);

    BOOST_TEST(is_wider(draft, of_web));
    BOOST_TEST(is_wider(of_web, std::nullopt));
    BOOST_TEST(!is_wider(of_web, draft));
    BOOST_TEST(!is_wider(std::nullopt, of_web));
    BOOST_TEST(before.at("is_draft") == true);
    BOOST_TEST(before.at("everybody") == false);
    BOOST_TEST(before.at("is_to_check") == false);
    BOOST_TEST(asked.at("everybody") == true);
    BOOST_TEST(asked.at("to_check").at(0).at("warning") == page.to_check.front());
    BOOST_TEST(asked.at("is_asked") == true);
    BOOST_TEST(asked.at("has_problems") == false);
}

BOOST_AUTO_TEST_CASE(a_refused_permission_is_in_the_form_and_not_in_force) {
    PermissionPage page{.row = {.entry = {CatalogueKind::service, "web"}}};
    page.wanted = Permission{.entry = page.row.entry, .users = {"ghost"}};
    page.more_users = "ghost";
    page.problems = {{"more_users", "There is no user ghost."}};

    const Json json = to_json(page);

    BOOST_TEST(json.at("for_whom") == "everybody");
    BOOST_TEST(!json.at("everybody").get<bool>());
    BOOST_TEST(json.at("users_field")[0].at("value") == "ghost");
}
