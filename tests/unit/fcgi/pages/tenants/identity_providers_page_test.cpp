#include "fcgi/pages/tenants/identity_providers.hpp"
#include "fcgi/pages/tenants/login.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/tenants/identity_provider_findings.hpp"
#include "fcgi/pages/tenants/identity_provider_merge.hpp"

BOOST_AUTO_TEST_SUITE(identity_providers_page)

namespace {

using namespace fcgi::pages;
namespace model = provisioner::model;

}  // namespace

BOOST_AUTO_TEST_CASE(a_secret_that_was_typed_comes_back_in_its_field) {
    IdentityProviderPage page;
    const auto secret = [&](const char* what) {
        const auto json = to_json(page);
        for (const auto& field : json.at("fields")) {
            if (field.at("name") == "secret") return field.at(what).get<std::string>();
        }
        return std::string("no such field");
    };
    BOOST_TEST(secret("hint") == "Leave empty to keep the stored one.");
    BOOST_TEST(secret("value") == "");
    page.typed_secret = "typed";
    BOOST_TEST(secret("value") == "typed");
    BOOST_TEST(secret("type") == "password");
}

BOOST_AUTO_TEST_CASE(the_lines_of_an_identity_provider_end_as_they_are_stored) {
    const auto page = identity_provider_in(
        fcgi::http::parse_form("kind=oidc&name=corp&authorities=BEGIN%0D%0AEND"));

    BOOST_TEST(page.provider.authorities == "BEGIN\nEND");
    BOOST_TEST(page.problems.empty());
}

BOOST_AUTO_TEST_CASE(rules_are_rows_of_a_form_and_come_back) {
    const std::vector<model::MembershipRule> rules{
        {.value = "admins", .tenant = "demo", .role = model::Role::admin, .groups = {"a", "b"}},
        {.value = "*", .tenant = "lab", .role = model::Role::user}};
    provisioner::base::Problems problems;

    BOOST_TEST((rules_of(membership_rows_of(rules), problems) == rules));
    BOOST_TEST(problems.empty());
}

BOOST_AUTO_TEST_CASE(empty_rows_are_no_rules_and_a_row_without_a_group_is_told_beside_it) {
    const auto page = identity_provider_in(
        fcgi::http::parse_form("kind=oidc&rule.value=&rule.tenant=&rule.role=user&rule.groups="
                               "&rule.value=staff&rule.tenant=+demo&rule.role=king&rule.groups=a,b"
                               "&rule.value=&rule.tenant=lab&rule.role=user&rule.groups="));

    BOOST_REQUIRE(page.rows.size() == 2U);
    BOOST_TEST(page.provider.rules[0].tenant == "demo");
    BOOST_TEST((page.provider.rules[0].groups == std::vector<std::string>{"a", "b"}));
    BOOST_TEST(page.provider.rules[1].value == "");
    BOOST_REQUIRE(page.problems.size() == 1U);
    BOOST_TEST(page.problems[0].field == "rules.0", "there is no role king");

    IdentityProviderPage shown{.rows = page.rows};
    shown.problems = {{"rules.1", "A rule needs a group, or * for everybody."}};
    const auto json = to_json(shown);
    BOOST_TEST(json.at("rules").size() == 2U + empty_membership_rows);
    BOOST_TEST(json.at("rules")[0].at("value_problem") == "");
    BOOST_TEST(json.at("rules")[1].at("value_problem") ==
               "A rule needs a group, or * for everybody.");
    BOOST_TEST(json.at("problems")[0].at("target") == "rule-1-value");
}

BOOST_AUTO_TEST_CASE(a_problem_of_a_rule_stands_in_the_cell_that_is_wrong) {
    IdentityProviderPage page;
    page.rows = {{.value = "*", .tenant = "demo", .role = "user", .groups = "nosuch"}};
    const auto target_of = [&](const std::string& message) {
        page.problems = {{"rules.0", message}};
        const auto json = to_json(page);
        return json.at("problems")[0].at("target").get<std::string>();
    };

    BOOST_TEST(target_of("The tenant has no group nosuch.") == "rule-0-groups");
    BOOST_TEST(target_of("A rule has at most 50 groups, not 51.") == "rule-0-groups");
    BOOST_TEST(target_of("There is no tenant nowhere.") == "rule-0-tenant");
    BOOST_TEST(target_of("A rule needs a tenant.") == "rule-0-tenant");
    BOOST_TEST(target_of("Superadmins belong to the tenant superadmin.") == "rule-0-role");
    BOOST_TEST(target_of("Choose a role.") == "rule-0-role");
    BOOST_TEST(target_of("The group of a rule must be one line.") == "rule-0-value");
    page.problems = {{"rules.0", "The tenant has no group nosuch."}};
    const auto rule = to_json(page).at("rules")[0];
    BOOST_TEST(rule.at("groups_problem") == "The tenant has no group nosuch.");
    BOOST_TEST(rule.at("value_problem") == "");
}

BOOST_AUTO_TEST_CASE(empty_rows_stay_as_many_when_the_form_is_drawn_again) {
    std::string form = "kind=oidc&name=corp&do=up-1";
    for (const char* value : {"a", "b", "", "", "", "", ""}) {
        form += std::string("&rule.value=") + value + "&rule.tenant=&rule.role=user&rule.groups=";
    }

    const auto page = identity_provider_in(fcgi::http::parse_form(form));

    BOOST_TEST(page.rows.size() == 2U);
    BOOST_TEST(page.rows[0].value == "b");
    BOOST_TEST(page.empty_rows == 5);
}

