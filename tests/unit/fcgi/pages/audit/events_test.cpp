#include <boost/test/unit_test.hpp>

#include "fcgi/pages/audit/event_words.hpp"
#include "fcgi/pages/audit/events.hpp"

namespace {

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::Json;

/// "Clusters: all; ": what the page says of the values behind an event.
std::string values_after(const provisioner::model::audit::Event& event) {
    const auto json = to_json(event, "/audit");
    std::string text;
    for (const auto& each : json.at("differences")) {
        text += each.at("member").get<std::string>() + ": " + each.at("after").get<std::string>() +
                "; ";
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(actions_of_the_audit_log_are_read_as_words) {
    AuditPage page;
    const auto words = [&](const std::string& action) {
        page.events = {{}};
        page.events.front().action = action;
        return to_json(page).at("events")[0].at("action_words").get<std::string>();
    };

    BOOST_TEST(words("provider.replace") == "Save provider");
    BOOST_TEST(words("login-key.rotate") == "Rotate login key");
    BOOST_TEST(words("cluster.stop-services.end") == "Stop services, ended");
    BOOST_TEST(words("cluster.create.end") == "Create cluster, ended");
    BOOST_TEST(words("cluster-template.restore") == "Restore cluster template");
    BOOST_TEST(words("node.replace") == "Save machine");
    BOOST_TEST(words("node.delete") == "Delete machine");
    BOOST_TEST(words("user.lock") == "Lock user");
    BOOST_TEST(words("user.gone") == "User locked by identity provider");
    BOOST_TEST(words("user.change-role") == "Change role of user");
    BOOST_TEST(words("proof") == "Confirm identity");
    BOOST_TEST(words("permission.remove") == "Offer to everybody");
    BOOST_TEST(words("sign-in") == "Log in");
    BOOST_TEST(words("sign-in.refused") == "Login refused");
    BOOST_TEST(words("user.add-factor.refused") == "Second factor not added");
    BOOST_TEST(words("") == "");

    page.events.front().action = "provider.replace";
    page.events.front().object.id = "import";
    BOOST_TEST(to_json(page).at("events")[0].at("action_words") == "Save provider, by an import");
}

BOOST_AUTO_TEST_CASE(the_audit_log_says_by_what_somebody_logged_in_and_why_not) {
    provisioner::model::audit::Event event;
    event.action = "sign-in";
    event.actor = {.name = "ada", .tenant = "demo"};
    const auto heading = [&](const std::string& given) {
        event.actor.credential = given;
        return to_json(event, "/audit").at("heading").get<std::string>();
    };

    BOOST_TEST(heading("") == "Log in");
    BOOST_TEST(heading("recovery code") == "Log in by recovery code");
    BOOST_TEST(heading("provider corp") == "Log in by identity provider corp");

    event.action = "sign-in.refused";
    event.outcome = provisioner::model::audit::Outcome::refused;
    const auto reason = [&](const std::string& recorded) {
        event.reason = recorded;
        const auto json = to_json(event, "/audit");
        std::string found;
        for (const Json& fact : json.at("facts")) {
            if (fact.at("label") == "Reason") found = fact.at("value").get<std::string>();
        }
        return found;
    };
    BOOST_TEST(reason("wrong_code") == "The second factor is wrong.");
    BOOST_TEST(reason("provider_refused: no scope") == "The identity provider refuses. No scope");
    for (const std::string advice : {"", " Ask your administrator for one."}) {
        BOOST_TEST(reason("not_admitted: None of your groups has a place here." + advice) ==
                   "No rule of the identity provider fits a group of this person.");
    }
    BOOST_TEST(reason("not_admitted: None of your groups has a place in this tenant.") ==
               "No rule of the identity provider for the tenant that was chosen fits a group of "
               "this person.");
    BOOST_TEST(
        reason("not_admitted: Somebody else has the user name ann here. Ask your administrator.") ==
        "Another user here has the user name of this person.");
    BOOST_TEST(reason("not_admitted: Your account is locked. Ask your administrator.") ==
               "The account here is locked.");
    BOOST_TEST(reason("name: is missing") == "name: is missing");
    event.actor.role = "auditor";
    BOOST_TEST(reason("Forbidden") == "The role auditor does not have the right to do this.");
}

BOOST_AUTO_TEST_CASE(why_an_identity_provider_was_of_no_use_is_a_fact_of_its_own_in_the_event) {
    provisioner::model::audit::Event event;
    event.action = "sign-in.refused";
    event.outcome = provisioner::model::audit::Outcome::refused;
    event.actor = {.name = "unknown", .credential = "provider corp"};
    event.object = {.kind = "user", .name = "unknown"};
    const auto fact = [&](const std::string& label) {
        const Json page = to_json(event, "/audit");
        for (const Json& one : page.at("facts")) {
            if (one.at("label") == label) return one.at("value").get<std::string>();
        }
        return std::string();
    };

    event.reason =
        "provider_refused: Corp did not confirm who you are. Technical reason: no key: k1";
    BOOST_TEST(fact("Reason") ==
               "The identity provider refuses. Corp did not confirm who you are.");
    BOOST_TEST(fact("Technical reason") == "no key: k1");
    BOOST_TEST(fact("Name that was tried") == "");

    event.reason = "provider_refused Technical reason: no key: k1";
    BOOST_TEST(fact("Reason") == "The identity provider refuses.");
    event.object.name = "unknown [3f]";
    BOOST_TEST(fact("Name that was tried") != "");
}

BOOST_AUTO_TEST_CASE(one_action_is_not_those_that_begin_like_it_also_in_the_file) {
    AuditPage page{.parameters = {{"action", "user.lock"}, {"exact", "yes"}}};
    const auto file = [&] { return to_json(page).at("csv").get<std::string>(); };

    BOOST_TEST(file() == "/audit.csv?action=user.lock&exact=yes");
    page.parameters = {{"action", ""}, {"exact", "yes"}};
    BOOST_TEST(file().find("exact") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(parts_of_names_are_parts_in_the_file_of_the_audit_log_and_on_older_pages) {
    AuditPage page{.parameters = {{"object", "web"}, {"part", "yes"}}};
    const auto file = [&] { return to_json(page).at("csv").get<std::string>(); };

    BOOST_TEST(file() == "/audit.csv?object=web&part=yes");
    page.parameters = {{"outcome", "done"}, {"part", "yes"}};
    BOOST_TEST(file() == "/audit.csv?outcome=done");
    page.parameters = {{"user", "ada"}};
    BOOST_TEST(file() == "/audit.csv?user=ada", "a link to events of one user");
}

BOOST_AUTO_TEST_CASE(
    the_page_and_the_file_of_an_action_have_the_requests_for_it_that_were_refused) {
    fcgi::http::Request request;
    request.query = "action=cluster.create&exact=yes";

    const provisioner::identity::Vault no_keys{provisioner::base::Config()};
    const auto query = [&] { return audit_query_with_refusals(request, no_keys).value(); };

    BOOST_TEST(query().filter.has_refusals);
    BOOST_TEST(query().filter.refused_requests == "^POST (/clusters)$");
    // An address of before, which does not say that it means the whole action.
    request.query = "action=cluster.create";
    BOOST_TEST(query().filter.is_whole_action);
    request.query = "action=cluster.";
    BOOST_TEST(!query().filter.is_whole_action);
}

BOOST_AUTO_TEST_CASE(a_whole_name_finds_what_is_recorded_of_it_after_a_refused_login) {
    fcgi::http::Request request;
    const provisioner::identity::Vault no_keys{provisioner::base::Config()};
    const auto more_names = [&](const std::string& object) {
        request.query = "object=" + object;
        return audit_query_with_refusals(request, no_keys).value().filter.more_names;
    };

    BOOST_TEST(more_names("administrator") == std::vector<std::string>{"adm…"},
               boost::test_tools::per_element());
    BOOST_TEST(more_names("ada").empty());
    BOOST_TEST(more_names("Web-1").empty(), "it is no name of a user");
}

BOOST_AUTO_TEST_CASE(blanks_around_a_pasted_name_do_not_matter_to_the_filter) {
    fcgi::http::Request request;
    request.query = "object=%20web.sh%20&user=+ada&request=r1%09";
    const provisioner::identity::Vault no_keys{provisioner::base::Config()};

    const auto filter = audit_query_with_refusals(request, no_keys).value().filter;

    BOOST_TEST(filter.object == "web.sh");
    BOOST_TEST(filter.user == "ada");
    BOOST_TEST(filter.request == "r1");
}

BOOST_AUTO_TEST_CASE(an_empty_list_says_that_only_some_names_were_looked_at) {
    AuditPage page;

    BOOST_TEST(to_json(page).at("none") == "No matching events.");
    page.is_of_some_names = true;
    BOOST_TEST(to_json(page).at("none") ==
               "No matching events among the 50 names that were used last. Others may have some: "
               "enter more of the name, or choose a kind or From.");
    // The file would be refused.
    BOOST_TEST(to_json(page).at("csv").is_null());
    BOOST_TEST(to_json(page).at("no_csv") == "No CSV: it would lack events of other names.");
    page.events = {{}};
    BOOST_TEST(to_json(page).at("none") == "");
}

BOOST_AUTO_TEST_CASE(only_what_was_chosen_is_a_filter_of_the_audit_log) {
    AuditPage page{.parameters = {{"tenant", ""}, {"scope", ""}},
                   .words = {.actions = {"cluster.create", "user.lock", "cluster.delete"}},
                   .superadmin = true,
                   .tenant = "superadmin"};

    BOOST_TEST(to_json(page).at("filtered_by") == "");
    page.parameters = {{"tenant", ""}, {"scope", "installation"}};
    BOOST_TEST(to_json(page).at("filtered_by") == "");
    page.parameters = {{"tenant", "demo"}, {"scope", "all"}};
    const auto of_demo = to_json(page);
    BOOST_TEST(of_demo.at("is_filtered") == false, "the tab says which log it is");
    page.problems = {{"tenant", "tenant demo not found"}};
    BOOST_TEST(to_json(page).at("is_filtered") == true);
    page.problems.clear();
    BOOST_TEST(of_demo.at("filtered_by") == "Tenant demo");
    BOOST_TEST(of_demo.at("scopes").back().at("label") == "demo");
    BOOST_TEST(of_demo.at("scopes").back().at("current") == true);
    page.superadmin = false;
    BOOST_TEST(to_json(page).at("filtered_by") == "");

    // Actions stand together by what they are done to.
    std::string groups;
    for (const Json& option : of_demo.at("fields").at(3).at("options")) {
        groups += option.at("opens_group").get<std::string>() + '|' +
                  option.at("label").get<std::string>() +
                  (option.at("closes_group") == true ? "; " : ", ");
    }
    BOOST_TEST(groups == "|All, Cluster|Create cluster, |Delete cluster; User|Lock user; ");
}

BOOST_AUTO_TEST_CASE(events_of_the_audit_log_are_linked_where_something_is_left_to_see) {
    AuditPage page{.events = {{}, {}}, .links = {{.user = "/people/ada", .object = "/groups/x"}}};

    const auto events = to_json(page).at("events");

    BOOST_TEST(events[0].at("who_href") == "/people/ada");
    BOOST_TEST(events[0].at("object_href") == "/groups/x");
    BOOST_TEST(events[1].at("who_href") == "");
    BOOST_TEST(events[1].at("object_href") == "");
}

BOOST_AUTO_TEST_CASE(a_filter_says_in_words_what_it_has_chosen_unless_it_is_wrong) {
    AuditPage page{.parameters = {{"user", "ada"}, {"outcome", "refused"}, {"action", ""}}};
    BOOST_TEST(to_json(page).at("filtered_by") == "User ada, Outcome Refused");
    page.problems = {{"from", "Not a time."}};
    BOOST_TEST(to_json(page).at("filtered_by") == "");
    BOOST_TEST(to_json(AuditPage{}).at("filtered_by") == "");
}

BOOST_AUTO_TEST_CASE(the_log_of_all_tenants_says_whose_each_event_is_and_leads_to_it_there) {
    using provisioner::model::TenantId;
    AuditPage page{
        .parameters = {{"user", "ada"}, {"tenant", ""}, {"scope", "all"}},
        .events = {{}, {}, {}},
        .has_older = true,
        .superadmin = true,
        .tenant = "superadmin",
        .logs = {{.chain = TenantId{7}, .tenant = "lab", .uid = "u7", .is_deleted = true},
                 {.chain = TenantId{8}, .tenant = "lab", .uid = "u8"}},
        .is_of_all = true};
    page.events[0].chain = TenantId{8};
    page.events[1].chain = TenantId{7};
    for (auto& event : page.events) event.number = 3;

    const auto json = to_json(page);

    BOOST_TEST(json.at("heading") == "Audit of all tenants");
    BOOST_TEST(json.at("events")[0].at("log") == "lab");
    BOOST_TEST(json.at("events")[0].at("href") == "/audit/3?tenant=lab&scope=all");
    BOOST_TEST(json.at("events")[1].at("log") == "lab (deleted)");
    BOOST_TEST(json.at("events")[1].at("href") == "/audit/3?tenant=u7&scope=all");
    BOOST_TEST(json.at("events")[2].at("log") == "Installation");
    BOOST_TEST(json.at("older") == "/audit?cursor=0-0-3&user=ada&scope=all");
    BOOST_TEST(json.at("csv") == "/audit.csv?user=ada&scope=all");
    BOOST_TEST(json.at("scopes")[0].at("href") == "/audit?user=ada");
    BOOST_TEST(json.at("scopes")[1].at("current") == true);
}

BOOST_AUTO_TEST_CASE(what_two_logs_tell_is_one_row_in_the_log_of_all) {
    using provisioner::model::TenantId;
    AuditPage page{.parameters = {{"scope", "all"}},
                   .events = {{}, {}, {}},
                   .superadmin = true,
                   .tenant = "superadmin",
                   .logs = {{.chain = TenantId{8}, .tenant = "lab", .uid = "u8"}},
                   .is_of_all = true};
    for (auto& event : page.events) {
        event.action = "tenant.replace";
        event.actor.request = "4cdd7f8c";
    }
    page.events[0].chain = TenantId{8};
    page.events[2].actor.request = "another";

    const auto events = to_json(page).at("events");
    BOOST_REQUIRE(events.size() == 2U);
    BOOST_TEST(events[0].at("log") == "lab, Installation");
    BOOST_TEST(events[1].at("log") == "Installation");

    // One log shows all that it has.
    page.is_of_all = false;
    BOOST_TEST(to_json(page).at("events").size() == 3U);
}

BOOST_AUTO_TEST_CASE(superadmins_choose_one_tenant_or_all_in_the_filter) {
    using provisioner::model::TenantId;
    AuditPage page{
        .superadmin = true,
        .tenant = "superadmin",
        .logs = {{.chain = TenantId{7}, .tenant = "lab", .uid = "u7", .is_deleted = true},
                 {.chain = TenantId{1}, .tenant = "superadmin", .uid = "u1"}}};
    const auto chosen = [&](const std::string& tenant, const std::string& scope) {
        page.parameters = {{"tenant", tenant}, {"scope", scope}};
        const auto json = to_json(page);
        std::string words;
        for (const Json& option : json.at("fields").back().at("options")) {
            words += option.at("label").get<std::string>();
            words += option.at("selected") == true ? "*, " : ", ";
        }
        return words + json.at("scope").get<std::string>();
    };

    BOOST_TEST(chosen("", "") == "All tenants, lab (deleted), superadmin*, all");
    BOOST_TEST(chosen("", "all") == "All tenants*, lab (deleted), superadmin, all");
    BOOST_TEST(chosen("u7", "all") == "All tenants, lab (deleted)*, superadmin, all");
    // By the name that it had.
    BOOST_TEST(chosen("lab", "all") == "All tenants, lab (deleted)*, superadmin, all");
    page.superadmin = false;
    BOOST_TEST(to_json(page).at("scope") == "");
}

BOOST_AUTO_TEST_CASE(a_refused_form_says_in_the_audit_log_what_was_tried) {
    provisioner::model::audit::Event event;
    event.action = "request.refused";
    event.object = {.kind = "request", .name = "POST /people/ada/role"};
    event.outcome = provisioner::model::audit::Outcome::refused;
    event.reason = "No.";

    const auto refused = to_json(event, "/audit");
    BOOST_TEST(refused.at("heading").get<std::string>().starts_with("Change role of user"));
    const auto label_of_reason = [](const Json& json) {
        for (const Json& fact : json.at("facts")) {
            if (fact.at("value") == "No.") return fact.at("label").get<std::string>();
        }
        return std::string();
    };
    BOOST_TEST(label_of_reason(refused) == "Reason");

    event.outcome = provisioner::model::audit::Outcome::done;
    BOOST_TEST(label_of_reason(to_json(event, "/audit")) == "Why");
}

BOOST_AUTO_TEST_CASE(an_event_has_the_words_of_the_pages_for_limits_of_a_tenant) {
    provisioner::model::audit::Event event;
    event.before = R"({"maxNodes":1,"region":"eu"})";
    event.after = R"({"maxNodes":2,"region":"us"})";

    const auto json = to_json(event, "/audit");

    BOOST_TEST(json.at("differences")[0].at("member") == "Maximum machines");
    BOOST_TEST(json.at("differences")[1].at("member") == "Region");
    event.after = event.before;
    BOOST_TEST(to_json(event, "/audit").at("is_equal") == true);
}

BOOST_AUTO_TEST_CASE(the_heading_of_the_audit_log_says_whose_it_is) {
    AuditPage page{
        .parameters = {{"tenant", ""}, {"scope", ""}}, .superadmin = true, .tenant = "superadmin"};
    const auto heading = [&](const std::string& tenant, const std::string& scope) {
        page.parameters = {{"tenant", tenant}, {"scope", scope}};
        return to_json(page).at("heading").get<std::string>();
    };

    BOOST_TEST(heading("", "") == "Audit of superadmin");
    BOOST_TEST(heading("demo", "") == "Audit of demo");
    BOOST_TEST(heading("demo", "all") == "Audit of demo");
    BOOST_TEST(heading("", "installation") == "Audit of the installation");
    BOOST_TEST(to_json(AuditPage{}).at("heading") == "Audit");
    BOOST_TEST(to_json(AuditPage{}).at("scopes").empty());
}

BOOST_AUTO_TEST_CASE(an_api_key_without_limits_is_for_all_in_the_audit_log) {
    provisioner::model::audit::Event event;
    event.action = "api-key.create";
    event.object = {.kind = "api-key", .id = "7", .name = "ci"};
    const auto limits = [&](const std::string& after) {
        event.after = after;
        return values_after(event);
    };

    BOOST_TEST(limits(R"({"clusters":[],"rights":[],"scope":"all"})") ==
               "Clusters: all; Rights: all; Access: everything; ");
    BOOST_TEST(limits(R"({"clusters":[],"rights":[],"scope":"read"})") ==
               "Clusters: all; Rights: reading; Access: read only; ");
    BOOST_TEST(limits(R"({"clusters":["42"],"rights":["clusters:read"],"scope":"some"})") ==
               "Clusters: 42; Rights: clusters: read; Access: only some rights; ");
}

BOOST_AUTO_TEST_CASE(events_have_the_words_of_pages_for_the_words_of_documents) {
    provisioner::model::audit::Event event;
    const auto values = [&](const char* kind, const std::string& after) {
        event.object.kind = kind;
        event.after = after;
        return values_after(event);
    };

    BOOST_TEST(values("user", R"({"mailEvents":["failure","expiring"]})") ==
               "Emails about own clusters: failures, leases about to end; ");
    BOOST_TEST(values("identity-provider",
                      R"({"kind":"oidc","rules":[
                          {"value":"*","tenant":"lab","role":"user","groups":[]},
                          {"value":"ops","tenant":"demo","role":"admin","groups":["a","b"]}]})") ==
               "Kind: OpenID Connect; Who may log in: everybody: user in lab; "
               "ops: admin in demo, groups a and b; ");
    BOOST_TEST(values("api-key", R"({"rights":["machines:write"],"scope":"some"})") ==
               "Rights: machines: read and change; Access: only some rights; ");
}

BOOST_AUTO_TEST_CASE(an_event_that_somebody_has_tampered_with_does_not_hide_the_audit_log) {
    provisioner::model::audit::Event event;
    event.action = "tenant.leave";
    event.object = {.kind = "api-key", .id = "9", .name = "lab"};
    for (const char* document :
         {"[]", "7", "{", R"({"viewedFrom":7,"viewedUntil":[],"scope":null,"rights":[7]})",
          R"({"viewedFrom":"yesterday","viewedUntil":"2026-11-20 10:12:00.000000"})"}) {
        event.after = document;
        BOOST_TEST(view_words(event) == "", document);
        BOOST_CHECK_NO_THROW(to_json(event, "/audit"));
    }
}

BOOST_AUTO_TEST_CASE(the_end_of_a_view_says_in_the_audit_log_how_long_it_was_and_why_it_ended) {
    provisioner::model::audit::Event event;
    event.action = "tenant.leave";
    event.object = {.kind = "tenant", .id = "9", .name = "lab"};
    event.reason = "No page was looked at for 30 minutes.";
    event.after =
        R"({"viewedFrom":"2026-11-20 10:00:00.000000","viewedUntil":"2026-11-20 10:12:00.000000"})";

    event.at = provisioner::base::from_sql("2026-11-20 10:42:01");

    const auto json = to_json(event, "/audit");

    BOOST_TEST(view_words(event) == "12 minutes", "one that was recorded without its end");
    const std::string without_end = event.after;
    event.after =
        R"({"viewedFrom":"2026-11-20 10:00:00.000000","viewedUntil":"2026-11-20 10:12:00.000000",)"
        R"("viewEnded":"2026-11-20 10:42:00.000000"})";
    BOOST_TEST(view_words(event) == "42 minutes", "until it ended, however it did");
    event.after =
        R"({"viewedFrom":"2026-11-20 10:00:41.900000","viewedUntil":"2026-11-20 10:00:46.000000",)"
        R"("viewEnded":"2026-11-20 10:00:53.100000"})";
    BOOST_TEST(view_words(event) == "12 s", "as its moments are shown");
    event.after = without_end;
    event.reason = "The superadmin stopped it.";
    event.at = provisioner::base::from_sql("2026-11-20 10:00:56");
    BOOST_TEST(view_words(event) == "56 s");
    event.action = "tenant.view";
    BOOST_TEST(view_words(event) == "");
    BOOST_TEST(json.at("heading") == "Stop viewing tenant: lab");
    BOOST_TEST(json.at("differences").empty());
    std::string facts;
    for (const auto& fact : json.at("facts")) {
        const auto label = fact.at("label").get<std::string>();
        if (label == "View began" || label == "Last page looked at") {
            facts += label + ' ' + fact.at("value").get<std::string>() + "; ";
        }
    }
    BOOST_TEST(facts ==
               "View began 2026-11-20 10:00:00 UTC; "
               "Last page looked at 2026-11-20 10:12:00 UTC; ");
}

BOOST_AUTO_TEST_CASE(the_audit_log_says_why_a_name_that_was_tried_is_not_told_whole) {
    provisioner::model::audit::Event event;
    event.action = "sign-in.refused";
    event.outcome = provisioner::model::audit::Outcome::refused;
    event.actor.name = "unknown";
    const auto why = [&](const std::string& name) {
        event.object = {.kind = "user", .name = name};
        const auto json = to_json(event, "/audit");
        for (const auto& fact : json.at("facts")) {
            if (fact.at("label") == "Name that was tried") {
                return fact.at("value").get<std::string>();
            }
        }
        return std::string();
    };

    BOOST_TEST(why("adm… [3f]").starts_with("Shortened, because it may be a password."));
    BOOST_TEST(why("unknown [07]").starts_with("Not recorded, because it may be a password."));
    BOOST_TEST(why("root") == "");
    BOOST_TEST(actor_words(event) == "not logged in");
}

BOOST_AUTO_TEST_CASE(an_end_of_a_view_that_nobody_asked_for_is_one_row_of_the_log_of_all) {
    AuditPage page{.superadmin = true, .tenant = "superadmin", .is_of_all = true};
    for (const int chain : {1, 2}) {
        provisioner::model::audit::Event event;
        event.chain = provisioner::model::TenantId{chain};
        event.action = "tenant.leave";
        event.object = {.kind = "tenant", .id = "9", .name = "lab"};
        event.after = R"({"viewedFrom":"2026-11-20 10:00:00.000000"})";
        page.events.push_back(event);
    }

    BOOST_TEST(to_json(page).at("events").size() == 1U);
    page.events[1].after = R"({"viewedFrom":"2026-11-20 10:00:00.000001"})";
    BOOST_TEST(to_json(page).at("events").size() == 2U);
}

BOOST_AUTO_TEST_CASE(an_event_of_the_audit_log_says_what_changed_or_what_is_new) {
    provisioner::model::audit::Event event;
    event.before = R"({"size":1,"region":"eu"})";
    event.after = R"({"size":1,"region":"us","note":null,"zones":["a","b"]})";
    const auto changed = to_json(event, "/audit");
    BOOST_TEST(changed.at("differences_title") == "What changed");
    BOOST_TEST(changed.at("differences").dump() ==
               R"([{"member":"Region","before":"eu","after":"us"},)"
               R"({"member":"Zones","before":"","after":"a, b"}])");
    BOOST_TEST(changed.at("after_title") == "After");

    event.before = "";
    event.after = Json{{"text", std::string(400, 'x')}}.dump();
    const auto made = to_json(event, "/audit");
    BOOST_TEST(made.at("differences_title") == "New values");
    BOOST_TEST(made.at("has_before") == false);
    BOOST_TEST(made.at("after_title") == "Value");
    BOOST_TEST(made.at("differences")[0].at("after") == std::string(300, 'x') + "…");
    BOOST_TEST(made.at("documents").size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_event_of_the_audit_log_does_not_read_as_a_change_that_never_was) {
    provisioner::model::audit::Event event;
    event.action = "cluster-template.drop-draft";
    event.before = R"({"description":"to be dropped"})";
    event.after = R"({"description":"bigger"})";
    const auto dropped = to_json(event, "/audit");
    BOOST_TEST(dropped.at("differences_title") == "What the draft would have changed");
    BOOST_TEST(dropped.at("before_title") == "In the draft");
    BOOST_TEST(dropped.at("after_title") == "Without it");
}

BOOST_AUTO_TEST_CASE(an_event_of_one_price_is_that_of_this_price) {
    provisioner::model::audit::Event event;
    event.action = "price-list.replace";
    event.object = {.kind = "price-list", .name = "demo"};
    event.before = R"({"prices":2})";
    event.after = R"({"prices":3,"added":1,"changed":0,"removed":0,"unchanged":2,
                      "perHour":{"local, *":"0.01 USD"}})";
    const auto added = to_json(event, "/audit");
    BOOST_TEST(added.at("heading") == "Add price of local, any flavor: demo");
    BOOST_TEST_REQUIRE(added.at("differences").size() == 1U);
    BOOST_TEST(added.at("differences")[0].at("member") == "Price per hour");
    BOOST_TEST(added.at("differences")[0].at("before") == "");
    BOOST_TEST(added.at("differences")[0].at("after") == "0.01 USD");

    event.before = R"({"prices":3,"perHour":{"aws, small":"0.05 EUR"}})";
    event.after = R"({"prices":2,"added":0,"changed":0,"removed":1,"unchanged":2})";
    BOOST_TEST(to_json(event, "/audit").at("heading") == "Remove price of aws, small: demo");
    event.after = R"({"prices":3,"added":0,"changed":1,"removed":0,"unchanged":2,
                      "perHour":{"aws, small":"0.06 EUR"}})";
    BOOST_TEST(to_json(event, "/audit").at("heading") == "Change price of aws, small: demo");
}

