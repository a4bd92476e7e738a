#include "fcgi/forms/tenant.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/forms/api_key.hpp"
#include "fcgi/forms/node.hpp"
#include "fcgi/forms/node_usage.hpp"

using namespace fcgi;
using namespace std::chrono_literals;
namespace base = provisioner::base;
namespace model = provisioner::model;

BOOST_AUTO_TEST_SUITE(administration)

namespace {

base::Json json(const char* text) {
    return base::parse_json(text).value();
}

template <class T>
std::string problems_of(const base::Checked<T>& read) {
    return read ? "" : to_text(read.error());
}

auto question(const std::string& query) {
    http::Request request;
    request.query = query;
    return forms::usage_question(request);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_tenant_needs_a_name_and_has_no_limits_otherwise) {
    const auto tenant = forms::tenant(json(R"({"tenant":{"name":"acme"}})"));

    BOOST_REQUIRE(tenant.has_value());
    BOOST_TEST(tenant->workers == 0);
    BOOST_TEST(tenant->max_clusters == model::no_maximum);
    BOOST_TEST(tenant->max_nodes == model::no_maximum);
    BOOST_TEST(!tenant->bootstrap);
}

BOOST_AUTO_TEST_CASE(a_budget_is_exact_and_stays_when_it_is_not_mentioned) {
    const auto budget = [](const char* text) { return forms::tenant(json(text))->budget; };

    BOOST_TEST(!budget(R"({"tenant":{"name":"acme"}})").has_value());
    const auto none = budget(R"({"tenant":{"name":"acme","budget":null}})");
    BOOST_REQUIRE(none.has_value());
    BOOST_TEST(!none->has_value());
    const auto both = budget(
        R"({"tenant":{"name":"acme","budget":{"currency":"USD","perHour":0.1,"perMonth":"70"}}})");
    BOOST_TEST(
        (both == model::Budget{.currency = "USD", .per_hour = 100'000, .per_month = 70'000'000}));
}

BOOST_AUTO_TEST_CASE(everything_wrong_with_a_budget_is_told) {
    BOOST_TEST(
        problems_of(forms::tenant(
            json(R"({"tenant":{"name":"acme","budget":{"currency":"$","perHour":"-1"}}})"))) ==
        "tenant.budget.currency: budget.currency has to be three capital letters, such as "
        "USD.; tenant.budget.perHour: budget.perHour has to be a decimal number with at most "
        "six decimals, not -1.");
    BOOST_TEST(problems_of(forms::tenant(
                   json(R"({"tenant":{"name":"acme","budget":{"currency":"USD"}}})"))) ==
               "tenant.budget.perHour: A budget needs perHour, perMonth or both.");
}

BOOST_AUTO_TEST_CASE(everything_wrong_with_a_tenant_is_told) {
    BOOST_TEST(problems_of(forms::tenant(json(R"({"name":"acme"})"))) ==
               "tenant: Tenant specification must be given.");
    BOOST_TEST(problems_of(forms::tenant(
                   json(R"({"tenant":{"name":"acme","workers":-1,"maxNodes":"many"}})"))) ==
               "tenant.workers: workers cannot be negative.; "
               "tenant.maxNodes: must be a whole number of at most 2147483647");
}

BOOST_AUTO_TEST_CASE(a_user_is_a_plain_one_without_password_unless_it_says_otherwise) {
    const auto user = forms::user(json(R"({"name":"bob"})"));

    BOOST_REQUIRE(user.has_value());
    BOOST_TEST((user->role == model::Role::user));
    BOOST_TEST(user->password.empty());
    BOOST_TEST(problems_of(forms::user(json(R"({"name":"bob","password":"1234567"})"))) ==
               "password: must have at least eight characters");
}

BOOST_AUTO_TEST_CASE(an_api_key_is_for_everything_and_for_ever_unless_it_says_otherwise) {
    const auto key = forms::api_key(json(R"({"name":"ci"})"));
    const auto reader = forms::api_key(json(R"({"name":"ci","scope":"read","expireTime":"5"})"));

    BOOST_REQUIRE((key && reader));
    BOOST_TEST((key->limits.scope == model::KeyScope::all));
    BOOST_TEST(!key->expires_at.has_value());
    BOOST_TEST((reader->limits.scope == model::KeyScope::read));
    BOOST_TEST(reader->expires_at.value() == 5);
    BOOST_TEST(!forms::api_key(json(R"({"name":"ci","expireTime":0})"))->expires_at.has_value());
    BOOST_TEST(problems_of(forms::api_key(json(R"({"name":"ci","scope":"Read"})"))) ==
               "scope: must be all, read or some");
    const auto narrow = forms::api_key(json(
        R"({"name":"ci","scope":"some","rights":["clusters:write"],"clusters":["00000012"]})"));
    BOOST_REQUIRE(narrow.has_value());
    BOOST_TEST(narrow->limits.rights.contains({model::ResourceKind::clusters, true}));
    BOOST_TEST(narrow->limits.clusters.contains(12));
    BOOST_TEST(
        problems_of(forms::api_key(
            json(R"({"name":"ci","scope":"some","rights":["all"],"clusters":["x"]})"))) ==
        "rights: all is not a right; rights look like clusters:read; clusters: x is no id of a "
        "cluster");
    BOOST_TEST(problems_of(forms::api_key(json(R"({"name":"ci","scope":"some"})"))) ==
               "rights: must name at least one right for the scope some");
}

BOOST_AUTO_TEST_CASE(a_record_of_a_node_says_what_is_wrong_with_it) {
    BOOST_TEST(problems_of(forms::node(json(R"({"id":"n","clusterId":"x","services":[{}]})"))) ==
               "clusterId: must be the id of a cluster; services.0.name: must be given");
    const auto node = forms::node(json(R"({"id":"n","clusterId":7,"services":[{"name":"a"}],
        "properties":{"ipaddresses":{"access_v4":"192.0.2.1"}}})"));
    BOOST_REQUIRE(node.has_value());
    BOOST_TEST(node->cluster.value == 7);
    BOOST_TEST(node->ssh_user == "root");
    BOOST_TEST(node->addresses.at("access_v4") == "192.0.2.1");
}

BOOST_AUTO_TEST_CASE(limits_that_speak_of_characters_count_characters) {
    const auto text_of = [](const char* character, int times) {
        std::string text;
        for (int i = 0; i < times; ++i) text += character;
        return text;
    };
    const auto with_user = [&](int length) {
        return base::Json{{"clusterId", 7},
                          {"services", base::Json::array()},
                          {"properties", {{"sshuser", text_of("\xC3\xBC", length)}}}};
    };
    const auto with_password = [&](int length) {
        return base::Json{{"name", "bob"}, {"password", text_of("\xE2\x82\xAC", length)}};
    };

    BOOST_TEST(problems_of(forms::node(with_user(255))) == "");
    BOOST_TEST(problems_of(forms::node(with_user(256))) ==
               "properties.sshuser: must not exceed 255 characters");
    BOOST_TEST(problems_of(forms::user(with_password(8))) == "");
    BOOST_TEST(problems_of(forms::user(with_password(7))) ==
               "password: must have at least eight characters");
}

BOOST_AUTO_TEST_CASE(units_are_read_in_any_case_periods_in_small_letters_only) {
    BOOST_TEST((question("timeunit=HOURS")->unit == 1h));
    BOOST_TEST(question("groupby=day")->period.value() == 86400);
    BOOST_TEST(question("groupby=Day").error() == "Incorrect value for field groupby: Day");
    BOOST_TEST(question("timeunit=eons").error() == "Incorrect value for field timeunit: eons");
}

BOOST_AUTO_TEST_CASE(moments_are_seconds_in_order) {
    BOOST_TEST(question("start=3&end=9")->end.value() == 9);
    BOOST_TEST(question("start=9&end=3").error() ==
               "Incorrect value for start 9 or end 3 timestamp");
    BOOST_TEST(question("start=9").has_value());
    BOOST_TEST(question("start=-9").has_value() == false);
    BOOST_TEST(question("start=99999999999999").has_value() == false);
    BOOST_TEST(question("end=x").error() == "Incorrect value for start null or end x timestamp");
}

BOOST_AUTO_TEST_SUITE_END()
