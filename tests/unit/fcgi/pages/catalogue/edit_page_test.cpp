#include "fcgi/pages/catalogue/editors/edit_page.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "fcgi/pages/catalogue/editors/field_values.hpp"
#include "fcgi/pages/catalogue/editors/overtaken.hpp"
#include "fcgi/pages/catalogue/editors/parts.hpp"
#include "fcgi/pages/catalogue/editors/provider_choice.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/catalogue/edit.hpp"

using namespace fcgi::pages;
using namespace provisioner::model;
using fcgi::http::FormData;
using provisioner::base::Json;

namespace {

PluginField plugin_field(const std::string& name, const std::string& kind = "text") {
    PluginField field;
    field.name = name;
    field.label = name;
    field.kind = kind;
    return field;
}

EditContext context() {
    EditContext made;
    PluginType cloud;
    cloud.header.name = "cloud";
    cloud.admin.fields = {plugin_field("url"), plugin_field("password", "password"),
                          plugin_field("port")};
    cloud.admin.required = {{"url", "password"}};
    PluginType shell;
    shell.header.name = "shell";
    shell.admin.fields = {plugin_field("script"), plugin_field("args")};
    shell.admin.required = {{"script"}};
    made.provider_types = {cloud};
    made.given.automator_types = {shell};
    return made;
}

Json stored_provider() {
    return Json::parse(
        R"({"name":"a","version":2,"icon":"x.svg","providertype":"cloud",
        "provisioner":{"url":"https://a","password":"********","port":8080,"undeclared":[1]}})");
}

std::string sent_form(std::vector<std::pair<std::string, std::string>> fields) {
    FormData data;
    data.fields = std::move(fields);
    const auto entry = entry_in_form(CatalogueKind::provider, data, stored_provider(), context());
    return entry.at("provisioner").dump();
}

std::string names_of(const Json& fields) {
    std::string names;
    for (const Json& field : fields) {
        names += (names.empty() ? "" : " ") + field.at("name").get<std::string>();
    }
    return names;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lines_that_are_no_settings_are_refused_beside_their_control) {
    FormData sent;
    sent.fields = {{"providermap.cloud.more", "cpus=1\r\n\r\ngarbage\r\n=2"},
                   {"providermap.cloud.flavor", "no equals here"}};

    const auto problems = problems_in_lines(sent);

    BOOST_REQUIRE(problems.size() == 2U);
    BOOST_TEST(problems[0].field == "providermap.cloud.more");
    BOOST_TEST(problems[0].message == "Line 3 is not name=value.");
    BOOST_TEST(problems[1].message == "Line 4 is not name=value.");
}

namespace {

/// A context whose types have a field of each kind that is checked.
EditContext context_with_kinds() {
    auto made = context();
    auto size = plugin_field("size");
    size.number = NumberRange{.least = 1, .most = 100};
    auto rate = plugin_field("rate");
    rate.number = NumberRange{.least = 0.5, .is_whole = false};
    auto zone = plugin_field("zone", "select");
    zone.options = {"north", "south"};
    const std::vector<PluginField> fields{size, rate, zone, plugin_field("public", "checkbox"),
                                          plugin_field("token", "password")};
    made.provider_types[0].admin.fields = fields;
    made.provider_types[0].user.fields = {size, plugin_field("count", "number")};
    made.given.automator_types[0].admin.fields = fields;
    return made;
}

std::string problems_of(const Json& values, const EditPage& page) {
    EditPage edited = page;
    edited.context = context_with_kinds();
    if (page.kind == CatalogueKind::provider) {
        edited.entry = {{"name", "a"}, {"providertype", "cloud"}, {"provisioner", values}};
    } else {
        edited.entry["provisioner"]["actions"]["install"] = {{"type", "shell"}, {"fields", values}};
    }
    std::string text;
    for (const auto& problem : problems_with_values(edited)) {
        text += problem.field + ": " + problem.message + '\n';
    }
    return text;
}

const Json wrong_values = {{"size", "big"},     {"rate", "0.4"},  {"zone", "west"},
                           {"public", "maybe"}, {"token", "any"}, {"count", "1,5"}};

}  // namespace

BOOST_AUTO_TEST_CASE(a_provider_has_a_type_that_is_there_or_the_one_it_had) {
    EditPage page{.kind = CatalogueKind::provider, .context = context()};
    page.entry = {{"name", "a"}, {"providertype", "nosuch"}};

    const auto problems = problems_with_values(page);

    BOOST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(problems[0].field == "providertype");
    BOOST_TEST(problems[0].message == "Choose one of the list.");
    page.stored = page.entry;
    BOOST_TEST(problems_with_values(page).empty());
}

