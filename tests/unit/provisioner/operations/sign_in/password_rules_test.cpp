#include "provisioner/operations/sign_in/password_rules.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::base::Secret;
using provisioner::operations::problems_with_password;

BOOST_AUTO_TEST_SUITE(password_rules)

namespace {

bool is_fine(const std::string& password, int least = 12) {
    return problems_with_password(Secret(password), least,
                                  {.tenant = "Barrelworks", .user = "hildegard"})
        .empty();
}

}  // namespace

BOOST_AUTO_TEST_CASE(length_is_counted_in_characters_and_every_character_is_allowed) {
    BOOST_TEST(!is_fine("abcdefghijk"));
    BOOST_TEST(is_fine("gnarly croze"));
    BOOST_TEST(is_fine("Fässer Küfer"));
    BOOST_TEST(!is_fine("Fässer Küfe"));
    BOOST_TEST(is_fine("      dark oak       "));
    BOOST_TEST(is_fine(std::string("\x01\x02 zero \x00 bytes", 15)));
    BOOST_TEST(is_fine("🛢🪵🔨🛢🪵🔨🛢🪵🔨🛢🪵🔨"));
    BOOST_TEST(is_fine(std::string(64, 'x') + "q"));
    BOOST_TEST(is_fine(std::string(250, 'x') + "q4-z;w"));
    BOOST_TEST(!is_fine(std::string(257, 'y')));
}

BOOST_AUTO_TEST_CASE(common_ones_are_refused_with_little_around_them) {
    BOOST_TEST(!is_fine("1qaz2wsx3edc"));
    BOOST_TEST(!is_fine("Password123", 8));
    BOOST_TEST(!is_fine("Password2026", 8));
    BOOST_TEST(!is_fine("!password!12", 12));
    BOOST_TEST(is_fine("password of mine for barrels"));
}

BOOST_AUTO_TEST_CASE(names_alone_are_no_password) {
    BOOST_TEST(!is_fine("hildegard2026"));
    BOOST_TEST(!is_fine("Cooperage-2026"));
    BOOST_TEST(!is_fine("hildegard@barrelworks"));
    BOOST_TEST(!is_fine("cooperagecooperage"));
    BOOST_TEST(is_fine("hildegard rows upstream"));
}

BOOST_AUTO_TEST_CASE(a_name_of_two_letters_is_no_reason) {
    BOOST_TEST(problems_with_password(Secret("al al al al al"), 12, {.tenant = "al", .user = "al"})
                   .empty());
}

BOOST_AUTO_TEST_SUITE_END()
