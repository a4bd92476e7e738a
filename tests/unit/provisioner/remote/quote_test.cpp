#include "provisioner/remote/quote.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>

using provisioner::remote::quote;

BOOST_AUTO_TEST_CASE(a_plain_word_stays_as_it_is) {
    for (const char* word : {"a", "/var/cache/x-1_2.json", "user@host:22", "50%", "a,b+c"}) {
        BOOST_TEST(quote(word) == word);
    }
}

BOOST_AUTO_TEST_CASE(an_empty_word_is_still_a_word) {
    BOOST_TEST(quote("") == "''");
}

BOOST_AUTO_TEST_CASE(whatever_a_shell_would_read_is_put_in_single_quotes) {
    for (const char* word :
         {"a b", "$HOME", "`id`", "a;b", "a&b", "a|b", "*", "?",  "[a]",  "#a", "~",          "a=b",
          "\"",  "\\",    "(",    "{a}", "!",   "<",   ">", "\t", "a\nb", "^",  "caf\xc3\xa9"}) {
        BOOST_TEST(quote(word) == "'" + std::string(word) + "'");
    }
}

BOOST_AUTO_TEST_CASE(a_single_quote_leaves_the_quotes_and_comes_back) {
    BOOST_TEST(quote("it's") == R"('it'\''s')");
    BOOST_TEST(quote("'") == R"(''\''')");
}

BOOST_AUTO_TEST_CASE(a_zero_byte_is_refused) {
    BOOST_CHECK_THROW(quote(std::string_view("a\0b", 3)), std::invalid_argument);
}