BOOST_AUTO_TEST_CASE(values_of_a_provider_are_what_its_type_declares) {
    const EditPage page{.kind = CatalogueKind::provider};
    BOOST_TEST(problems_of(wrong_values, page) ==
               "provisioner.size: Must be a whole number from 1 to 100.\n"
               "provisioner.rate: Must be a number, at least 0.5.\n"
               "provisioner.zone: Choose one of the list.\n"
               "provisioner.public: Choose yes or no.\n"
               "provisioner.count: Must be a number.\n");
    for (const char* size : {"0", "101", "1.5", "-3", "1e1", "", "٣", "99999999999999999999"}) {
        BOOST_TEST(problems_of({{"size", size}}, page).empty() == (std::string(size) == ""), size);
    }
    BOOST_TEST(problems_of({{"size", 7},
                            {"rate", "12.25"},
                            {"zone", "south"},
                            {"public", true},
                            {"count", "-1.5"}},
                           page) == "");
}

BOOST_AUTO_TEST_CASE(values_of_actions_are_checked_as_those_of_providers_but_for_macros) {
    const EditPage page{.kind = CatalogueKind::service};
    BOOST_TEST(problems_of(wrong_values, page) ==
               "provisioner.actions.install.fields.size: Must be a whole number from 1 to 100.\n"
               "provisioner.actions.install.fields.rate: Must be a number, at least 0.5.\n"
               "provisioner.actions.install.fields.zone: Choose one of the list.\n"
               "provisioner.actions.install.fields.public: Choose yes or no.\n");
    BOOST_TEST(problems_of({{"size", "%instance.self%"}}, page) == "");
}

BOOST_AUTO_TEST_CASE(what_a_form_always_requires_is_a_problem_of_its_control) {
    EditPage page{.kind = CatalogueKind::service};
    page.context = context();
    page.entry["provisioner"]["actions"]["install"] = {{"type", "shell"}};
    const auto problems = problems_with_values(page);

    BOOST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(problems[0].field == "provisioner.actions.install.fields.script");
    BOOST_TEST(problems[0].message == "Fill this in.");
    page.document = "{}";
    BOOST_TEST(problems_with_values(page).empty());
}

BOOST_AUTO_TEST_CASE(what_a_provider_needs_of_several_things_is_told_at_the_first_of_them) {
    EditPage page{.kind = CatalogueKind::provider, .context = context()};
    page.context.provider_types.front().admin.required = {{"url", "password"}, {"port"}};
    page.entry = Json::parse(R"({"name":"a b","providertype":"cloud","provisioner":{"url":"x"}})");
    page.problems = problems_with_values(page);

    BOOST_REQUIRE(page.problems.size() == 1U);
    BOOST_TEST(page.problems[0].field == "provisioner.password");
    BOOST_TEST(page.problems[0].message == "Fill in url and password, or port.");
    BOOST_TEST(to_json(page).at("warnings").empty());
    page.entry["provisioner"]["port"] = "80";
    BOOST_TEST(problems_with_values(page).empty());
    page.entry["provisioner"].erase("port");
    page.document = "{}";
    BOOST_TEST(problems_with_values(page).empty());
}

BOOST_AUTO_TEST_CASE(a_suggestion_is_filled_in_only_where_nothing_works_without_it) {
    EditPage page{.kind = CatalogueKind::provider, .context = context()};
    auto& fields = page.context.provider_types.front().admin.fields;
    fields[0].default_value = "https://cloud";
    fields[2].default_value = "80";
    page.entry = blank_entry(CatalogueKind::provider, "cloud");
    const auto drawn = to_json(page).at("provider");

    BOOST_TEST(drawn.at("admin").at(0).at("value") == "https://cloud");
    BOOST_TEST(drawn.at("more").at(0).at("value") == "");
    BOOST_TEST(drawn.at("more").at(0).at("hint") == "Usual: 80");
}

BOOST_AUTO_TEST_CASE(a_switch_to_the_form_that_fails_is_no_save_that_failed) {
    EditPage page{.kind = CatalogueKind::service};
    page.document = "{";
    page.problems = {{"document", "Line 1, column 2: the text ends."}};
    page.is_switched = true;

    BOOST_TEST(to_json(page).at("problems_title") == "Solve this to switch between form and JSON");
}

BOOST_AUTO_TEST_CASE(of_a_text_that_cannot_be_read_nothing_is_checked) {
    EditPage page{.kind = CatalogueKind::service};
    page.document = R"({"name":"web"})";
    page.entry = Json::parse(*page.document);
    BOOST_TEST(to_json(page).at("has_warnings") == true);

    page.document = R"({"name":"web",})";
    page.entry = Json();
    BOOST_TEST(to_json(page).at("has_warnings") == false);
}

