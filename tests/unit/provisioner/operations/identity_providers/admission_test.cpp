#include "provisioner/operations/identity_providers/admission.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(admission)

namespace {

using provisioner::operations::words_of_person;
const provisioner::model::IdentityProvider provider{.name = "staff"};

}  // namespace

BOOST_AUTO_TEST_CASE(a_person_whom_no_rule_fits_is_named_with_the_groups_that_were_stated) {
    BOOST_TEST(words_of_person(provider, {.subject = "7", .name = "Ann"}) ==
               "staff calls the person \"Ann\" and states no groups");
    BOOST_TEST(words_of_person(provider, {.subject = "7", .name = "Ann", .values = {"b", "a"}}) ==
               "staff calls the person \"Ann\" and states 2 groups: a; b");
    BOOST_TEST(words_of_person(provider, {.subject = "7", .values = {"cn=a,dc=b"}}) ==
               "staff has no name for the person \"7\" and states 1 group: cn=a,dc=b");
}

BOOST_AUTO_TEST_CASE(what_a_provider_says_of_a_person_is_bounded_and_on_one_line) {
    provisioner::operations::Person person{.name = "A\nnn" + std::string(5'000, 'n')};
    for (int i = 100; i < 200; ++i) {
        person.values.insert(std::to_string(i) + std::string(2'000, 'g'));
    }

    const std::string words = words_of_person(provider, person);

    BOOST_TEST(words.starts_with("staff calls the person \"A\\x0annn"), words);
    BOOST_TEST(words.find("100 groups, the first 20: 100g") != std::string::npos, words);
    BOOST_TEST(words.find("119g") != std::string::npos);
    BOOST_TEST(words.find("120g") == std::string::npos);
    BOOST_TEST(words.size() < 2'500U);
}

BOOST_AUTO_TEST_SUITE_END()
