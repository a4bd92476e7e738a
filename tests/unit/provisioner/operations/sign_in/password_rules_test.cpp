#include "provisioner/operations/sign_in/password_rules.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/identity/common_passwords/password_list.hpp"
#include "provisioner/operations/sign_in/rules.hpp"

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

BOOST_AUTO_TEST_CASE(a_list_of_the_operator_is_refused_like_the_one_that_is_built_in) {
    using provisioner::identity::PasswordList;
    const std::string breached = "Adze, Croze and Scorp";
    BOOST_TEST(is_fine(breached));
    BOOST_TEST(is_fine("a plain sentence"));

    provisioner::identity::use_password_list(
        PasswordList("adze, croze and SCORP\r\n\na plain sentence"));

    BOOST_TEST(provisioner::identity::password_list().size() == 2U);
    BOOST_TEST(!is_fine(breached));
    BOOST_TEST(!is_fine("a plain sentence!!"));
    BOOST_TEST(!is_fine("1qaz2wsx3edc"));
    BOOST_TEST(is_fine("another plain sentence"));
    provisioner::identity::use_password_list({});
    BOOST_TEST(is_fine(breached));
}

BOOST_AUTO_TEST_CASE(a_list_that_cannot_be_used_is_said_with_its_setting) {
    using provisioner::base::Config;
    const auto reason = [](const std::string& text) -> std::string {
        try {
            provisioner::operations::password_list_of(Config::parse(text));
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "";
    };
    BOOST_TEST(reason("") == "");
    BOOST_TEST(reason("auth.password_list_file = /nowhere/at/all\n") ==
               "auth.password_list_file: the list of passwords /nowhere/at/all cannot be read");
    BOOST_TEST(reason("auth.password_list_file = /dev/null\n") ==
               "auth.password_list_file: the list of passwords /dev/null has no password");
    BOOST_TEST(reason("auth.password_list_file = /dev/zero\n") ==
               "auth.password_list_file: the list of passwords /dev/zero is larger than 64 MiB");
}

BOOST_AUTO_TEST_SUITE_END()
