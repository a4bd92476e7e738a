#include "fcgi/api/paging.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using provisioner::base::Json;

BOOST_AUTO_TEST_SUITE(paging)

namespace {

http::Request asking(const std::string& query) {
    http::Request request;
    request.path = "/v2/clusters";
    request.query = query;
    return request;
}

std::string read(const std::string& query) {
    const auto page = api::page_in(asking(query));
    if (!page) return page.error();
    return std::to_string(page->limit) + " after " + page->after;
}

std::string link_of(const http::Response& response) {
    for (const auto& [name, value] : response.headers) {
        if (name == "Link") return value;
    }
    return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_limit_is_a_number_in_its_range) {
    BOOST_TEST(read("") == "0 after ");
    BOOST_TEST(read("limit=50") == "50 after ");
    BOOST_TEST(read("cursor=00000123&limit=1000") == "1000 after 00000123");
    for (const auto* wrong : {"limit=0", "limit=1001", "limit=-1", "limit=many", "limit="}) {
        BOOST_TEST(read(wrong) == "limit must be a number from 1 to 1000", wrong);
    }
}

BOOST_AUTO_TEST_CASE(the_next_page_is_the_same_request_with_another_cursor) {
    BOOST_TEST(api::next_link(asking("limit=2&cursor=00000009&status=active"), "00000007") ==
               "</v2/clusters?limit=2&status=active&cursor=00000007>; rel=\"next\"");
}

BOOST_AUTO_TEST_CASE(a_list_is_given_in_parts_that_lead_to_one_another) {
    const Json all = Json::parse(R"([{"name":"a b"},{"name":"c"},{"name":"d"}])");

    const auto whole = api::listed(asking(""), all, "name");
    const auto first = api::listed(asking("limit=1"), all, "name");
    const auto rest = api::listed(asking("limit=2&cursor=a%20b"), all, "name");

    BOOST_TEST(whole.body == all.dump());
    BOOST_TEST(link_of(whole) == "");
    BOOST_TEST(first.body == R"([{"name":"a b"}])");
    BOOST_TEST(link_of(first) == "</v2/clusters?limit=1&cursor=a%20b>; rel=\"next\"");
    BOOST_TEST(rest.body == R"([{"name":"c"},{"name":"d"}])");
    BOOST_TEST(link_of(rest) == "");
    BOOST_TEST(api::listed(asking("cursor=d"), all, "name").body == "[]");
}

BOOST_AUTO_TEST_CASE(entries_may_be_known_by_numbers) {
    const Json all = Json::parse(R"([{"id":7},{"id":9}])");

    BOOST_TEST(api::listed(asking("cursor=7"), all, "id").body == R"([{"id":9}])");
}

BOOST_AUTO_TEST_CASE(a_cursor_that_leads_nowhere_is_told) {
    const auto answer = api::listed(asking("cursor=gone"), Json::array(), "name");

    BOOST_TEST(answer.status == 400);
    BOOST_TEST(answer.body == "cursor must come from the Link header of this list");
    BOOST_TEST(api::listed(asking("limit=no"), Json::array(), "name").status == 400);
}

BOOST_AUTO_TEST_SUITE_END()
