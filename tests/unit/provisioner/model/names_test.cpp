#include "provisioner/model/names.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace provisioner::model;

BOOST_AUTO_TEST_CASE(letters_digits_underscores_dots_and_hyphens_make_a_name) {
    BOOST_TEST(!problem_with_name("a").has_value());
    BOOST_TEST(!problem_with_name("Hadoop_2.0-beta").has_value());
    BOOST_TEST(!problem_with_name(std::string(255, 'x')).has_value());
}

BOOST_AUTO_TEST_CASE(an_empty_name_or_another_character_is_refused_in_the_contracts_words) {
    const std::string reason =
        "invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-].";

    for (const char* name : {"", " ", "a b", "a/b", "caf\xc3\xa9", "a\n"}) {
        BOOST_TEST(problem_with_name(name).value_or("none") == reason);
    }
}

BOOST_AUTO_TEST_CASE(a_new_name_means_nothing_to_a_shell_or_a_folder) {
    const std::string reason = "invalid name. Name must not begin with a hyphen or a dot.";

    for (const char* name : {"..", ".", ".ssh", "-rf", "-", "..."}) {
        BOOST_TEST(problem_with_new_name(name).value_or("none") == reason);
        BOOST_TEST(!problem_with_name(name).has_value());
    }
    for (const char* name : {"a..", "a-", "_x", "2.0", "Hadoop_2.0-beta"}) {
        BOOST_TEST(!problem_with_new_name(name).has_value());
    }
    BOOST_TEST(problem_with_new_name("a/b").has_value());
}

BOOST_AUTO_TEST_CASE(a_name_of_256_characters_is_too_long) {
    BOOST_TEST(problem_with_name(std::string(256, 'x')).value_or("none") ==
               "name must not exceed 255 characters.");
}

BOOST_AUTO_TEST_CASE(a_dns_suffix_is_made_of_labels) {
    for (const char* suffix : {"local", "example.com", "dev.company.com", "a-b.C9", "-a.b"}) {
        BOOST_TEST(is_dns_suffix(suffix), suffix);
    }
    for (const char* suffix : {"", ".x.org", "x.", "a..b", "a-.b", "a_b", "a b", "."}) {
        BOOST_TEST(!is_dns_suffix(suffix), suffix);
    }
}

BOOST_AUTO_TEST_CASE(a_label_holds_63_characters_and_a_suffix_191) {
    const std::string label(63, 'a');

    BOOST_TEST(is_dns_suffix(label));
    BOOST_TEST(!is_dns_suffix(label + "a"));
    BOOST_TEST(is_dns_suffix(label + "." + label + "." + label));
    BOOST_TEST(!is_dns_suffix(label + "." + label + "." + label + "." + "a"));
}

BOOST_AUTO_TEST_CASE(a_hostname_is_the_clusters_name_and_both_numbers) {
    BOOST_TEST(hostname("123i.am-a_clusTer", 1, 1002, "") == "i-am-a-cluster1-1002.local");
    BOOST_TEST(hostname("c1", 1, 1000, "example.com") == "c11-1000.example.com");
}

BOOST_AUTO_TEST_CASE(a_long_cluster_name_is_cut_so_that_the_first_label_has_63_characters) {
    const std::string head(55, 'a');

    const std::string host = hostname(head + "bcde", 123, 1002, "dev.company.com");

    BOOST_TEST(host == head + "123-1002.dev.company.com");
    BOOST_TEST(host.find('.') == 63U);
}

BOOST_AUTO_TEST_CASE(one_leading_dot_of_the_suffix_is_tolerated) {
    BOOST_TEST(hostname("web", 7, 1001, ".x.org") == "web7-1001.x.org");
}

BOOST_AUTO_TEST_CASE(a_hostname_never_begins_with_a_hyphen) {
    BOOST_TEST(hostname("2024.web", 7, 1001, "") == "web7-1001.local");
    BOOST_TEST(hostname("_x", 7, 1001, "") == "x7-1001.local");
    BOOST_TEST(hostname("2024", 7, 1001, "") == "7-1001.local");
}