BOOST_AUTO_TEST_CASE(a_choice_that_is_stored_may_stay_and_json_may_name_others) {
    EditPage page{.kind = CatalogueKind::provider};
    page.stored = Json::parse(
        R"({"name":"a","providertype":"cloud","provisioner":{"zone":"west","size":"big"}})");
    BOOST_TEST(problems_of({{"zone", "west"}}, page) == "");
    BOOST_TEST(problems_of({{"size", "big"}}, page) != "");
    BOOST_TEST(problems_of({{"zone", "east"}}, page) != "");
    page.document = "{}";
    BOOST_TEST(problems_of({{"zone", "east"}}, page) == "");
    BOOST_TEST(problems_of({{"size", "big"}}, page) != "");
}

BOOST_AUTO_TEST_CASE(a_field_of_numbers_says_which_ones_and_loses_no_text) {
    const auto type = context_with_kinds().given.automator_types[0];
    const Json typed = "big";
    const auto control = plugin_control(type.admin.fields[0], "size", &typed, false);
    BOOST_TEST(control.hint == "Enter a whole number from 1 to 100");
    BOOST_TEST(control.value == "big");
    BOOST_TEST(control.type == "text");
    BOOST_TEST(control.inputmode == "numeric");
    BOOST_TEST(plugin_control(type.admin.fields[1], "rate", nullptr, false).inputmode == "decimal");
}

BOOST_AUTO_TEST_CASE(blanks_around_a_number_are_not_kept) {
    FormData sent;
    sent.fields = {{"providertype", "cloud"}, {"provisioner.size", " 7 "}, {"name", "a"}};
    const auto entry =
        entry_in_form(CatalogueKind::provider, sent, Json::object(), context_with_kinds());
    BOOST_TEST(entry.at("provisioner").at("size") == "7");
    sent.fields = {{"provisioner.actions.start.type", "shell"},
                   {"provisioner.actions.start.fields.size", " 7 "}};
    const auto service =
        entry_in_form(CatalogueKind::service, sent, Json::object(), context_with_kinds());
    BOOST_TEST(service.at("provisioner").at("actions").at("start").at("fields").at("size") == "7");
}

BOOST_AUTO_TEST_CASE(an_entry_that_was_only_opened_is_not_unsaved) {
    EditPage page{.kind = CatalogueKind::hardware_type};
    page.stored = {{"name", "small"}, {"version", 3}};
    page.entry = {{"name", "small"}};
    BOOST_TEST(to_json(page).at("is_unsaved") == false);

    page.entry["description"] = "Two cores";

    BOOST_TEST(to_json(page).at("is_unsaved") == true);
}

BOOST_AUTO_TEST_CASE(what_saving_an_entry_breaks_is_confirmed_first) {
    EditPage page{.kind = CatalogueKind::hardware_type};
    page.stored = {{"name", "small"}, {"version", 3}};
    page.entry = {{"name", "small"}, {"providermap", {{"gone", {{"flavor", "s"}}}}}};
    BOOST_TEST(to_json(page).at("is_to_check") == false);
    BOOST_TEST(to_json(page).at("has_warnings") == true);
    page.to_check = {"Cluster template web uses it by default."};
    page.to_note = {"Not checked: shop."};
    page.problems = {problem_of_unchecked()};

    const Json asked = to_json(page);
    page.document = "{}";
    const Json as_json = to_json(page);

    // The box says it all, once.
    BOOST_TEST(asked.at("is_asked") == true);
    BOOST_TEST(asked.at("check_title") == "Not saved yet: please check");
    BOOST_TEST(asked.at("has_problems") == false);
    BOOST_TEST(asked.at("has_warnings") == false);
    BOOST_TEST(asked.at("check_notes").at(0).at("check_note") == page.to_note.front());
    BOOST_TEST(asked.at("checked_word") == word_of_checked(page.to_check));
    BOOST_TEST(asked.at("to_check").at(0).at("warning") == page.to_check.front());
    BOOST_TEST(as_json.at("is_asked") == true);
    BOOST_TEST(as_json.at("has_problems") == false);
}

BOOST_AUTO_TEST_CASE(types_of_providers_are_links_in_order_of_their_labels) {
    ProviderChoicePage page{.types = context().provider_types};
    page.types.front().header.label = "The cloud";
    page.types.push_back(page.types.front());
    page.types.back().header.name = "a b";
    page.types.back().header.label = "Another";

    const auto types = to_json(page).at("types");

    BOOST_TEST(types.at(0).at("type_label") == "Another");
    BOOST_TEST(types.at(0).at("type_href") == "/catalogue/new/providers?providertype=a%20b");
    BOOST_TEST(types.at(1).at("type_label") == "The cloud");
}

