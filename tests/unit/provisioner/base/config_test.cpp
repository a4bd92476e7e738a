#include "provisioner/base/config.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>

using provisioner::base::Config;

namespace {

/// The text of the exception `call` throws; "none" when it does not.
template <class Call>
std::string thrown_by(Call call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "none";
}

}  // namespace

BOOST_AUTO_TEST_CASE(lines_are_names_and_values_without_the_blanks_around_them) {
    const Config config = Config::parse("# comment\n\n  a = 1 \r\nb=x = y\n\tc =\n  # d = 4\n");

    BOOST_TEST(config.get("a") == "1");
    BOOST_TEST(config.get("b") == "x = y");
    BOOST_TEST(config.get("c") == "");
    BOOST_TEST(config.get_or("d", "none") == "none");
}

BOOST_AUTO_TEST_CASE(the_last_of_two_lines_of_one_name_counts) {
    BOOST_TEST(Config::parse("a = 1\na = 2").get("a") == "2");
}

BOOST_AUTO_TEST_CASE(a_line_that_is_no_setting_is_named) {
    BOOST_TEST(thrown_by([] { Config::parse("a = 1\n\nnonsense\n"); }) ==
               "line 3 is not `name = value`");
    BOOST_TEST(thrown_by([] { Config::parse("= 1"); }) == "line 1 is not `name = value`");
}

BOOST_AUTO_TEST_CASE(a_missing_setting_is_named) {
    const Config config = Config::parse("");

    BOOST_TEST(thrown_by([&] { config.get("socket"); }) == "the configuration lacks socket");
}

BOOST_AUTO_TEST_CASE(a_number_is_whole_and_not_negative) {
    const Config config = Config::parse("n = 8\nword = eight\nminus = -8\nhalf = 8.5");

    BOOST_TEST(config.number_or("n", 1) == 8);
    BOOST_TEST(config.number_or("absent", 1) == 1);
    for (const std::string name : {"word", "minus", "half"}) {
        BOOST_TEST(thrown_by([&] { config.number_or(name, 1); }) ==
                   name + " must be a whole number >= 0");
    }
}