BOOST_AUTO_TEST_CASE(an_event_of_several_prices_names_each) {
    provisioner::model::audit::Event event;
    event.action = "price-list.replace";
    event.object = {.kind = "price-list", .name = "demo"};
    event.before = R"({"prices":1,"perHour":{"aws, small":"0.05 EUR"}})";
    event.after = R"({"prices":2,"added":1,"changed":1,"removed":0,"unchanged":0,
                      "perHour":{"aws, small":"0.06 EUR","aws, *":"0.10 EUR"}})";

    const auto json = to_json(event, "/audit");

    BOOST_TEST(json.at("heading") == "Change prices: demo");
    std::string labels;
    for (const auto& each : json.at("differences")) {
        labels += each.at("member").get<std::string>() + "; ";
    }
    BOOST_TEST(labels ==
               "Price of aws, small, per hour; Number of prices; Price of aws, any flavor, per "
               "hour; ");
}

BOOST_AUTO_TEST_CASE(a_sync_names_each_file_with_its_versions_in_the_audit_log) {
    audit::Event event;
    event.action = "plugin-file.sync";
    event.object = {.kind = "plugin-file"};
    event.before = R"({"files":[{"file":"shell/scripts/a.sh","version":1},
                                {"file":"shell/scripts/run","version":null}]})";
    event.after = R"({"files":[{"file":"shell/scripts/a.sh","version":null},
                               {"file":"shell/scripts/run","version":12}]})";

    const Json differences = to_json(event, "/audit").at("differences");

    BOOST_REQUIRE(differences.size() == 2U);
    BOOST_TEST(differences[0].at("member") == "shell/scripts/a.sh");
    BOOST_TEST(differences[0].at("before") == "Version 1");
    BOOST_TEST(differences[0].at("after") == "Nothing");
    BOOST_TEST(differences[1].at("member") == "shell/scripts/run");
    BOOST_TEST(differences[1].at("after") == "Version 12");
}

BOOST_AUTO_TEST_CASE(an_event_of_a_file_says_of_which_version_it_is) {
    audit::Event event;
    event.action = "plugin-file.recall";
    event.object = {.kind = "plugin-file", .id = "3", .name = "shell/scripts/web.sh"};

    BOOST_TEST(object_words(event) == "plugin file shell/scripts/web.sh, version 3");
    event.object.id.clear();
    BOOST_TEST(object_words(event) == "plugin file shell/scripts/web.sh");
}
