#include "provisioner/model/tenants/rights.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "provisioner/model/tenants/tenant.hpp"

using namespace provisioner::model;
namespace base = provisioner::base;

BOOST_AUTO_TEST_SUITE(rights)

namespace {

std::string rights_of(Role role) {
    std::string words;
    for (const RightRow& row : right_rows) {
        if (has(role, row.right)) words += (words.empty() ? "" : " ") + std::string(row.word);
    }
    return words;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_role_has_the_rights_that_were_promised) {
    BOOST_TEST(rights_of(Role::user) == "own-account use-clusters");
    BOOST_TEST(rights_of(Role::cluster_operator) ==
               "own-account use-clusters see-clusters operate-clusters");
    BOOST_TEST(rights_of(Role::auditor) == "own-account see-clusters every-entry see-tenant");
    BOOST_TEST(rights_of(Role::admin) ==
               "own-account use-clusters see-clusters operate-clusters every-entry see-tenant "
               "administer-tenant");
    BOOST_TEST(rights_of(Role::superadmin) ==
               "own-account use-clusters see-clusters operate-clusters every-entry see-tenant "
               "administer-tenant administer-installation");
}

BOOST_AUTO_TEST_CASE(every_role_and_every_right_has_a_place_in_the_tables) {
    std::set<std::string_view> words;
    for (const RightRow& row : right_rows) {
        BOOST_TEST(words.insert(row.word).second, row.word);
        BOOST_TEST(!row.says.empty(), row.word);
    }
    BOOST_TEST(all_roles.size() == base::words<Role>.size());
    for (const auto& [role, word] : base::words<Role>) {
        BOOST_CHECK_NO_THROW(has(role, Right::own_account));
    }
}

BOOST_AUTO_TEST_CASE(a_caller_has_the_rights_of_the_role) {
    Caller caller;
    caller.user.role = Role::auditor;

    BOOST_TEST(caller.may(Right::see_tenant));
    BOOST_TEST(!caller.is_admin());
    BOOST_TEST(!caller.is_superadmin());
}

BOOST_AUTO_TEST_SUITE_END()
