#include "fcgi/pages/tenants/viewing.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(viewing)

namespace {

std::string way_back_from(const std::string& page, const std::string& prefix = "") {
    fcgi::http::Request request;
    request.prefix = prefix;
    request.headers = {{"host", "site.example:8080"}, {"referer", page}};
    return fcgi::pages::came_from(request);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_view_leads_back_to_the_list_it_began_on_with_its_filters) {
    BOOST_TEST(way_back_from("http://site.example:8080/clusters?tenants=all&q=a%20b") ==
               "/clusters?tenants=all&q=a%20b");
    BOOST_TEST(way_back_from("https://site.example:8080/cooperage/", "/cooperage") == "/");
    BOOST_TEST(way_back_from("https://site.example:8080/cooperage/queues", "/cooperage") ==
               "/queues");
}

BOOST_AUTO_TEST_CASE(a_view_leads_back_to_no_other_site) {
    for (const char* page :
         {"", "/clusters", "http://other.example/clusters", "http://site.example:8080.evil/x",
          "http://site.example:8080", "http://site.example:8080//evil.example/x",
          "http://site.example:8080/login?next=/", "http://site.example:8080/\\evil.example"}) {
        BOOST_TEST(way_back_from(page) == "", page);
    }
    BOOST_TEST(way_back_from("http://site.example:8080/queues", "/cooperage") == "");
}

BOOST_AUTO_TEST_SUITE_END()
