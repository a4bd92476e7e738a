#include "fcgi/routes.hpp"

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>

#include "fcgi/http/router.hpp"

using namespace fcgi;

BOOST_AUTO_TEST_SUITE(routes_of_the_site)

namespace {

/// Placeholders for what people give names to.
bool is_for_a_name(const std::string& segment) {
    constexpr std::array names{"{tenant}", "{user}",    "{group}",        "{name}",
                               "{plugin}", "{service}", "{resourcetype}", "{provider}"};
    return std::ranges::count(names, segment) > 0;
}

/// "tenant new": the name whose entry the route hides, because the router prefers words.
std::string hidden_by(const Route& route, const Route& other) {
    const auto words = http::path_segments(route.pattern).value();
    const auto places = http::path_segments(other.pattern).value();
    if (route.method != other.method || words.size() != places.size()) return "";
    std::string hidden;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == places[i] || (is_for_a_name(words[i]) && is_for_a_name(places[i]))) {
            continue;
        }
        if (!is_for_a_name(places[i])) return "";
        hidden += other.pattern + ": " + words[i] + ' ';
    }
    return hidden;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_entry_is_hidden_by_a_word_of_an_address) {
    for (const Route& route : routes()) {
        for (const Route& other : routes()) {
            BOOST_TEST(hidden_by(route, other) == "", route.method << ' ' << route.pattern);
        }
    }
    const Route form{.method = "GET", .pattern = "/tenants/new"};
    const Route page{.method = "GET", .pattern = "/tenants/{tenant}"};
    BOOST_TEST(hidden_by(form, page) == "/tenants/{tenant}: new ");
}

BOOST_AUTO_TEST_SUITE_END()