BOOST_AUTO_TEST_CASE(what_a_provider_does_not_need_is_closed_until_it_is_set_or_wrong) {
    EditPage page{.kind = CatalogueKind::provider, .context = context()};
    page.context.provider_types.front().admin.fields.back().default_value = "80";
    page.entry = blank_entry(CatalogueKind::provider, "cloud");

    const auto untouched = to_json(page).at("provider");
    page.entry["provisioner"]["port"] = "80";
    const auto with_default = to_json(page).at("provider");
    page.problems = {{"provisioner.port", "is wrong"}};
    const auto wrong = to_json(page).at("provider");
    page.problems.clear();
    page.entry["provisioner"]["port"] = "81";
    const auto set = to_json(page).at("provider");

    BOOST_TEST(names_of(untouched.at("admin")) == "provisioner.url provisioner.password");
    BOOST_TEST(names_of(untouched.at("more")) == "provisioner.port");
    BOOST_TEST(untouched.at("is_more_open") == false);
    BOOST_TEST(with_default.at("is_more_open") == false);
    BOOST_TEST(wrong.at("is_more_open") == true);
    BOOST_TEST(set.at("is_more_open") == true);
}

BOOST_AUTO_TEST_CASE(fields_with_a_default_are_closed_where_a_type_requires_nothing) {
    EditPage page{.kind = CatalogueKind::provider, .context = context()};
    auto& admin = page.context.provider_types.front().admin;
    admin.required.clear();
    admin.fields.back().default_value = "80";
    page.entry = blank_entry(CatalogueKind::provider, "cloud");

    const auto part = to_json(page).at("provider");

    BOOST_TEST(names_of(part.at("admin")) == "provisioner.url provisioner.password");
    BOOST_TEST(names_of(part.at("more")) == "provisioner.port");
    BOOST_TEST(part.at("is_more_open") == false);
}

BOOST_AUTO_TEST_CASE(a_default_that_nobody_touched_is_not_stored) {
    EditContext known = context();
    PluginField& port = known.provider_types.front().admin.fields.back();
    port.default_value = "80";
    fcgi::http::FormData sent;
    sent.fields = {{"providertype", "cloud"}, {"provisioner.port", "80"}};
    const auto stored_port = [&](const Json& stored) {
        const Json entry = entry_in_form(CatalogueKind::provider, sent, stored, known);
        return entry.at("provisioner").value("port", "");
    };
    const Json without = Json::parse(R"({"name":"a","providertype":"cloud","provisioner":{}})");
    const Json with =
        Json::parse(R"({"name":"a","providertype":"cloud","provisioner":{"port":"80"}})");

    // The type would do something else without it.
    BOOST_TEST(stored_port(Json::object()) == "80");
    port.default_applies = true;
    BOOST_TEST(stored_port(Json::object()) == "");
    BOOST_TEST(stored_port(without) == "80");
    BOOST_TEST(stored_port(with) == "80");
    sent.fields.back().second = "81";
    BOOST_TEST(stored_port(Json::object()) == "81");
    sent.fields.back().second = "80";
    known.provider_types.front().admin.required.push_back({"port"});
    BOOST_TEST(stored_port(Json::object()) == "80");
}

BOOST_AUTO_TEST_CASE(a_default_is_said_in_plain_words) {
    const auto words = [](const std::string& kind, const Json& standard) {
        auto field = plugin_field("a", kind);
        field.default_value = standard;
        field.default_applies = true;
        return plugin_control(field, "a", nullptr, false).options.front().second;
    };

    BOOST_TEST(words("checkbox", "true") == "Default: yes");
    BOOST_TEST(words("checkbox", false) == "Default: no");
    BOOST_TEST(words("checkbox", nullptr) == "Not set");
    BOOST_TEST(words("select", "small") == "Default: small");
    // What the plugin does without a value may be something else.
    auto field = plugin_field("a", "select");
    field.default_value = "small";
    BOOST_TEST(plugin_control(field, "a", nullptr, false).options.front().second == "Not set");
}

BOOST_AUTO_TEST_CASE(a_text_field_says_its_default_unless_it_shows_it) {
    PluginField field = plugin_field("port");
    field.tip = "Of SSH";
    field.default_value = "22";

    BOOST_TEST(plugin_control(field, "port", nullptr, false).hint == "Of SSH. Usual: 22");
    field.default_applies = true;
    BOOST_TEST(plugin_control(field, "port", nullptr, false).hint == "Of SSH. Default: 22");
    BOOST_TEST(plugin_control(field, "port", nullptr, true).hint == "Of SSH");
    const Json other = "2222";
    BOOST_TEST(plugin_control(field, "port", &other, false).hint == "Of SSH. Default: 22");
}

