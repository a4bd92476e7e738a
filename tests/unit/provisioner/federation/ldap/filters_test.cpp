#include "provisioner/federation/ldap/filters.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::federation;

BOOST_AUTO_TEST_SUITE(ldap_filters)

namespace {

model::IdentityProvider directory() {
    model::IdentityProvider made;
    made.user_filter = "(objectClass=person)";
    return made;
}

}  // namespace

// The examples of RFC 4515, 4.
BOOST_AUTO_TEST_CASE(what_means_something_in_a_filter_is_escaped) {
    BOOST_TEST(filter_value("Parens R Us (for all your parenthetical needs)") ==
               "Parens R Us \\28for all your parenthetical needs\\29");
    BOOST_TEST(filter_value("*") == "\\2a");
    BOOST_TEST(filter_value("C:\\MyFile") == "C:\\5cMyFile");
    BOOST_TEST(filter_value(std::string("\0\0\0\4", 4)) == "\\00\\00\\00\\04");
    BOOST_TEST(filter_value("Lu\xc4\x8di\xc4\x87") == "Lu\\c4\\8di\\c4\\87");
}

BOOST_AUTO_TEST_CASE(a_name_stays_one_value) {
    BOOST_TEST(filter_of_name(directory(), "ann") == "(&(objectClass=person)(uid=ann))");
    BOOST_TEST(filter_of_name(directory(), "x)(uid=*") ==
               "(&(objectClass=person)(uid=x\\29\\28uid=\\2a))");
}

BOOST_AUTO_TEST_CASE(identifiers_may_be_binary) {
    const std::string guid("\x01\x00\xfe*", 4);
    auto domain = directory();
    domain.id_attribute = "objectGUID";

    BOOST_TEST(subject_of(guid) == "x0100fe2a");
    BOOST_TEST(filter_of_subject(domain, subject_of(guid)) ==
               "(&(objectClass=person)(objectGUID=\\01\\00\\fe\\2a))");
    BOOST_TEST(subject_of("5f0c1e") == "5f0c1e");
    // A printable one that begins like a binary one is not taken for it.
    BOOST_TEST(identifier_of(subject_of("x41")) == "x41");
}

BOOST_AUTO_TEST_CASE(groups_are_found_by_their_members) {
    auto provider = directory();
    BOOST_TEST(filter_of_groups(provider, "cn=A*,dc=x", "ann") == "(member=cn=A\\2a,dc=x)");
    provider.nested_groups = true;
    BOOST_TEST(filter_of_groups(provider, "cn=a", "ann") ==
               "(member:1.2.840.113556.1.4.1941:=cn=a)");
    provider.group_attribute = "memberUid";
    BOOST_TEST(filter_of_groups(provider, "cn=a", "ann") == "(memberUid=ann)");
}

BOOST_AUTO_TEST_SUITE_END()
