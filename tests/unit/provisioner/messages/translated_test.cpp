#include "provisioner/messages/translated.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/messages/reader.hpp"

using namespace provisioner::messages;

BOOST_AUTO_TEST_SUITE(translations)

BOOST_AUTO_TEST_CASE(english_needs_no_catalogue) {
    BOOST_TEST(translated("Choose a role.") == "Choose a role.");
    BOOST_TEST(translated("{1} of {0}, {0}", std::string("shop"), 3) == "3 of shop, shop");
    BOOST_TEST(translated_count(1, "{0} machine of {1}", "{0} machines of {1}", "shop") ==
               "1 machine of shop");
    BOOST_TEST(translated_count(2, "{0} machine", "{0} machines") == "2 machines");
    BOOST_TEST(translated_count(0, "{0} machine", "{0} machines") == "0 machines");
    BOOST_TEST(translated_count(1234567, "{0} machine", "{0} machines") == "1,234,567 machines");
    BOOST_TEST(grouped(999) == "999");
    BOOST_TEST(grouped(1000) == "1,000");
}

BOOST_AUTO_TEST_CASE(values_are_not_looked_at_again) {
    BOOST_TEST(translated("{0} and {1}", "{1}", "b") == "{1} and b");
    BOOST_TEST(translated("{2} {x} {", "a") == "{2} {x} {");
}

BOOST_AUTO_TEST_CASE(a_reader_gets_their_language) {
    const Messages polish("pl",
                          {{"Delete {0}?", {"Usunąć {0}?"}},
                           {"{0} machine", {"{0} maszyna", "{0} maszyny", "{0} maszyn"}}},
                          PluralRule("nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 ? 1 : 2;"));
    const Reader reader(&polish);
    BOOST_TEST(translated("Delete {0}?", "shop") == "Usunąć shop?");
    BOOST_TEST(translated("Keep it") == "Keep it");
    BOOST_TEST(translated_count(1, "{0} machine", "{0} machines") == "1 maszyna");
    BOOST_TEST(translated_count(3, "{0} machine", "{0} machines") == "3 maszyny");
    BOOST_TEST(translated_count(5, "{0} machine", "{0} machines") == "5 maszyn");
}

BOOST_AUTO_TEST_SUITE_END()
