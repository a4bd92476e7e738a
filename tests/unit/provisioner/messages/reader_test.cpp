#include "provisioner/messages/reader.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <thread>
#include <vector>

using namespace provisioner::messages;

BOOST_AUTO_TEST_SUITE(reader)

namespace {

const std::vector<std::string> offered{"de", "pt-BR", "zh-Hant"};

}  // namespace

BOOST_AUTO_TEST_CASE(the_language_that_is_wanted_most_is_taken) {
    BOOST_TEST(wanted_language("de", offered) == "de");
    BOOST_TEST(wanted_language("fr, de;q=0.4, pt-br;q=0.8", offered) == "pt-BR");
    BOOST_TEST(wanted_language("de;q=0.2,en;q=0.5", offered) == "");
}

BOOST_AUTO_TEST_CASE(a_more_general_language_serves_a_wish_for_a_special_one) {
    BOOST_TEST(wanted_language("de-AT", offered) == "de");
    BOOST_TEST(wanted_language("zh-Hant-TW", offered) == "zh-Hant");
    BOOST_TEST(wanted_language("en-GB, de", offered) == "");
    BOOST_TEST(wanted_language("pt", offered) == "");
}

BOOST_AUTO_TEST_CASE(what_is_no_wish_gives_english) {
    for (const std::string header :
         {"", "*", ",,,", ";q=1", "de;q=0", "de;q=2", "de;q=x", "de;level=1", "de-"}) {
        const std::string expected = header == "de-" ? "de" : "";
        BOOST_TEST(wanted_language(header, offered) == expected, header);
    }
    BOOST_TEST(wanted_language("de", {}) == "");
    BOOST_TEST(wanted_language(std::string(100000, ',') + "de", offered) == "");
}

BOOST_AUTO_TEST_CASE(a_reader_is_one_threads_and_ends) {
    const Messages german("de", {});
    {
        const Reader reader(&german);
        BOOST_TEST(messages_of_reader() == &german);
        const Messages* elsewhere = &german;
        std::thread([&] { elsewhere = messages_of_reader(); }).join();
        BOOST_TEST(elsewhere == nullptr);
    }
    BOOST_TEST(messages_of_reader() == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
