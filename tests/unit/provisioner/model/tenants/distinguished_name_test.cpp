#include "provisioner/model/tenants/distinguished_name.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/tenants/identity_provider.hpp"

using namespace provisioner::model;

BOOST_AUTO_TEST_SUITE(distinguished_names)

BOOST_AUTO_TEST_CASE(one_name_is_the_same_in_every_spelling) {
    const std::string same = comparable_name("cn=B\xC3\xBCro\\, Nord,dc=x");
    BOOST_TEST(same == "cn=b\xC3\xBCro\\2c nord,dc=x");
    for (const char* name :
         {"cn=B\xC3\xBCro\\2C Nord,dc=x", "cn=B\xC3\xBCro\\2c Nord,dc=x",
          "cn=B\\C3\\BCro\\2C Nord,dc=x", "cn=B\\c3\\bcro\\,\\ Nord,dc=x",
          "CN = B\xC3\xBCRO\\, NORD , DC = X", " cn=\\42\xC3\xBCro\\, Nord,dc=x "}) {
        BOOST_TEST(comparable_name(name) == same, name);
    }
    BOOST_TEST(comparable_name("cn=B\xC3\xBCro, Nord,dc=x") != same);
    BOOST_TEST(comparable_name("cn=Buro\\, Nord,dc=x") != same);
}

BOOST_AUTO_TEST_CASE(each_special_character_is_the_same_escaped_by_itself_and_in_digits) {
    for (const auto& [itself, digits] :
         {std::pair{"\\\"", "\\22"}, std::pair{"\\+", "\\2B"}, std::pair{"\\,", "\\2C"},
          std::pair{"\\;", "\\3B"}, std::pair{"\\<", "\\3C"}, std::pair{"\\>", "\\3E"},
          std::pair{"\\=", "\\3D"}, std::pair{"\\\\", "\\5C"}, std::pair{"\\#", "\\23"},
          std::pair{"\\ ", "\\20"}}) {
        for (const std::string before : {"", "a"}) {
            for (const std::string after : {"", "b"}) {
                const std::string one = "cn=" + before + itself + after + ",dc=x";
                const std::string other = "cn=" + before + digits + after + ",dc=x";
                BOOST_TEST(comparable_name(one) == comparable_name(other), one);
            }
        }
    }
    BOOST_TEST(comparable_name("cn=a=b#c") == comparable_name("cn=a\\=b\\#c"));
}

BOOST_AUTO_TEST_CASE(blanks_at_the_ends_of_a_value_count_if_they_are_escaped) {
    BOOST_TEST(comparable_name("cn=\\ a\\  , dc=x") == "cn=\\20a\\20,dc=x");
    BOOST_TEST(comparable_name("cn=\\20a\\20,dc=x") == "cn=\\20a\\20,dc=x");
    BOOST_TEST(comparable_name("cn=  a  ,dc=x") == "cn=a,dc=x");
    BOOST_TEST(comparable_name("cn=a \\ ,dc=x") == comparable_name("cn=a\\20\\20,dc=x"));
}

BOOST_AUTO_TEST_CASE(hexadecimal_values_stay_and_are_no_texts) {
    BOOST_TEST(comparable_name("1.3.6.1=#04024869,dc=x") == "1.3.6.1=#04024869,dc=x");
    BOOST_TEST(comparable_name("cn=#0402AB") == comparable_name("cn=#0402ab"));
    BOOST_TEST(comparable_name("cn=\\#0402AB") != comparable_name("cn=#0402AB"));
}

BOOST_AUTO_TEST_CASE(an_rdn_of_several_values_keeps_its_order) {
    BOOST_TEST(comparable_name("CN=A+SN=B,dc=x") == "cn=a+sn=b,dc=x");
    BOOST_TEST(comparable_name("sn=b+cn=a,dc=x") != comparable_name("cn=a+sn=b,dc=x"));
    BOOST_TEST(comparable_name("cn=a\\+sn=b,dc=x") != comparable_name("cn=a+sn=b,dc=x"));
    BOOST_TEST(comparable_name("cn=a\\+sn=b") == comparable_name("cn=a\\2Bsn\\3Db"));
}

BOOST_AUTO_TEST_CASE(a_backslash_that_escapes_nothing_is_one) {
    BOOST_TEST(comparable_name("cn=a\\z") == "cn=a\\5cz");
    BOOST_TEST(comparable_name("cn=a\\") == "cn=a\\5c");
    BOOST_TEST(comparable_name("cn=a\\4,dc=x") == "cn=a\\5c4,dc=x");
    BOOST_TEST(comparable_name("cn=a\\-1") == "cn=a\\5c-1");
    BOOST_TEST(comparable_name("") == "");
    BOOST_TEST(comparable_name("Staff") == "staff");
}

BOOST_AUTO_TEST_CASE(a_comma_in_a_value_is_no_divider_of_parts) {
    BOOST_TEST(!is_below("cn=a\\,ou=groups,dc=x", "ou=groups,dc=x"));
    BOOST_TEST(!is_below("cn=a\\2Cou\\3Dgroups,dc=x", "ou=groups,dc=x"));
    BOOST_TEST(is_below("cn=a,ou=B\\C3\\BCro\\2C Nord,dc=x", "ou=B\xC3\xBCro\\, Nord,dc=x"));
    IdentityProvider provider;
    provider.kind = IdentityKind::ldap;
    provider.rules = {{.value = "cn=B\xC3\xBCro\\, Nord,dc=x", .tenant = "a"}};
    BOOST_TEST(first_fitting(provider, {"cn=B\xC3\xBCro\\2C Nord,dc=x"}) != nullptr);
    BOOST_TEST(first_fitting(provider, {"cn=B\xC3\xBCro,Nord,dc=x"}) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