BOOST_AUTO_TEST_CASE(whoever_saves_a_provider_that_is_on_is_told_whether_it_works) {
    IdentityProviderPage page{.is_saved = true};
    page.provider.name = "corp";
    page.provider.rules.resize(1);
    const auto saved = [&] { return to_json(page).at("saved"); };

    BOOST_TEST(saved().at("look") == "warn");
    page.provider.last_test.emplace();
    BOOST_TEST(saved().at("look") == "good");
    BOOST_TEST(saved().at("words") == "corp saved. It responds. The login page shows it.");
    page.provider.last_test->problems = {"No route to host"};
    BOOST_TEST(saved().at("look") == "warn");
    BOOST_TEST(saved().at("failures")[0].at("reason") == "No route to host");
    page.provider.last_test->problems.clear();
    page.provider.rules.clear();
    BOOST_TEST(saved().at("look") == "warn");
    BOOST_TEST(saved().at("no_rules") == true);
    page.provider.enabled = false;
    BOOST_TEST(saved().at("look") == "good");
    BOOST_TEST(saved().at("words") == "corp saved. It is off: nobody can log in with it.");
    page.is_saved = false;
    BOOST_TEST(saved().is_null());
}

BOOST_AUTO_TEST_CASE(what_a_test_notes_stands_beside_its_setting_or_rule) {
    IdentityProviderPage page;
    page.provider.kind = model::IdentityKind::ldap;
    page.rows = {{.value = "cn=a,dc=x", .tenant = "demo"}, {.value = "cn=b,dc=x"}};
    page.tested.emplace();
    page.notes = {{"servers", "ldap://a does not answer. Logins use ldap://b."},
                  {"groupAttribute.first", "No entry has memberOfX."},
                  {model::note_of_rule("cn=b,dc=x"), "There is no such group."}};
    const auto caution = [](const auto& fields, const char* name) {
        for (const auto& field : fields) {
            if (field.at("name") == name) return field.at("caution").template get<std::string>();
        }
        return std::string("no such field");
    };

    const auto json = to_json(page);

    BOOST_TEST(json.at("works") == true);
    BOOST_TEST(json.at("fails") == false);
    BOOST_TEST(json.at("notes_words") == "The test noted 3 things:");
    BOOST_TEST(json.at("notes")[1].at("target") == "provider-groupAttribute");
    BOOST_TEST(json.at("notes")[1].at("label") == "Attribute with members");
    BOOST_TEST(json.at("notes")[1].at("reason") == "No entry has memberOfX.");
    BOOST_TEST(json.at("notes")[2].at("target") == "rule-1-value");
    BOOST_TEST(caution(json.at("fields"), "servers") ==
               "ldap://a does not answer. Logins use ldap://b.");
    BOOST_TEST(caution(json.at("fields"), "groupBase") == "");
    BOOST_TEST(caution(json.at("more"), "groupAttribute") == "No entry has memberOfX.");
    BOOST_TEST(json.at("is_more_open") == true);
    BOOST_TEST(json.at("rules")[0].at("value_warning") == "");
    BOOST_TEST(json.at("rules")[1].at("value_warning") == "There is no such group.");
}

BOOST_AUTO_TEST_CASE(a_directory_with_one_dead_server_of_two_is_saved_and_works) {
    IdentityProviderPage page{.is_saved = true};
    page.provider.name = "staff";
    page.provider.rules.resize(1);
    page.provider.last_test.emplace().notes = {
        {"servers", "ldap://a is down. Logins use ldap://b."}};

    const auto json = to_json(page);

    BOOST_TEST(json.at("saved").at("words") ==
               "staff saved. It responds. The login page shows it.");
    BOOST_TEST(json.at("has_notes") == true);
    const IdentityProvidersPage list{.providers = {page.provider}};
    const auto test = to_json(list).at("providers")[0].at("test");
    BOOST_TEST(test.at("words") == "works, with notes");
    BOOST_TEST(test.at("look") == "paused");
    BOOST_TEST(test.at("reason") == "ldap://a is down. Logins use ldap://b.");
}

BOOST_AUTO_TEST_CASE(a_rule_for_a_group_that_an_earlier_rule_has_says_so) {
    const auto warning = [](const std::string& tenant, model::IdentityKind kind) {
        const std::vector<MembershipRow> rows{{.value = "cn=staff,dc=x", .tenant = "demo"},
                                              {.value = "CN=Staff, dc=x", .tenant = tenant}};
        return warning_about_row(rows, 1, kind);
    };
    const std::string told = "Nobody gets here: rule 1 is for the same group.";

    BOOST_TEST(warning("demo", model::IdentityKind::ldap) == told);
    BOOST_TEST(warning("lab", model::IdentityKind::ldap) == "", "a login may name the tenant");
    BOOST_TEST(warning("demo", model::IdentityKind::oidc) == "", "another group to the letter");
}

BOOST_AUTO_TEST_CASE(the_deletion_of_a_provider_tells_of_its_locked_users) {
    IdentityProviderDeletionPage page;
    BOOST_TEST(to_json(page).at("users") == "");
    BOOST_TEST(to_json(page).at("locked_words") == "");

    BOOST_TEST(to_json(page).at("is_on") == true);
    page.provider.enabled = false;
    BOOST_TEST(to_json(page).at("is_on") == false, "its sessions have ended already");

    page.locked = 2;
    BOOST_TEST(to_json(page).at("locked_words") ==
               "2 users of it are locked already, and become locked users of this installation.");
}

