#include "fcgi/pages/problem_words.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/form_field.hpp"

using fcgi::pages::problem_words;

BOOST_AUTO_TEST_SUITE(words_of_problems)

BOOST_AUTO_TEST_CASE(people_read_no_words_of_the_wire) {
    BOOST_TEST(
        problem_words("invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-].") ==
        "Enter a name of letters, digits, dots, hyphens and underscores only.");
    BOOST_TEST(problem_words("cluster name must be specified") == "Enter a name.");
    BOOST_TEST(problem_words("The limit of start must be from 1s to 1d: milliseconds, or such as "
                             "90s, 10m, 2h.") ==
               "Write a time from 1 second to 1 day, such as 90s, 10m or 2h.");
    BOOST_TEST(problem_words("name must not exceed 255 characters.") ==
               "The name is too long: it has at most 255 characters.");
    BOOST_TEST(problem_words("Initial lease duration cannot be more than max lease duration for "
                             "template web") ==
               "The lease must not be longer than the longest lease.");
    BOOST_TEST(problem_words("Size must be at least 3 but not greater than 10. Now it's 45") ==
               "That makes 45 machines; the template allows 3–10.");
    BOOST_TEST(
        problem_words("Size must be at least 2 but not greater than 2147483647. Now it's 1") ==
        "That makes 1 machine; the template allows 2 or more.");
}

BOOST_AUTO_TEST_CASE(large_counts_of_machines_have_their_comma) {
    BOOST_TEST(problem_words("The cluster has 1000 machines and needs at least 1200.") ==
               "The cluster has 1,000 machines and needs at least 1,200.");
    BOOST_TEST(problem_words("1000 machines were asked for.") == "1,000 machines were asked for.");
    BOOST_TEST(problem_words("The cluster has no machine 1003.") ==
               "The cluster has no machine 1003.");
    BOOST_TEST(problem_words("shop-1003 machine") == "shop-1003 machine.");
}

BOOST_AUTO_TEST_CASE(a_wrong_moment_is_told_with_what_to_write) {
    BOOST_TEST(problem_words("must be a moment in UTC like 2026-11-20 or 2026-11-20T23:28:00Z, or "
                             "milliseconds since 1970") ==
               "Write a date and time in UTC, such as 2026-11-29 14:00.");
}

BOOST_AUTO_TEST_CASE(flavors_without_a_price_are_not_named) {
    BOOST_TEST(
        problem_words("There is no price for flavor any of provider main (3 machines). A "
                      "tenant with a budget needs one. There is no price for flavor m9 of "
                      "provider aws in eu (1 machine). A tenant with a budget needs one. The "
                      "tenant's budget allows 1.00 USD per hour.") ==
        "These machines have no price, and the tenant's budget needs one. The tenant's "
        "budget allows 1.00 USD per hour.");
    BOOST_TEST(problem_words("There is no price for flavor a of provider b (2 machines).") ==
               "Some of the tenant's machines have no price: its budget leaves them out.");
}

BOOST_AUTO_TEST_CASE(a_circle_is_told_with_the_names_of_the_fields_that_make_it) {
    BOOST_TEST(problem_words("a needs b and b needs a: a circle of runtime dependencies leaves no "
                             "order to work in") ==
               "a needs b and b needs a: “Required to run” and “Starts after” make a circle, so "
               "none of them can be started first.");
    BOOST_TEST(problem_words("a needs b and b needs a: a circle of install dependencies leaves no "
                             "order to work in")
                   .find("“Required to install”") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_message_is_a_sentence) {
    BOOST_TEST(problem_words("must be an array of names") == "Must be an array of names.");
    BOOST_TEST(problem_words("Line 2, column 3: unexpected '}'.") ==
               "Line 2, column 3: unexpected '}'.");
    BOOST_TEST(problem_words("web needs at least 2 machines") == "web needs at least 2 machines.");
    BOOST_TEST(problem_words("budget.currency has to be three capital letters, such as USD.") ==
               "Enter three letters, such as USD.");
    BOOST_TEST(problem_words("budget.perHour has to be a decimal number with at most six decimals, "
                             "not -5.") ==
               "Enter an amount of 0 or more with at most six decimals, such as 2.50.");
    BOOST_TEST(problem_words("provider aws was deleted meanwhile.") ==
               "Provider aws was deleted meanwhile.");
    BOOST_TEST(problem_words("Is it there?") == "Is it there?");
    BOOST_TEST(problem_words("") == "");
}

BOOST_AUTO_TEST_CASE(what_an_identity_provider_lacks_is_asked_for_in_the_words_of_all_forms) {
    for (const char* message :
         {"Label is missing.", "Issuer is missing.", "Servers is missing.",
          "The client secret is missing.", "The password of the service account is missing."}) {
        BOOST_TEST(problem_words(message) == "Fill this in.", message);
    }
    BOOST_TEST(problem_words("Something else is missing.") == "Something else is missing.");
}

BOOST_AUTO_TEST_CASE(why_a_secret_is_asked_for_again_is_said_in_the_plural_of_its_field) {
    BOOST_TEST(
        problem_words("Enter it again: with another servers the stored one would go elsewhere.") ==
        "Enter it again: with other servers the stored one would go elsewhere.");
    BOOST_TEST(problem_words(
                   "Enter it again: with another authorities the stored one would go elsewhere.") ==
               "Enter it again: with other authorities the stored one would go elsewhere.");
}

BOOST_AUTO_TEST_CASE(the_list_and_the_field_say_the_same) {
    const provisioner::base::Problems problems{{"name", "cluster name must be specified"}};
    const auto list = fcgi::pages::problems_json("x", problems, {{"name", "input", "Name"}});

    BOOST_TEST(list.at("problems")[0].at("message") == "Enter a name.");
    BOOST_TEST(fcgi::pages::messages_for("name", problems) == "Enter a name.");
}

BOOST_AUTO_TEST_SUITE_END()