BOOST_AUTO_TEST_CASE(secrets_of_several_lines_get_several_lines) {
    const auto is_text_area = [](const std::string& name, const std::string& kind) {
        return plugin_control(plugin_field(name, kind), name, nullptr, true).control ==
               FormField::Control::textarea;
    };

    BOOST_TEST(is_text_area("ssh_private_key", "password"));
    BOOST_TEST(is_text_area("client_pem", "password"));
    BOOST_TEST(is_text_area("service_account_json", "password"));
    BOOST_TEST(!is_text_area("api_password", "password"));
    BOOST_TEST(!is_text_area("api_key", "password"));
    BOOST_TEST(!is_text_area("pem_name", "text"));
}

BOOST_AUTO_TEST_CASE(a_secret_is_kept_when_left_empty_replaced_when_typed_and_removed_when_ticked) {
    const std::pair<std::string, std::string> type{"providertype", "cloud"};
    const std::pair<std::string, std::string> empty{"provisioner.password", ""};

    BOOST_TEST(sent_form({type, empty}) == R"({"password":"********","undeclared":[1]})");
    BOOST_TEST(sent_form({type, {"provisioner.password", "new"}}) ==
               R"({"password":"new","undeclared":[1]})");
    BOOST_TEST(sent_form({type, empty, {"clear.password", "yes"}}) == R"({"undeclared":[1]})");
}

BOOST_AUTO_TEST_CASE(values_that_are_no_text_stay_what_they_are_while_nobody_changes_them) {
    BOOST_TEST(sent_form({{"providertype", "cloud"}, {"provisioner.port", "8080"}}) ==
               R"({"port":8080,"undeclared":[1]})");
    BOOST_TEST(sent_form({{"providertype", "cloud"}, {"provisioner.port", "9090"}}) ==
               R"({"port":"9090","undeclared":[1]})");
}

BOOST_AUTO_TEST_CASE(another_type_keeps_nothing_of_the_fields_of_the_one_before) {
    BOOST_TEST(sent_form({{"providertype", "other"}, {"provisioner.password", ""}}) == "{}");
}

BOOST_AUTO_TEST_CASE(secrets_never_come_to_the_page) {
    EditPage page{.kind = CatalogueKind::provider, .context = context()};
    Json entry = stored_provider();
    entry["provisioner"]["password"] = "hunter2";
    page.stored = without_secrets(entry, page.context);
    page.entry = page.stored;

    BOOST_TEST(page.stored.at("provisioner").at("password") == "********");
    BOOST_TEST(to_json(page).dump().find("hunter2") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_hardware_type_is_made_of_the_settings_of_each_provider) {
    FormData sent;
    sent.fields = {{"name", "small"},
                   {"providermap.a.b.flavor", " m1 "},
                   {"providermap.a.b.more", "cpus=2\r\n\r\nmemory_mb = 512\r\n"},
                   {"providermap.c.flavor", ""}};

    const auto entry = entry_in_form(CatalogueKind::hardware_type, sent, Json::object(), context());

    BOOST_TEST(
        entry.dump() ==
        R"({"name":"small","providermap":{"a.b":{"flavor":"m1","cpus":"2","memory_mb":"512"}}})");
}

BOOST_AUTO_TEST_CASE(a_service_goes_through_the_form_unchanged) {
    const Json service = Json::parse(
        R"({"name":"web","dependencies":{"provides":["http"],"conflicts":["old"],"install":{"requires":["base"],
        "uses":[]},"runtime":{"requires":[],"uses":["sql"]}},"provisioner":{"actions":{"install":{"type":"shell",
        "fields":{"script":"web.sh","args":"a b"},"limit":"10m"}}},"ports":["80/tcp"],"links":[{"label":"Site","url":"http://a/"}]})");
    FormData sent;
    sent.fields = {{"dependencies.provides", "http"},
                   {"dependencies.conflicts", "old"},
                   {"dependencies.install.requires", "base"},
                   {"dependencies.runtime.uses", "sql"},
                   {"provisioner.actions.install.type", "shell"},
                   {"provisioner.actions.install.fields.script", "web.sh"},
                   {"provisioner.actions.install.fields.args", "a b"},
                   {"provisioner.actions.install.limit", "10m"},
                   {"provisioner.actions.start.type", ""},
                   {"ports", "80/tcp"},
                   {"links", "Site | http://a/\r\n"}};

    const auto entry = entry_in_form(CatalogueKind::service, sent, service, context());

    BOOST_TEST(entry.dump(1) == service.dump(1));
}

