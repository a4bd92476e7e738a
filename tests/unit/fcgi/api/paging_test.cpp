#include "fcgi/api/paging.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;

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
    return std::to_string(page->limit) + " after " + std::to_string(page->after);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(paging)

BOOST_AUTO_TEST_CASE(limit_and_cursor_are_numbers_in_their_range) {
    BOOST_TEST(read("") == "0 after 0");
    BOOST_TEST(read("limit=50") == "50 after 0");
    BOOST_TEST(read("cursor=00000123&limit=1000") == "1000 after 123");
    for (const auto* wrong : {"limit=0", "limit=1001", "limit=-1", "limit=many", "limit="}) {
        BOOST_TEST(read(wrong) == "limit must be a number from 1 to 1000", wrong);
    }
    for (const auto* wrong : {"cursor=0", "cursor=x", "cursor=-3"}) {
        BOOST_TEST(read(wrong) == "cursor must come from the Link header of a list", wrong);
    }
}

BOOST_AUTO_TEST_CASE(the_next_page_is_the_same_request_with_another_cursor) {
    BOOST_TEST(api::next_link(asking("limit=2&cursor=00000009&status=active"), "00000007") ==
               "</v2/clusters?limit=2&status=active&cursor=00000007>; rel=\"next\"");
}

BOOST_AUTO_TEST_SUITE_END()
