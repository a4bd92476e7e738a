#include "fcgi/forms/audit_query.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using provisioner::base::from_sql;

BOOST_AUTO_TEST_SUITE(audit_query)

namespace {

provisioner::base::Checked<forms::AuditQuery> query(const std::string& text) {
    http::Request request;
    request.query = text;
    return forms::audit_query(request);
}

}  // namespace

BOOST_AUTO_TEST_CASE(moments_are_read_in_every_form) {
    BOOST_TEST((forms::moment_in("2026-11-20") == from_sql("2026-11-20 00:00:00")));
    BOOST_TEST((forms::moment_in("2026-11-20", true) == from_sql("2026-11-20 23:59:59.999999")));
    BOOST_TEST((forms::moment_in("2026-11-20T23:28") == from_sql("2026-11-20 23:28:00")));
    BOOST_TEST((forms::moment_in("2026-11-20 23:28") == from_sql("2026-11-20 23:28:00")),
               "as pages ask for it");
    BOOST_TEST(
        (forms::moment_in("2026-11-20T23:28:02.123Z") == from_sql("2026-11-20 23:28:02.123")));
    BOOST_TEST((forms::moment_in("1000") == from_sql("1970-01-01 00:00:01")));
    for (const char* text :
         {"", "yesterday", "2026-13-01", "2026-11-20T", "99999999999999999", "-1"}) {
        BOOST_TEST(!forms::moment_in(text).has_value(), text);
    }
}

BOOST_AUTO_TEST_CASE(all_filters_are_read) {
    const auto all = query(
        "from=2026-11-20&user=ann&action=cluster.&objectKind=cluster&object=web"
        "&outcome=refused&request=r1&tenant=acme&scope=installation");

    BOOST_REQUIRE(all.has_value());
    BOOST_TEST(all->filter.user == "ann");
    BOOST_TEST(all->filter.action == "cluster.");
    BOOST_TEST(all->filter.object_kind == "cluster");
    BOOST_TEST(all->filter.object == "web");
    BOOST_TEST((all->filter.outcome == provisioner::model::audit::Outcome::refused));
    BOOST_TEST(all->filter.request == "r1");
    BOOST_TEST(*all->tenant == "acme");
    BOOST_TEST(all->installation);
    BOOST_TEST(!all->filter.is_whole_action);
    BOOST_TEST(query("action=sign-in&exact=yes")->filter.is_whole_action);
    BOOST_TEST(!query("user=&from=&tenant=")->tenant.has_value());
}

BOOST_AUTO_TEST_CASE(all_logs_are_asked_for_unless_a_tenant_is_named) {
    BOOST_TEST(query("scope=all")->everywhere);
    BOOST_TEST(!query("scope=all&tenant=acme")->everywhere);
    BOOST_TEST(!query("scope=installation")->everywhere);
}

BOOST_AUTO_TEST_CASE(a_place_in_all_logs_is_read_as_it_was_written) {
    const provisioner::store::AuditPlace place{.at = from_sql("2026-11-20 23:28:02.123456"),
                                               .chain = provisioner::model::TenantId{0},
                                               .number = 12};
    const std::string word = forms::word_of(place);

    BOOST_TEST((forms::audit_place(word) == place), word);
    for (const char* other : {"", "12", "1-2", "1-2-", "-1-2-3", "1-2-3-4", "a-b-c"}) {
        BOOST_TEST(!forms::audit_place(other).has_value(), other);
    }
}

BOOST_AUTO_TEST_CASE(all_problems_are_said_at_once) {
    const auto wrong =
        query("from=soon&to=late&outcome=maybe&scope=world&user=" + std::string(256, 'x'));

    BOOST_REQUIRE(!wrong.has_value());
    BOOST_TEST(wrong.error().size() == 5U);
    BOOST_TEST(wrong.error().front().field == "from");
}

BOOST_AUTO_TEST_SUITE_END()