BOOST_AUTO_TEST_CASE(a_new_action_begins_with_the_script_of_another_one) {
    Json entry = Json::parse(R"({"provisioner":{"actions":{
        "install":{"type":"shell","fields":{"script":"web.sh","args":"install"}},
        "start":{"type":"shell","fields":{}},
        "stop":{"type":"shell","fields":{}},
        "remove":{"type":"other","fields":{}}}}})");
    FormData sent;
    // The form had the fields of "stop", and somebody has emptied them.
    sent.fields = {{"provisioner.actions.install.fields.script", "web.sh"},
                   {"provisioner.actions.stop.fields.script", ""}};

    fill_new_actions(sent, context(), entry);

    const Json& actions = entry["provisioner"]["actions"];
    BOOST_TEST(actions["start"]["fields"].dump() == R"({"script":"web.sh"})");
    BOOST_TEST(actions["stop"]["fields"].dump() == "{}");
    BOOST_TEST(actions["remove"]["fields"].dump() == "{}");
    BOOST_TEST(actions["install"]["fields"].dump() == R"({"script":"web.sh","args":"install"})");
}

BOOST_AUTO_TEST_CASE(wrong_json_is_told_with_its_line_and_column) {
    const auto wrong = entry_in_text("{\"name\": \"web\",\n  oops}");
    BOOST_REQUIRE(!wrong);
    BOOST_TEST(wrong.error().front().field == "document");
    BOOST_TEST(wrong.error().front().message.starts_with("Line 2, column "));

    BOOST_TEST(!entry_in_text("[]"));
    BOOST_TEST(!entry_in_text(std::string(1000, '[')));
    BOOST_TEST(entry_in_text("{\"a\": 1}")->dump() == "{\"a\":1}");
}

BOOST_AUTO_TEST_CASE(a_member_that_no_entry_has_is_a_problem_with_its_line) {
    const auto told = [](CatalogueKind kind, const std::string& text) {
        std::string lines;
        for (const auto& problem : unknown_in_text(kind, Json::parse(text), text, "document")) {
            lines += problem.field + ": " + problem.message + '\n';
        }
        return lines;
    };
    BOOST_TEST(told(CatalogueKind::service, "{\n  \"name\": \"db\",\n  \"lable\": \"Data\"\n}") ==
               "document: Line 3: there is no member lable.\n");
    BOOST_TEST(
        told(CatalogueKind::service,
             "{\n\"name\":\"db\",\"description\":\"{\\\"\\n[,\\\\\",\n\"links\":["
             "\n{\"label\":\"a\",\"url\":\"http://a\"},\n{\"label\":\"b\",\n\"url\":\"http://b\","
             "\n\"lable\":\"c\"}]}") == "document: Line 7: there is no member links.1.lable.\n");
    BOOST_TEST(told(CatalogueKind::service, R"({"name":"db","label":"Data","version":3})") == "");

    std::string many = R"({"name":"db")";
    for (int i = 0; i < 1023; ++i) many += ",\"a" + std::to_string(i) + "\":1";
    const auto problems =
        unknown_in_text(CatalogueKind::service, Json::parse(many + '}'), many + '}', "document");
    BOOST_TEST(problems.size() == 21U);
    BOOST_TEST(problems.back().message == "1,003 more members do not exist, either.");
    // What is wrong beside them hides none.
    BOOST_TEST(told(CatalogueKind::service, R"({"nmae":"db"})") ==
               "document: Line 1: there is no member nmae.\n");
    BOOST_TEST(told(CatalogueKind::cluster_template,
                    R"({"name":"a b","constraints":{"size":{"min":0,"mux":1}},"lable":"c"})") ==
               "document: Line 1: there is no member constraints.size.mux.\n"
               "document: Line 1: there is no member lable.\n");
}

BOOST_AUTO_TEST_CASE(problems_of_a_text_name_the_member_and_say_what_people_read) {
    const auto problems = problems_in_text(
        {{"name", "invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-]."},
         {"", "It was deleted."},
         {"version", "It was changed."},
         {"document", "Line 1: wrong."}},
        "document");

    BOOST_REQUIRE(problems.size() == 4U);
    BOOST_TEST(problems[0].field == "document");
    BOOST_TEST(problems[0].message ==
               "name: Enter a name of letters, digits, dots, hyphens and underscores only.");
    BOOST_TEST(problems[1].field == "");
    BOOST_TEST(problems[2].field == "version");
    BOOST_TEST(problems[3].message == "Line 1: wrong.");
}

