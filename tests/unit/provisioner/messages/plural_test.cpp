#include "provisioner/messages/plural.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>

using provisioner::messages::PluralRule;

BOOST_AUTO_TEST_SUITE(plural)

namespace {

/// The forms of 0, 1, 2 … in a row.
std::string forms(const std::string& header, unsigned long upto) {
    const PluralRule rule(header);
    std::string all;
    for (unsigned long n = 0; n <= upto; ++n) all += std::to_string(rule.form_of(n));
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(english_has_one_and_many) {
    const PluralRule english;
    BOOST_TEST(english.forms() == 2U);
    BOOST_TEST(english.form_of(0) == 1U);
    BOOST_TEST(english.form_of(1) == 0U);
    BOOST_TEST(english.form_of(2) == 1U);
}

BOOST_AUTO_TEST_CASE(rules_of_languages_are_understood_as_gettext_writes_them) {
    BOOST_TEST(forms("nplurals=1; plural=0;", 3) == "0000");
    BOOST_TEST(forms("nplurals=2; plural=n>1;", 3) == "0011");
    BOOST_TEST(forms("nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && "
                     "(n%100<10 || n%100>=20) ? 1 : 2);",
                     25) == "20111222222222222222201112");
    BOOST_TEST(forms("nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;", 5) == "201112");
    BOOST_TEST(forms("nplurals=2; plural=!(n - 1)", 2) == "010");
}

BOOST_AUTO_TEST_CASE(a_formula_never_leads_beyond_the_forms) {
    BOOST_TEST(forms("nplurals=2; plural=n;", 4) == "01111");
    BOOST_TEST(forms("nplurals=2; plural=1/n%0;", 2) == "000");
}

BOOST_AUTO_TEST_CASE(what_is_no_rule_is_refused) {
    for (const std::string header :
         {"", "nplurals=2;", "plural=n;", "nplurals=0; plural=n;", "nplurals=9; plural=n;",
          "nplurals=2; plural=m;", "nplurals=2; plural=n==;", "nplurals=2; plural=(n;",
          "nplurals=2; plural=n?1;", "nplurals=2; plural=n n;"}) {
        BOOST_CHECK_THROW(PluralRule{header}, std::runtime_error);
    }
    const std::string deep(100000, '(');
    BOOST_CHECK_THROW(PluralRule("nplurals=2; plural=" + deep + "n"), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