BOOST_AUTO_TEST_CASE(the_list_of_providers_says_which_cannot_let_anybody_in) {
    IdentityProvidersPage page;
    page.now = provisioner::base::from_sql("2026-11-20 10:00:00");
    page.providers.resize(2);
    page.providers[0].id = model::IdentityProviderId{7};
    page.providers[0].rules.resize(3);
    page.providers[0].last_test = {.at = page.now - std::chrono::hours{2},
                                   .problems = {"No route"}};
    page.users = {{model::IdentityProviderId{7}, 1200}};

    const auto list = to_json(page).at("providers");

    BOOST_TEST(list[0].at("test").at("words") == "fails");
    BOOST_TEST(list[0].at("test").at("reason") == "No route");
    BOOST_TEST(list[0].at("test").at("when").at("relative") == "2 hours ago");
    BOOST_TEST(list[0].at("rules") == "3");
    BOOST_TEST(list[0].at("warns_rules") == false);
    BOOST_TEST(list[0].at("users") == "1,200");
    BOOST_TEST(list[1].at("test").is_null());
    BOOST_TEST(list[1].at("warns_test") == true);
    BOOST_TEST(list[1].at("warns_rules") == true);
    BOOST_TEST(identity_provider_deleted_words("corp", 0) == "Identity provider corp deleted.");
    BOOST_TEST(identity_provider_deleted_words("corp", 2) ==
               "Identity provider corp deleted. 2 users are locked.");
    BOOST_TEST(identity_provider_deleted_words("corp:2") ==
               "Identity provider corp deleted. 2 users are locked.");
    BOOST_TEST(identity_provider_deleted_words("corp") == "Identity provider corp deleted.");
}

BOOST_AUTO_TEST_CASE(a_provider_is_switched_on_by_a_passed_test_or_a_choice_that_says_so) {
    const auto enabled = [](const IdentityProviderPage& page) {
        const auto json = to_json(page);
        for (const auto& field : json.at("fields")) {
            if (field.at("name") != "enabled") continue;
            std::string text;
            for (const auto& option : field.at("options")) {
                text += option.at("value").get<std::string>();
                text += option.at("selected") == true ? "! " : " ";
            }
            return text;
        }
        return std::string("none");
    };
    IdentityProviderPage page;

    page.is_on = true;
    BOOST_TEST(enabled(page) == "yes! no ");
    page.is_on = false;
    page.provider.enabled = false;
    BOOST_TEST(enabled(page) == "yes untested no! ");
    page.awaits_test = true;
    BOOST_TEST(enabled(page) == "yes! untested no ", "mended, it is to be on");
    page = identity_provider_in(fcgi::http::parse_form("name=corp&kind=oidc&enabled=untested"));
    BOOST_TEST(page.provider.enabled);
    BOOST_TEST(enabled(page) == "yes untested! no ");
}

BOOST_AUTO_TEST_CASE(a_provider_that_stays_off_says_why) {
    IdentityProviderPage page{.awaits_test = true, .is_saved = true};
    page.provider.name = "corp";
    page.provider.enabled = false;
    page.provider.last_test.emplace().problems = {"No route to host"};

    const auto saved = to_json(page).at("saved");

    BOOST_TEST(saved.at("look") == "warn");
    BOOST_TEST(saved.at("words").get<std::string>().starts_with(
        "corp saved. It stays off, because its test failed"));
    BOOST_TEST(saved.at("failures")[0].at("reason") == "No route to host");
}

BOOST_AUTO_TEST_CASE(the_list_says_which_provider_is_switched_on_by_a_passed_test) {
    IdentityProvidersPage page;
    page.providers.resize(2);
    for (auto& provider : page.providers) provider.enabled = false;
    page.providers[0].last_test.emplace().is_to_switch_on = true;

    const auto list = to_json(page).at("providers");

    BOOST_TEST(list[0].at("state") == "off until its test passes");
    BOOST_TEST(list[1].at("state") == "off");
}

BOOST_AUTO_TEST_CASE(settings_that_would_lock_users_out_are_not_saved_and_say_so) {
    IdentityProviderPage page{.is_on = true, .is_unsaved = true, .keeps_working = true};
    page.tested = {"No route to host"};

    const auto json = to_json(page);

    BOOST_TEST(json.at("fails") == true);
    BOOST_TEST(json.at("keeps_working") == true);
    BOOST_TEST(json.at("saved").is_null());
}

BOOST_AUTO_TEST_CASE(a_provider_that_is_on_does_not_lose_its_last_rule_unasked) {
    model::IdentityProvider stored;
    stored.rules.resize(1);
    model::IdentityProvider wanted = stored;

    BOOST_TEST(what_breaks(wanted, stored, {}).empty());
    BOOST_TEST(what_breaks(wanted, stored, {.problems = {"No route to host"}}).size() == 1U);
    const auto shut = what_breaks(wanted, stored, {.warnings = {{"userBase", "nobody fits"}}});
    BOOST_TEST((shut == std::vector<std::string>{"nobody fits"}), "nobody could log in");
    wanted.rules.clear();
    BOOST_REQUIRE(what_breaks(wanted, stored, {}).size() == 1U);
    BOOST_TEST(what_breaks(wanted, stored, {})[0] == "It has no rules: nobody can log in with it.");
    BOOST_TEST(what_breaks(wanted, stored, {.problems = {"No route to host"}}).size() == 2U);
    stored.rules.clear();
    BOOST_TEST(what_breaks(wanted, stored, {}).empty(), "it had none before");
}