BOOST_AUTO_TEST_CASE(what_a_template_names_and_the_catalogue_lacks_is_warned_of) {
    EditContext lacking = context();
    lacking.entries[CatalogueKind::service] = {Json{{"name", "php"}}};
    const Json entry = Json::parse(
        R"({"name":"web","defaults":{"services":["php"]},"compatibility":{"imagetypes":["none"]}})");

    const auto warnings = warnings_about(CatalogueKind::cluster_template, entry, lacking);
    lacking.entries[CatalogueKind::image_type] = {Json{{"name", "none"}}};

    BOOST_TEST(
        warnings ==
            std::vector<std::string>{"It names image type none, which is not in the catalogue."},
        boost::test_tools::per_element());
    BOOST_TEST(warnings_about(CatalogueKind::cluster_template, entry, lacking).empty());
}

BOOST_AUTO_TEST_CASE(names_nobody_provides_and_missing_fields_are_warned_of) {
    const Json service = Json::parse(
        R"({"name":"web","dependencies":{"provides":[],"conflicts":[],"install":{"requires":[],"uses":[]},
        "runtime":{"requires":["php"],"uses":["cache"]}},"provisioner":{"actions":{"start":{"type":"shell","fields":{}},
        "stop":{"type":"gone","fields":{}}}}})");

    const auto warnings = warnings_about(CatalogueKind::service, service, context());

    std::string all;
    for (const auto& warning : warnings) all += warning + '\n';
    BOOST_TEST(all ==
               "No service provides cache, so using it has no effect.\n"
               "No service provides php: clusters with this service cannot be created.\n"
               "Start: fields are missing. Fill in script.\n"
               "Stop: no provisioner offers the automator gone.\n");
    // Before a deleted one is restored.
    const auto required = words_on_unprovided({}, service, true);
    BOOST_TEST_REQUIRE(required.size() == 1U);
    BOOST_TEST(required.front() ==
               "No service provides php: clusters with this service cannot be created.");
}

BOOST_AUTO_TEST_CASE(a_service_without_actions_is_warned_of) {
    const Json service = Json::parse(R"({"name":"web","provisioner":{"actions":{}}})");

    const auto warnings = warnings_about(CatalogueKind::service, service, context());

    BOOST_REQUIRE(warnings.size() == 1U);
    BOOST_TEST(warnings[0] == "It has no action: nothing is done on machines for it.");
}

BOOST_AUTO_TEST_CASE(lines_that_are_no_links_are_problems_and_stay_as_they_are) {
    fcgi::http::FormData sent;
    sent.fields = {{"links", "Site | http://a/\r\n\r\nnourl\r\n | http://b/"}};

    const auto problems = problems_with_links(sent);

    BOOST_REQUIRE(problems.size() == 2U);
    BOOST_TEST(problems[0].field == "links");
    BOOST_TEST(problems[0].message == "Line 3 has no address. Write: label | address.");
    BOOST_TEST(problems[1].message == "Line 4 has no label. Write: label | address.");
    const Json entry{{"links", links_in_text(sent.first("links").value())}};
    BOOST_TEST(link_lines(entry) == "Site | http://a/\nnourl | \n | http://b/");
}

BOOST_AUTO_TEST_CASE(what_is_saved_as_it_was_is_no_change) {
    const Json stored = stored_provider();
    Json entry = stored;
    entry.erase("version");

    BOOST_TEST(changes_nothing(CatalogueKind::provider, stored, entry));
    entry["provisioner"]["password"] = "hunter2";
    BOOST_TEST(!changes_nothing(CatalogueKind::provider, stored, entry));
    BOOST_TEST(!changes_nothing(CatalogueKind::provider, stored, Json::object()));
}

BOOST_AUTO_TEST_CASE(a_script_that_machines_do_not_get_is_warned_about) {
    EditContext known = context();
    known.given.automator_types[0].resource_types.emplace_back().name = "scripts";
    known.given.files["shell/scripts"] = {"app.sh"};
    const auto warnings = [&](const std::string& script) {
        Json service{{"name", "app"}};
        service["provisioner"]["actions"]["install"] =
            Json{{"type", "shell"}, {"fields", {{"script", script}}}};
        return warnings_about(CatalogueKind::service, service, known);
    };

    BOOST_TEST(warnings("app.sh").empty());
    BOOST_TEST(warnings("%script%").empty());
    BOOST_REQUIRE(warnings("ap.sh").size() == 1U);
    BOOST_TEST(warnings("ap.sh")[0] == "Install: ap.sh is not among the files that machines get.");
    known.given.unused_files["shell/scripts"] = {"ap.sh"};
    BOOST_TEST(warnings("ap.sh")[0] ==
               "Install: ap.sh is uploaded but not in use, so machines do not get it.");
    known.given.files["shell/scripts"].clear();
    BOOST_TEST(warnings("ap.sh").size() == 1U);
    known.given = {.automator_types = known.given.automator_types};
    BOOST_TEST(warnings("ap.sh").empty());
}

