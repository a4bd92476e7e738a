#include <boost/test/unit_test.hpp>

#include "fcgi/forms/api_key.hpp"
#include "fcgi/pages/people/people.hpp"
#include "fcgi/pages/profile/credentials.hpp"
#include "fcgi/pages/profile/factor.hpp"
#include "fcgi/pages/profile/notifications.hpp"
#include "fcgi/pages/profile/profile.hpp"

BOOST_AUTO_TEST_SUITE(people_page)

namespace {

using namespace fcgi::pages;
namespace model = provisioner::model;
using provisioner::base::Json;

model::User user_named(const std::string& name) {
    model::User user;
    user.name = name;
    return user;
}

PeopleOf of_tenant(const std::string& name) {
    PeopleOf of{.href = "/tenants/" + name + "/people", .tenant_href = "/tenants/" + name};
    of.tenant.name = name;
    return of;
}

std::string names_in(const Json& page) {
    std::string names;
    for (const auto& item : page.at("people")) names += item.at("person").get<std::string>() + ' ';
    return names;
}

std::string roles_of(const Json& page) {
    std::string roles;
    for (const auto& field : page.at("fields")) {
        if (field.at("name") != "role") continue;
        for (const auto& option : field.at("options")) {
            const bool is_chosen = option.at("selected").get<bool>();
            roles += option.at("value").get<std::string>() + (is_chosen ? "! " : " ");
        }
    }
    return roles;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_key_for_no_cluster_or_for_wrong_days_is_refused_in_words_of_its_form) {
    KeyForm form{.name = "ci", .clusters = "00000007, 99999999 x", .days = "-5"};
    const auto seven = [](model::ClusterId id) { return id.value == 7; };
    BOOST_TEST(provisioner::base::to_text(problems_of_key(form, model::Role::user, seven)) ==
               "clusters: There is no cluster 99999999.; "
               "expireTime: Enter a whole number of days, from 0 to 36,500.");
    form.clusters = "7";
    form.days = "";
    form.scope = "some";
    BOOST_TEST(provisioner::base::to_text(problems_of_key(form, model::Role::user, seven)) ==
               "rights: Choose at least one right.");
    form.rights = {"clusters:read"};
    BOOST_TEST(problems_of_key(form, model::Role::user, seven).empty());
}

BOOST_AUTO_TEST_CASE(the_form_of_a_key_offers_and_takes_only_rights_that_the_role_has) {
    const auto offered = [](model::Role role) {
        std::string words;
        for (const FormField& field : key_fields({}, role)) {
            if (field.name != "scope" && field.name != "rights") continue;
            for (const auto& [value, label] : field.options) words += value + ' ';
        }
        return words;
    };
    BOOST_TEST(offered(model::Role::user) ==
               "all read some catalogue:read clusters:read clusters:write costs:read profile:read "
               "profile:write ");
    BOOST_TEST(offered(model::Role::auditor) ==
               "read some catalogue:read clusters:read machines:read costs:read people:read "
               "profile:read operations:read audit:read ");
    BOOST_TEST(offered(model::Role::admin).find("people:write") != std::string::npos);

    const auto all = [](model::ClusterId) { return true; };
    KeyForm form{.name = "ci", .scope = "some", .rights = {"clusters:write", "people:read", "x"}};
    BOOST_TEST(provisioner::base::to_text(problems_of_key(form, model::Role::user, all)) ==
               "rights: Your role user does not have the right “people: read”.");
    BOOST_TEST(problems_of_key(form, model::Role::admin, all).empty());
    form.scope = "read";
    BOOST_TEST(problems_of_key(form, model::Role::user, all).empty());
}

BOOST_AUTO_TEST_CASE(a_key_says_which_of_its_rights_the_role_does_not_have) {
    using model::ResourceKind;
    model::ApiKey key{.name = "ci",
                      .limits = {.scope = model::KeyScope::some,
                                 .rights = {{ResourceKind::catalogue, true},
                                            {ResourceKind::people, true},
                                            {ResourceKind::clusters, true}}}};
    const auto lacking = [&](model::Role role) {
        return keys_json({key}, role, {}).at(0).at("lacking").get<std::string>();
    };
    BOOST_TEST(lacking(model::Role::user) ==
               "The role user does not have: catalogue: change; people: read and change");
    BOOST_TEST(lacking(model::Role::admin) == "");
    key.limits.scope = model::KeyScope::all;
    BOOST_TEST(lacking(model::Role::user) == "");
}

BOOST_AUTO_TEST_CASE(clusters_of_a_key_are_looked_up_once_each_and_not_beyond_its_limit) {
    std::size_t asked = 0;
    const auto none = [&](model::ClusterId) {
        ++asked;
        return false;
    };
    KeyForm form{.name = "ci", .clusters = "9 9 9 8", .days = ""};
    BOOST_TEST(problems_of_key(form, model::Role::user, none).size() == 2U);
    BOOST_TEST(asked == 2U);

    for (std::size_t i = 0; i <= fcgi::forms::most_clusters_of_key; ++i) {
        form.clusters += ' ' + std::to_string(100 + i);
    }
    asked = 0;
    BOOST_TEST(problems_of_key(form, model::Role::user, none).empty());
    BOOST_TEST(asked == 0U);
}

BOOST_AUTO_TEST_CASE(users_of_another_tenant_have_addresses_below_it) {
    const PeoplePage list{.of = of_tenant("lab"), .users = {user_named("a b")}};
    BOOST_TEST(to_json(list).at("people")[0].at("href") == "/tenants/lab/people/a%20b");
    BOOST_TEST(to_json(list).at("chooses_factor") == true);

    PersonPage person{.of = of_tenant("lab"), .user = user_named("a b")};
    BOOST_TEST(to_json(person).at("href") == "/tenants/lab/people/a%20b");
    BOOST_TEST(std::string(person.of.section()) == "tenants");

    person.of = {};
    BOOST_TEST(to_json(person).at("href") == "/people/a%20b");
    BOOST_TEST(std::string(person.of.section()) == "people");
}

BOOST_AUTO_TEST_CASE(users_are_searched_by_a_part_of_their_name_in_any_case) {
    PeoplePage page{.users = {user_named("Ada"), user_named("adam"), user_named("grace")},
                    .text = "ADA"};
    BOOST_TEST(names_in(to_json(page)) == "Ada adam ");

    page.text = "linus";
    BOOST_TEST(to_json(page).at("not_found") == true);
    BOOST_TEST(to_json(page).at("nobody") == false);

    page.text = "";
    BOOST_TEST(to_json(page).at("can_search") == false, "three are seen at a glance");
}

BOOST_AUTO_TEST_CASE(a_user_has_the_same_state_in_the_list_and_on_the_own_page) {
    model::User user = user_named("ada");
    const auto state = [&] {
        const PeoplePage list{.users = {user}};
        const PersonPage page{.user = user};
        const std::string words = to_json(list).at("people")[0].at("state");
        BOOST_TEST(to_json(page).at("state") == words);
        return words;
    };

    BOOST_TEST(state() == "API keys only");
    user.password_hash = "x";
    BOOST_TEST(state() == "can log in");
    user.initial_until = provisioner::base::Timestamp{};
    BOOST_TEST(state() == "must choose a password");
    user.disabled = true;
    BOOST_TEST(state() == "locked");
}

BOOST_AUTO_TEST_CASE(of_many_sessions_the_newest_are_shown_until_all_are_asked_for) {
    PersonPage page{.user = user_named("ada")};
    page.sessions.resize(sessions_at_first);
    BOOST_TEST(to_json(page).at("all_sessions") == "");

    page.sessions.resize(37);
    BOOST_TEST(to_json(page).at("sessions").size() == sessions_at_first);
    BOOST_TEST(to_json(page).at("all_sessions") == "Show all 37 sessions");

    page.shows_all_sessions = true;
    BOOST_TEST(to_json(page).at("sessions").size() == 37U);
    BOOST_TEST(to_json(page).at("all_sessions") == "");
}

BOOST_AUTO_TEST_CASE(a_long_list_is_paged_and_so_is_what_a_search_finds) {
    PeoplePage page{.of = of_tenant("lab")};
    for (int i = 0; i < 120; ++i) page.users.push_back(user_named("u" + std::to_string(i)));

    auto json = to_json(page);
    BOOST_TEST(json.at("people").size() == people_shown);
    BOOST_TEST(json.at("can_search") == true);
    BOOST_TEST(json.at("pager").at("words") == "1 to 50 of 120");
    BOOST_TEST(json.at("pager").at("previous") == "");
    BOOST_TEST(json.at("pager").at("next") == page.of.href + "?page=2");

    page.page = 3;
    json = to_json(page);
    BOOST_TEST(json.at("people").size() == 20U);
    BOOST_TEST(json.at("people")[0].at("person") == "u100");
    BOOST_TEST(json.at("pager").at("next") == "");

    page.text = "U1";
    page.page = 9;
    json = to_json(page);
    BOOST_TEST(json.at("people").size() == 31U, "31 of them are found, on one page");
    BOOST_TEST(json.at("pager").is_null());

    page.text = "u";
    page.page = 1;
    BOOST_TEST(to_json(page).at("pager").at("next") == page.of.href + "?q=u&page=2");
}

BOOST_AUTO_TEST_CASE(the_first_user_is_an_administrator_unless_another_role_is_chosen) {
    PeoplePage page{.of = of_tenant("lab")};
    BOOST_TEST(roles_of(to_json(page)) == "admin! operator user auditor ");

    page.users = {user_named("ada")};
    BOOST_TEST(roles_of(to_json(page)) == "admin operator user! auditor ");

    page.offers_superadmin = true;
    BOOST_TEST(roles_of(to_json(page)) == "superadmin admin operator user! auditor ");
}

BOOST_AUTO_TEST_CASE(what_is_done_is_done_in_the_tenant_of_the_address) {
    fcgi::auth::Visitor visitor;
    visitor.caller.emplace();
    visitor.caller->tenant.name = "superadmin";
    fcgi::http::Request request;

    BOOST_TEST(tenant_named_in(request, visitor) == "superadmin");
    BOOST_TEST(list_of_people(request) == "/people");

    request.path_values["tenant"] = "a b";
    BOOST_TEST(tenant_named_in(request, visitor) == "a b");
    BOOST_TEST(list_of_people(request) == "/tenants/a%20b/people");
}

BOOST_AUTO_TEST_CASE(the_page_of_a_user_leads_to_groups_and_events_of_this_tenant_only) {
    PersonPage page{.user = user_named("ada"), .groups = {"web team"}};
    const Json here = to_json(page);
    BOOST_TEST(here.at("in_groups")[0].at("group_href") == "/groups/web%20team");
    BOOST_TEST(here.at("events_href") == "/audit?user=ada");

    page.of = of_tenant("other");
    const Json elsewhere = to_json(page);
    BOOST_TEST(elsewhere.at("in_groups")[0].at("group_href") == "");
    BOOST_TEST(elsewhere.at("events_href") == "");
}

BOOST_AUTO_TEST_CASE(the_session_that_asks_was_used_now) {
    using namespace std::chrono_literals;
    const provisioner::base::Timestamp now{100h};
    model::Session session;
    session.id = model::SessionId{7};
    session.last_used_at = now - 5min;
    const Json own = sessions_json({session}, session.id, now, true);
    const Json other = sessions_json({session}, model::SessionId{8}, now, true);

    BOOST_TEST(own[0].at("used").at("relative") != other[0].at("used").at("relative"));
    BOOST_TEST(other[0].at("used").at("relative") == "5 minutes ago");
}

BOOST_AUTO_TEST_CASE(the_list_says_who_is_logged_in) {
    model::User ada = user_named("ada");
    ada.id = model::UserId{1};
    model::User bob = user_named("bob");
    bob.id = model::UserId{2};
    const PeoplePage page{.users = {ada, bob}, .last_used = {{ada.id, {}}}};
    const Json json = to_json(page);

    BOOST_TEST(!json.at("people")[0].at("used").is_null());
    BOOST_TEST(json.at("people")[1].at("used").is_null());
}

BOOST_AUTO_TEST_CASE(a_wrong_current_password_is_told_with_what_is_wrong_with_the_new_one) {
    using provisioner::operations::SignInResult;
    provisioner::operations::PasswordChanged changed{
        .problems = {{"wanted", "It must have at least 12 characters."}},
        .proof = SignInResult{.end = SignInResult::End::wrong_password}};

    const auto problems = fcgi::pages::problems_with_password_form(changed);

    BOOST_REQUIRE(problems.size() == 2U);
    BOOST_TEST(problems[0].field == "current");
    BOOST_TEST(problems[0].message == "This is not your password.");
    BOOST_TEST(problems[1].field == "wanted");
    changed.proof->end = SignInResult::End::done;
    BOOST_TEST(fcgi::pages::problems_with_password_form(changed).size() == 1U);
    changed.problems.clear();
    BOOST_TEST(fcgi::pages::problems_with_password_form(changed).empty());
}

BOOST_AUTO_TEST_CASE(the_profile_says_that_failed_logins_are_mailed) {
    const model::MailChoice choice{.address = "ada@example.com", .of_failed_logins = true};

    BOOST_TEST(fcgi::pages::mail_choice_words(choice, model::Role::user) ==
               "Emails about failed logins to ada@example.com");
}

BOOST_AUTO_TEST_CASE(who_does_not_confirm_their_identity_gets_back_what_was_typed) {
    BOOST_TEST(fcgi::pages::proof_form({}, "create an API key", "/forms/5f", {}).cancel ==
               "/forms/5f");
    BOOST_TEST(fcgi::pages::proof_form({}, "", "/people", {}).cancel == "/profile");
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_code_is_told_whether_it_was_sent) {
    fcgi::pages::NotificationsPage page;
    page.choice.next_address = "ada@example.org";
    const auto delivery = [&] { return to_json(page).at("delivery").get<std::string>(); };

    BOOST_TEST(delivery().starts_with("We sent a code to this address."));
    page.delivery = model::CodeDelivery::waiting;
    BOOST_TEST(delivery().starts_with("A code is being sent to this address."));
    page.delivery = model::CodeDelivery::failing;
    BOOST_TEST(delivery().starts_with("The code could not be sent yet"));
    BOOST_TEST(to_json(page).at("is_code_late") == true);
}

BOOST_AUTO_TEST_CASE(a_key_is_limited_to_clusters_by_name_where_one_is_meant) {
    const KeyForm form{.name = "ci", .clusters = "shop, 9 none blog"};
    provisioner::base::Problems problems;
    const auto called = [](const std::string& name) {
        std::vector<model::ClusterId> found;
        if (name == "shop") found = {model::ClusterId{7}};
        if (name == "blog") found = {model::ClusterId{8}, model::ClusterId{12}};
        return found;
    };

    const KeyForm with_ids = with_cluster_ids(form, called, problems);

    BOOST_TEST(with_ids.clusters == "00000007 9");
    BOOST_TEST(with_ids.name == "ci");
    BOOST_REQUIRE(problems.size() == 2U);
    BOOST_TEST(problems[0].message == "There is no cluster none.");
    BOOST_TEST(problems[1].field == "clusters");
    BOOST_TEST(problems[1].message ==
               "Several clusters are called blog. Enter the ID of one: 00000008 and 00000012.");
}

BOOST_AUTO_TEST_CASE(
    a_second_factor_is_asked_for_by_whoever_requires_it_in_words_that_fit_the_login) {
    using provisioner::operations::FactorDemand;
    using provisioner::operations::FirstFactor;
    FactorPage page;
    const auto words = [&](const char* member) {
        return to_json(page).at(member).get<std::string>();
    };
    BOOST_TEST(words("duty_words") == "", "nobody requires it");

    page.is_duty = true;
    BOOST_TEST(words("duty_words").starts_with("This installation requires"));
    page.demand = FactorDemand::tenant;
    BOOST_TEST(words("duty_words").starts_with("Your tenant requires"));

    BOOST_TEST(words("use_words").find("your password") != std::string::npos);
    for (const auto first : {FirstFactor::provider, FirstFactor::trusted_provider}) {
        page.first = first;
        BOOST_TEST(words("use_words").find("your password") == std::string::npos);
        BOOST_TEST(words("use_words").find("your identity provider") != std::string::npos);
    }
}

BOOST_AUTO_TEST_SUITE_END()