namespace {

/// A form of `stored` with what was typed into it.
IdentityProviderPage form_of(const model::IdentityProvider& stored) {
    IdentityProviderPage page{.provider = stored, .before = provider_before(stored)};
    page.rows = membership_rows_of(stored.rules);
    return page;
}

model::IdentityProvider provider_of_two() {
    model::IdentityProvider provider{.name = "corp"};
    provider.label = "Corp";
    provider.issuer = "https://id.example";
    provider.client_id = "cooperage";
    provider.rules = {{.value = "*", .tenant = "demo"}};
    return provider;
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_who_save_other_fields_of_a_provider_are_merged) {
    model::IdentityProvider stored = provider_of_two();
    auto page = form_of(stored);
    page.provider.label = "Our Corp";
    stored.client_id = "other";
    stored.rules.push_back({.value = "staff", .tenant = "lab"});

    BOOST_TEST(merge_with_stored(page, stored));

    BOOST_TEST(page.problems.empty());
    BOOST_TEST(page.provider.label == "Our Corp");
    BOOST_TEST(page.provider.client_id == "other");
    BOOST_TEST(page.rows.size() == 2U);
    BOOST_TEST(page.provider.rules.size() == 2U);
    BOOST_TEST(page.before == provider_before(stored));
    page.is_overtaken = true;
    const auto json = to_json(page);
    BOOST_TEST(json.at("has_clashes") == false);
    BOOST_TEST(json.at("rules_hint").get<std::string>().starts_with("New value, saved"));
    for (const auto& field : json.at("fields")) {
        const bool is_marked = field.at("hint").get<std::string>().starts_with("New value, saved");
        BOOST_TEST(is_marked == (field.at("name") == "clientId"), field.at("name"));
    }
}

BOOST_AUTO_TEST_CASE(rules_that_went_with_their_tenant_are_not_said_to_be_saved_by_somebody) {
    model::IdentityProvider stored = provider_of_two();
    stored.rules.push_back({.value = "staff", .tenant = "gone"});
    auto page = form_of(stored);
    page.tenants = {"demo", "superadmin"};
    page.provider.label = "Our Corp";
    stored.rules.pop_back();

    BOOST_TEST(merge_with_stored(page, stored));

    auto left = left_of_theirs(page);
    BOOST_TEST(page.provider.rules.size() == 1U);
    BOOST_TEST(!has_saved_fields(left));
    BOOST_TEST(has_lost_rules(left));
    page.is_overtaken = true;
    BOOST_TEST(to_json(page).at("has_taken") == false);
    BOOST_TEST(to_json(page).at("lost_rules") == true);
    BOOST_TEST(!to_json(page).at("rules_hint").get<std::string>().starts_with("New value"));
    page.is_saved = page.has_lost_rules = true;
    BOOST_TEST(to_json(page).at("saved").at("lost_rules") == true);
    BOOST_TEST(to_json(page).at("saved").at("is_merged") == false);

    stored.client_id = "other";
    merge_with_stored(page, stored);
    BOOST_TEST(has_saved_fields(left_of_theirs(page)), "that was somebody");
    page.provider.rules = {{.value = "x", .tenant = "demo"}};
    BOOST_TEST(!has_lost_rules(left_of_theirs(page)), "they were typed anew");
}

BOOST_AUTO_TEST_CASE(rules_that_somebody_took_away_from_a_tenant_that_is_there_were_saved) {
    model::IdentityProvider stored = provider_of_two();
    stored.rules.push_back({.value = "staff", .tenant = "lab"});
    auto page = form_of(stored);
    page.tenants = {"demo", "lab", "superadmin"};
    page.provider.label = "Our Corp";
    stored.rules.pop_back();

    BOOST_TEST(merge_with_stored(page, stored));

    BOOST_TEST(has_saved_fields(left_of_theirs(page)));
    BOOST_TEST(!has_lost_rules(left_of_theirs(page)));
}

BOOST_AUTO_TEST_CASE(a_field_of_a_provider_that_two_have_changed_is_named) {
    model::IdentityProvider stored = provider_of_two();
    auto page = form_of(stored);
    page.provider.label = "Our Corp";
    page.provider.rules.clear();
    page.typed_secret = "typed";
    stored.label = "Their Corp";
    stored.rules[0].value = "staff";

    BOOST_TEST(merge_with_stored(page, stored));

    BOOST_TEST(page.provider.label == "Our Corp");
    BOOST_REQUIRE(page.problems.size() == 3U);
    BOOST_TEST(page.problems[0].field == "label");
    BOOST_TEST(page.problems[0].message == "\"Their Corp\" was saved meanwhile.");
    BOOST_TEST(page.problems[1].field == "rules");
    BOOST_TEST(page.problems[2].field == "secret", "theirs may be another, too");
}

BOOST_AUTO_TEST_CASE(a_form_that_is_drawn_again_still_says_what_saving_it_replaces) {
    model::IdentityProvider stored = provider_of_two();
    IdentityProviderPage page = form_of(stored);
    page.provider.label = "Our Corp";
    stored.label = "Their Corp";
    stored.rules[0].value = "staff";
    BOOST_REQUIRE(merge_with_stored(page, stored));
    page.is_overtaken = true;
    BOOST_TEST(to_json(page).at("tells_clashes") == false, "the problems say it");
    BOOST_TEST(to_json(page).at("has_clashes") == true);

    page.problems.clear();
    auto json = to_json(page);
    BOOST_TEST(json.at("has_clashes") == true);
    BOOST_TEST(json.at("has_taken") == true);
    BOOST_REQUIRE(json.at("clashes").size() == 1U);
    BOOST_TEST(json.at("clashes")[0].at("target") == "provider-label");
    BOOST_TEST(json.at("clashes")[0].at("reason") == "\"Their Corp\" was saved meanwhile.");
    BOOST_TEST(json.at("clashing") == "label");
    BOOST_TEST(json.at("taken") == "rules");
    const auto again = identity_provider_in(
        fcgi::http::parse_form("kind=oidc&overtaken=yes&taken=rules&clashing=label+secret"));
    BOOST_TEST((again.clashing == std::vector<std::string>{"label", "secret"}));
    BOOST_TEST((again.taken == std::vector<std::string>{"rules"}));

    page.provider.label = "Their Corp";
    page.provider.rules.clear();
    json = to_json(page);
    BOOST_TEST(json.at("has_clashes") == false, "saving replaces nothing");
    BOOST_TEST(json.at("has_taken") == false);
    BOOST_TEST(left_of_theirs(page).empty());
}

BOOST_AUTO_TEST_CASE(rules_and_a_secret_that_two_have_changed_are_told_again_too) {
    model::IdentityProvider stored = provider_of_two();
    IdentityProviderPage page = form_of(stored);
    page.provider.rules[0].tenant = "lab";
    page.typed_secret = "typed";
    stored.rules[0].value = "staff";
    BOOST_REQUIRE(merge_with_stored(page, stored));
    page.problems.clear();

    const auto json = to_json(page);

    BOOST_TEST(json.at("rules_caution") ==
               "Other rules were saved meanwhile. Saving replaces them.");
    BOOST_TEST(json.at("clashes").size() == 2U);
    for (const auto& field : json.at("fields")) {
        if (field.at("name") == "secret") BOOST_TEST(field.at("caution") != "");
    }
}

BOOST_AUTO_TEST_CASE(a_form_that_does_not_say_what_it_was_made_from_is_not_merged) {
    const model::IdentityProvider stored = provider_of_two();
    auto page = form_of(stored);
    page.before.clear();

    BOOST_TEST(!merge_with_stored(page, stored));
    BOOST_TEST(page.taken.empty());
    overtake(page, stored);
    BOOST_TEST(page.is_overtaken);
    BOOST_TEST(page.base != "", "saved now, it replaces what is stored");
}

BOOST_AUTO_TEST_CASE(a_test_of_a_form_that_was_overtaken_tells_what_saving_it_replaces) {
    model::IdentityProvider stored = provider_of_two();
    auto page = form_of(stored);
    page.provider.label = "Our Corp";
    stored.label = "Their Corp";
    stored.client_id = "other";

    overtake(page, stored);
    page.problems.clear();
    page.tested.emplace();

    const auto json = to_json(page);
    BOOST_TEST(json.at("is_overtaken") == true);
    BOOST_TEST(json.at("has_taken") == true);
    BOOST_REQUIRE(json.at("clashes").size() == 1U);
    BOOST_TEST(json.at("clashes")[0].at("reason") == "\"Their Corp\" was saved meanwhile.");
    BOOST_TEST(json.at("works") == true, "it was tested nevertheless");
}

BOOST_AUTO_TEST_CASE(a_name_that_no_provider_can_have_is_in_no_address) {
    IdentityProviderPage page{.is_new = true, .redirect = "https://c.example/login/callback/a b"};
    page.provider.name = "a b";

    const auto json = to_json(page);

    BOOST_TEST(json.at("redirect") == "https://c.example/login/callback/");
    BOOST_TEST(json.at("redirect_name") == "example");
    BOOST_TEST(json.at("lacks_name") == true);
}

BOOST_AUTO_TEST_CASE(a_secret_is_not_called_optional) {
    const auto json = to_json(IdentityProviderPage{.is_new = true});
    for (const auto& field : json.at("fields")) {
        if (field.at("name") == "secret") BOOST_TEST(field.at("optional") == false);
    }
}

BOOST_AUTO_TEST_CASE(of_too_many_rules_only_as_many_as_are_allowed_are_drawn) {
    std::string form = "kind=oidc&name=corp&base=5f3c";
    for (int i = 0; i < 2000; ++i) {
        form += "&rule.value=a&rule.tenant=gone&rule.role=king&rule.groups=";
    }
    const auto page = identity_provider_in(fcgi::http::parse_form(form));

    BOOST_TEST(page.base == "5f3c");
    BOOST_REQUIRE(page.problems.size() == 1U);
    BOOST_TEST(page.problems[0].field == "rules");
    const auto json = to_json(page);
    BOOST_TEST(json.at("rules").size() == model::most_membership_rules);
    const auto said = json.at("rules_problem").get<std::string>();
    BOOST_TEST(said.find("Only the first 500 are shown") != std::string::npos, said);
    BOOST_TEST(json.at("base") == "5f3c");
}

BOOST_AUTO_TEST_CASE(a_rule_chooses_among_few_tenants_and_keeps_one_that_is_gone) {
    IdentityProviderPage page{.rows = {{.value = "staff", .tenant = "gone"}},
                              .tenants = {"demo", "lab"}};
    const auto chosen = [&] {
        const auto json = to_json(page);
        std::string labels;
        for (const auto& choice : json.at("rules")[0].at("tenant_choices")) {
            labels += choice.at("label").get<std::string>();
            labels += choice.at("is_chosen") == true ? "! " : " ";
        }
        return labels;
    };

    BOOST_TEST(chosen() == "Choose… demo lab gone (deleted)! ");
    page.rows[0].tenant = "lab";
    BOOST_TEST(chosen() == "Choose… demo lab! ");
    page.tenants.resize(most_tenant_options);
    BOOST_TEST(chosen() == "");
    BOOST_TEST(to_json(page).at("chooses_tenant") == false);
}

BOOST_AUTO_TEST_CASE(a_rule_moves_down_past_empty_rows_and_can_be_removed) {
    std::vector<MembershipRow> rows{{.value = "a"}, {}, {.value = "b"}, {.value = "c"}};
    const auto values = [&] {
        std::string text;
        for (const auto& row : rows) text += row.value.empty() ? "-" : row.value;
        return text;
    };

    change_rows(rows, "down-0");
    BOOST_TEST(values() == "-bac");
    change_rows(rows, "down-3");
    BOOST_TEST(values() == "-bac", "it is the last");
    change_rows(rows, "remove-1");
    BOOST_TEST(values() == "-ac");
    for (const auto* nothing : {"remove-3", "remove-", "remove", "down--1"}) {
        change_rows(rows, nothing);
    }
    BOOST_TEST(values() == "-ac");
}

BOOST_AUTO_TEST_CASE(rules_that_are_there_have_buttons_and_empty_rows_have_none_to_remove_them) {
    IdentityProviderPage page{.rows = {{.value = "a"}, {.value = "b"}}};

    const auto rules = to_json(page).at("rules");

    BOOST_TEST(rules[0].at("up") == "");
    BOOST_TEST(rules[0].at("down") == "down-0");
    BOOST_TEST(rules[0].at("remove") == "remove-0");
    BOOST_TEST(rules[1].at("down") == "");
    BOOST_TEST(rules[2].at("up") == "up-2", "something may be typed there");
    BOOST_TEST(rules[1].at("up_place") == "#rule-0-value", "the focus goes along with the rule");
    BOOST_TEST(rules[0].at("down_place") == "#rule-1-value");
    BOOST_TEST(rules[1].at("remove_place") == "#rule-0-value");
    BOOST_TEST(rules[2].at("remove") == "");
}

BOOST_AUTO_TEST_CASE(a_form_that_was_overtaken_stays_so_when_it_is_drawn_again) {
    const auto page =
        identity_provider_in(fcgi::http::parse_form("kind=oidc&name=corp&base=5f3c&overtaken=yes"));

    BOOST_TEST(page.is_overtaken);
    BOOST_TEST(page.base == "5f3c");
    BOOST_TEST(to_json(page).at("is_overtaken") == true);
}

BOOST_AUTO_TEST_CASE(whoever_is_overtaken_is_told_by_whom_and_when) {
    IdentityProviderPage page{.is_overtaken = true,
                              .now = provisioner::base::from_sql("2026-11-20 10:00:00")};
    BOOST_TEST(to_json(page).at("last_change").is_null());

    page.last_change = LastChange{.user = "ada",
                                  .at = provisioner::base::from_sql("2026-11-20 09:57:00"),
                                  .href = "/audit/7?scope=installation"};
    const auto change = to_json(page).at("last_change");
    BOOST_TEST(change.at("changed_by") == "ada");
    BOOST_TEST(change.at("changed").at("relative") == "3 minutes ago");
    BOOST_TEST(change.at("change_href") == "/audit/7?scope=installation");
    page.last_change->is_own = true;
    BOOST_TEST(to_json(page).at("last_change").at("changed_by") == "you, in another window");
}

BOOST_AUTO_TEST_CASE(the_login_page_names_each_directory_and_what_to_type_for_it) {
    LoginPage page;
    BOOST_TEST(to_json(page).at("has_directories") == false);

    page.directories = {{"staff", "S7 Directory"}};
    const auto directories = to_json(page).at("directories");
    BOOST_REQUIRE(directories.size() == 1U);
    BOOST_TEST(directories[0].at("directory_words") ==
               "S7 Directory: log in with your user name there and leave the tenant empty.");
    BOOST_TEST(to_json(page).at("has_directories") == true);
}

BOOST_AUTO_TEST_CASE(the_address_of_a_new_provider_ends_with_an_example_until_it_has_a_name) {
    IdentityProviderPage page{.is_new = true, .redirect = "https://c.example/login/callback/"};
    page.provider.callback = "own";
    BOOST_TEST(to_json(page).at("redirect_name") == "example");

    page.provider.name = "corp";
    page.redirect += "corp";
    BOOST_TEST(to_json(page).at("redirect") == "https://c.example/login/callback/");
    BOOST_TEST(to_json(page).at("redirect_name") == "corp");

    page.provider.callback = "common";
    page.redirect = "https://c.example/login/callback";
    BOOST_TEST(to_json(page).at("redirect") == "https://c.example/login/callback");
    BOOST_TEST(to_json(page).at("redirect_name") == "");
}

BOOST_AUTO_TEST_CASE(a_rule_moves_up_by_its_button) {
    std::vector<MembershipRow> rows{{.value = "a"}, {.value = "b"}, {.value = "c"}};
    const auto order = [&] { return rows[0].value + rows[1].value + rows[2].value; };

    for (const char* nothing : {"up-0", "up-3", "up--1", "up-x", "save", ""}) {
        change_rows(rows, nothing);
        BOOST_TEST(order() == "abc", nothing);
    }
    change_rows(rows, "up-2");
    BOOST_TEST(order() == "acb");
    IdentityProviderPage page{.rows = rows};
    BOOST_TEST(to_json(page).at("rules")[0].at("up") == "");
    BOOST_TEST(to_json(page).at("rules")[2].at("up") == "up-2");
    BOOST_TEST(to_json(page).at("rules")[3].at("up") == "up-3",
               "a row that is filled in without a load of the page");
}

BOOST_AUTO_TEST_CASE(a_rule_that_was_typed_below_an_empty_row_moves_above_the_other_one) {
    const auto rows = membership_rows_in(fcgi::http::parse_form(
        "do=up-2&rule.value=a&rule.tenant=t&rule.role=user&rule.groups=&rule.value=&rule.tenant="
        "&rule.role=user&rule.groups=&rule.value=b&rule.tenant=t&rule.role=admin&rule.groups="));
    BOOST_TEST_REQUIRE(rows.size() == 2U);
    BOOST_TEST(rows[0].value == "b");
    BOOST_TEST(rows[0].role == "admin");
    BOOST_TEST(rows[1].value == "a");
}

BOOST_AUTO_TEST_CASE(what_most_providers_need_not_set_is_folded_until_it_is_set_or_wrong) {
    IdentityProviderPage page{.is_new = true};
    const auto names = [&](const char* part) {
        std::string all;
        const auto json = to_json(page);
        for (const auto& field : json.at(part)) {
            all += field.at("name").get<std::string>() + ' ';
        }
        return all;
    };
    BOOST_TEST(names("fields") == "name label issuer clientId secret ");
    BOOST_TEST(to_json(page).at("is_more_open") == false);
    const auto plain = to_json(page);
    for (const auto& field : plain.at("more")) {
        if (field.at("name") != "nameClaim") continue;
        BOOST_TEST(field.at("hint") == "Default: preferred_username.");
    }

    page.problems = {{"groupsClaim", "It must be one line."}};
    BOOST_TEST(to_json(page).at("is_more_open") == true);
    page.problems.clear();
    page.provider.scopes = "openid";
    BOOST_TEST(to_json(page).at("is_more_open") == true);

    page = {.is_new = true};
    page.provider.kind = model::IdentityKind::ldap;
    BOOST_TEST(names("fields") ==
               "name label servers bindDn secret userBase nameAttribute idAttribute groupBase ");
    BOOST_TEST(to_json(page).at("is_more_open") == false);
}

BOOST_AUTO_TEST_CASE(the_redirect_address_lacks_the_name_only_until_it_is_typed) {
    IdentityProviderPage page{.is_new = true};
    BOOST_TEST(to_json(page).at("lacks_name") == true);
    BOOST_TEST(to_json(page).at("follows_name") == true);
    page.provider.name = "corp";
    BOOST_TEST(to_json(page).at("lacks_name") == false);
    page.provider.callback = "shared";
    BOOST_TEST(to_json(page).at("follows_name") == false, "it has no name in it");
}

BOOST_AUTO_TEST_CASE(a_test_that_cannot_be_made_is_no_success) {
    IdentityProviderPage page{.is_unsaved = true, .tested = std::vector<std::string>{}};
    BOOST_TEST(to_json(page).at("works") == true);
    page.problems = {{"issuer", "The address has to begin with https://."}};
    BOOST_TEST(to_json(page).at("works") == false);
    BOOST_TEST(to_json(page).at("problems_title") == "Couldn't test the identity provider");
}

BOOST_AUTO_TEST_CASE(a_rule_that_fits_nobody_is_warned_about_beside_it) {
    IdentityProviderPage page;
    page.provider.kind = model::IdentityKind::ldap;
    page.rows = {{.value = "staff", .tenant = "demo"},
                 {.value = "*", .tenant = "demo"},
                 {.value = "cn=a,dc=b", .tenant = "demo"},
                 {.value = "cn=a,dc=b", .tenant = "lab"}};
    const auto warning = [&](std::size_t number) {
        return to_json(page).at("rules")[number].at("value_warning").get<std::string>();
    };
    const std::string hidden = "Nobody gets here: rule 2 fits everybody. Move this one above it.";

    BOOST_TEST(warning(0).starts_with("This is no distinguished name"));
    BOOST_TEST(warning(1) == "");
    BOOST_TEST(warning(2) == hidden);
    BOOST_TEST(warning(3) == "", "who names the tenant lab comes in by it");
    BOOST_TEST(warning(4) == "", "an empty row");

    page.provider.kind = model::IdentityKind::oidc;
    BOOST_TEST(warning(0) == "");
    BOOST_TEST(warning(2) == hidden);
    BOOST_TEST(warning(3) == hidden);
}

BOOST_AUTO_TEST_CASE(what_a_test_warns_about_is_told_after_it_and_after_saving) {
    IdentityProviderPage page{.is_unsaved = true, .tested = std::vector<std::string>{}};
    BOOST_TEST(to_json(page).at("has_warnings") == false);
    page.warnings = {{"userBase", "nobody fits"}};
    BOOST_TEST(to_json(page).at("works") == false, "nothing is good where nobody can log in");
    BOOST_TEST(to_json(page).at("warnings")[0].at("reason") == "nobody fits");
    page.keeps_working = true;
    page.tested = {"nobody fits"};
    BOOST_TEST(to_json(page).at("has_warnings") == false, "said once");
    BOOST_TEST(to_json(page).at("has_notes") == false);

    page = {.is_saved = true};
    page.provider.last_test.emplace().warnings = {{"userBase", "nobody fits"}};
    BOOST_TEST(to_json(page).at("has_warnings") == true);
    BOOST_TEST(to_json(page).at("saved").at("look") == "warn");
    page.is_saved = false;
    BOOST_TEST(to_json(page).at("has_warnings") == false);
}

BOOST_AUTO_TEST_CASE(a_provider_that_is_opened_says_what_its_last_test_found) {
    IdentityProviderPage page{.is_stored = true};
    page.now = provisioner::base::from_sql("2026-11-20 10:00:00");
    BOOST_TEST(to_json(page).at("last_test").is_null());
    auto& test = page.provider.last_test.emplace();
    test.at = page.now - std::chrono::hours{2};
    test.warnings = {{"groupsClaim", "nobody has a group"}};

    auto json = to_json(page);

    BOOST_TEST(json.at("has_warnings") == true);
    BOOST_TEST(json.at("is_warned_unsaved") == false);
    BOOST_TEST(json.at("last_test").at("when").at("relative") == "2 hours ago");
    BOOST_TEST(json.at("last_test").at("has_failures") == false);
    test.problems = {"It is self-signed."};
    test.notes = {{"authorities", "It is self-signed."}};
    json = to_json(page);
    BOOST_TEST(json.at("last_test").at("failures")[0].at("target") == "provider-authorities");
    BOOST_TEST(json.at("has_notes") == false, "said once");
    page.is_saved = true;
    BOOST_TEST(to_json(page).at("last_test").is_null(), "said once");
}

BOOST_AUTO_TEST_CASE(rules_with_the_same_sentence_are_all_named) {
    IdentityProviderPage page{.tested = std::vector<std::string>(2, "It fits nobody.")};
    page.provider.kind = model::IdentityKind::ldap;
    page.rows = {{.value = "cn=a,dc=x"}, {.value = "cn=b,dc=x"}};
    page.warnings = {{model::note_of_rule("cn=a,dc=x"), "It fits nobody."},
                     {model::note_of_rule("cn=b,dc=x"), "It fits nobody."}};

    const auto failures = to_json(page).at("failures");

    BOOST_TEST(failures[0].at("target") == "rule-0-value");
    BOOST_TEST(failures[1].at("target") == "rule-1-value");
}

BOOST_AUTO_TEST_CASE(groups_in_groups_lead_to_the_setting_that_counts_them) {
    IdentityProviderPage page{.is_unsaved = true, .tested = std::vector<std::string>{}};
    page.provider.kind = model::IdentityKind::ldap;
    BOOST_TEST(to_json(page).at("is_more_open") == false);
    page.warnings = {{"nestedGroups", "Groups have groups."}};

    const auto json = to_json(page);

    BOOST_TEST(json.at("warnings")[0].at("target") == "provider-nestedGroups");
    BOOST_TEST(json.at("warnings")[0].at("label") == "Nested groups");
    BOOST_TEST(json.at("is_more_open") == true);
}

BOOST_AUTO_TEST_CASE(the_list_says_with_which_provider_nobody_can_log_in) {
    IdentityProvidersPage page;
    page.providers.resize(1);
    auto& test = page.providers[0].last_test.emplace();
    test.warnings = {{"groupAttribute", "No entry has memberOfX."}, {"groupBase", "More."}};
    test.notes = {{"servers", "One does not answer."}};
    page.providers[0].rules.resize(1);

    const auto told = to_json(page).at("providers")[0].at("test");

    BOOST_TEST(told.at("words") == "nobody can log in");
    BOOST_TEST(told.at("look") == "paused");
    BOOST_TEST(told.at("reason") ==
               "No entry has memberOfX. 1 more note is on its page, after a test.");
}

BOOST_AUTO_TEST_CASE(a_provider_without_rules_does_not_simply_work) {
    IdentityProvidersPage page;
    page.providers.resize(1);
    page.providers[0].last_test.emplace();
    const auto told = [&] { return to_json(page).at("providers")[0].at("test"); };

    BOOST_TEST(told().at("words") == "works, without rules");
    BOOST_TEST(told().at("look") == "paused");
    page.providers[0].rules.resize(1);
    BOOST_TEST(told().at("words") == "works");
    BOOST_TEST(told().at("look") == "active");
}

BOOST_AUTO_TEST_CASE(nested_groups_that_a_directory_does_not_count_are_said_at_that_setting) {
    const std::string why = "This directory does not count nested groups.";
    IdentityProviderPage page{.warnings = {{"nestedGroups.unknown", why}}};
    page.provider.kind = model::IdentityKind::ldap;
    page.provider.nested_groups = true;

    const auto json = to_json(page);

    BOOST_TEST(json.at("warnings")[0].at("target") == "provider-nestedGroups");
    for (const auto& field : json.at("more")) {
        const bool is_it = field.at("name") == "nestedGroups";
        BOOST_TEST(field.at("caution") == (is_it ? why : ""), field.at("name"));
    }
}

BOOST_AUTO_TEST_CASE(a_certificate_that_is_refused_opens_the_authorities_and_links_to_them) {
    const std::string why =
        "The certificate of d.example is self-signed: enter it under Authorities.";
    for (const auto kind : {model::IdentityKind::ldap, model::IdentityKind::oidc}) {
        IdentityProviderPage page{.tested = std::vector<std::string>{why}};
        page.provider.kind = kind;
        page.notes = {{"authorities", why}};

        const auto json = to_json(page);

        BOOST_TEST(json.at("failures")[0].at("target") == "provider-authorities");
        BOOST_TEST(json.at("failures")[0].at("label") == "Authorities");
        BOOST_TEST(json.at("failures")[0].at("reason") == why);
        BOOST_TEST(json.at("has_notes") == false, "said once");
        BOOST_TEST(json.at("is_more_open") == true);
        for (const auto& field : json.at("more")) {
            if (field.at("name") == "authorities") BOOST_TEST(field.at("caution") == why);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_provider_that_lost_its_rules_says_that_nobody_can_log_in) {
    IdentityProviderPage page{.is_on = true};
    BOOST_TEST(to_json(page).at("rules_caution") == "There is no rule: nobody can log in.");
    page.rows = {{.value = "*", .tenant = "demo"}};
    BOOST_TEST(to_json(page).at("rules_caution") == "");
    page = {.is_on = false};
    BOOST_TEST(to_json(page).at("rules_caution") == "", "nobody can, in any case");
}

BOOST_AUTO_TEST_CASE(what_another_provider_has_too_is_told_beside_it) {
    const model::IdentityProvider provider = provider_of_two();
    model::IdentityProvider other = provider;
    BOOST_TEST(likenesses_of(provider, {other}).empty(), "it is the same one");
    other.name = "lab";
    const auto found = likenesses_of(provider, {other});
    BOOST_REQUIRE(found.size() == 2U);
    BOOST_TEST(found[0].field == "label");
    BOOST_TEST(found[0].message ==
               "lab has the same label: the login page cannot tell them apart.");
    BOOST_TEST(found[1].field == "clientId");
    other.label = "Lab";
    other.client_id = "lab";
    BOOST_TEST(likenesses_of(provider, {other}).empty());

    IdentityProviderPage page{.provider = provider, .likenesses = found};
    const auto json = to_json(page);
    for (const auto& field : json.at("fields")) {
        if (field.at("name") == "label") BOOST_TEST(field.at("caution") == found[0].message);
    }
    BOOST_TEST(json.at("has_notes") == false);
}

BOOST_AUTO_TEST_SUITE_END()