namespace {

/// An editor of a service, as it is sent for version 3.
EditPage sent_service(const char* entry, const char* stored) {
    return {.kind = CatalogueKind::service,
            .stored = Json::parse(stored),
            .entry = Json::parse(entry),
            .version = 3};
}

const char* const service_before =
    R"({"name":"web","label":"Web","description":"old","provisioner":{"actions":{}}})";

}  // namespace

BOOST_AUTO_TEST_CASE(two_editors_of_a_service_are_merged) {
    EditPage page = sent_service(
        R"({"name":"web","label":"My web","description":"old","provisioner":{"actions":{}}})",
        R"({"name":"web","label":"Web","description":"new","version":4,
            "provisioner":{"actions":{}}})");

    take_both(Json::parse(service_before), {.version = 4, .line = 40}, page);

    BOOST_TEST(page.entry.at("label") == "My web");
    BOOST_TEST(page.entry.at("description") == "new");
    BOOST_TEST(page.version == 4);
    BOOST_TEST(to_json(page).at("version") == "4-40");
    BOOST_TEST(page.clashes.empty());
    BOOST_TEST_REQUIRE(page.taken_over.size() == 1U);
    BOOST_TEST(page.taken_over.front() == "Description");
}

BOOST_AUTO_TEST_CASE(what_two_editors_of_a_service_both_changed_is_told_at_its_field) {
    EditPage page = sent_service(
        R"({"name":"web","label":"My web","description":"old","provisioner":{"actions":{}}})",
        R"({"name":"web","label":"Their web","description":"new","version":4,
            "provisioner":{"actions":{}}})");
    page.document = "{}";

    take_both(Json::parse(service_before), {.version = 4, .line = 40}, page);
    page.problems = problems_of_clashes(page);
    page.is_overtaken = true;

    BOOST_TEST(page.document->find("My web") != std::string::npos);
    page.document.reset();
    const Json json = to_json(page);
    BOOST_TEST(json.at("problems_title") == "Not saved: somebody else changed the same");
    BOOST_TEST_REQUIRE(json.at("problems").size() == 1U);
    BOOST_TEST(json.at("problems")[0].at("target") == "entry-label");
    BOOST_TEST(json.at("problems")[0].at("label") == "Label");
    BOOST_TEST(json.at("problems")[0].at("message") == "My web below, Their web in version 4.");
    BOOST_TEST(json.at("difference").at("values").at(0).at("before") == "Their web");
    BOOST_TEST(json.at("difference").at("values").at(0).at("after") == "My web");
    BOOST_TEST(json.at("overtaking") ==
               "Your changes are below and not saved. Saving them now replaces what version 4 says "
               "of what both changed. What else version 4 changed stays: Description.");
}

BOOST_AUTO_TEST_CASE(an_entry_that_was_deleted_while_it_was_edited_is_saved_as_a_new_one) {
    EditPage page{.kind = CatalogueKind::provider, .version = 3};
    page.stored = {{"name", "aws"}};
    page.entry = {{"name", "aws"},
                  {"providertype", "aws"},
                  {"provisioner", {{"region", "eu"}, {"key", provisioner::model::secret_mask}}}};
    page.last_change = LastChange{.user = "grace"};

    begin_anew(page);

    const Json json = to_json(page);
    BOOST_TEST(page.entry.at("name") == "aws");
    BOOST_TEST((page.entry.at("provisioner") == Json{{"region", "eu"}}));
    BOOST_TEST(json.at("target") == "/catalogue/new/providers");
    BOOST_TEST(json.at("save_label") == "Save as a new entry");
    BOOST_TEST(json.at("gone") ==
               "grace deleted it. What you typed is below and not saved. Saving it now makes it a "
               "new entry.");
    BOOST_TEST(json.at("latest").is_null());
}

BOOST_AUTO_TEST_CASE(an_entry_that_cannot_be_read_is_not_merged) {
    EditPage page = sent_service(R"({"name":"web"})", R"({"name":"web","version":4})");

    take_both(Json::array(), {.version = 4}, page);

    BOOST_TEST(page.version == 3);
    BOOST_TEST(page.entry == Json::parse(R"({"name":"web"})"));
}
