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

BOOST_AUTO_TEST_CASE(a_list_that_is_written_is_answered_like_one_that_is_kept) {
    const Json all = Json::parse(R"([{"id":"a b"},{"id":"c"},{"id":"d"}])");
    for (const std::string query : {"", "limit=1", "limit=2", "limit=3", "limit=2&cursor=a%20b",
                                    "cursor=c", "cursor=d&limit=1", "limit=1&cursor=gone"}) {
        const auto request = asking(query);
        api::WrittenList list(request, api::page_in(request).value());
        for (const Json& entry : all) {
            list.add(entry.at("id").get<std::string>(), [&] { return entry; });
        }

        const auto written = std::move(list).answer();

        const auto kept = api::listed(request, all, "id");
        BOOST_TEST(written.status == kept.status, query);
        BOOST_TEST(written.body == kept.body, query);
        BOOST_TEST((written.headers == kept.headers), query);
    }
}

BOOST_AUTO_TEST_CASE(a_list_makes_the_entries_of_its_page_alone_and_is_not_endless) {
    const auto made = [](const std::string& query, std::size_t largest) {
        const auto request = asking(query);
        api::WrittenList list(request, api::page_in(request).value(), largest);
        int count = 0;
        for (int i = 0; i < 100; ++i) {
            list.add(std::to_string(i), [&] { return Json(++count); });
        }
        return std::to_string(count) + ' ' + std::to_string(std::move(list).answer().status);
    };

    BOOST_TEST(made("", 1000) == "100 200");
    BOOST_TEST(made("limit=2&cursor=50", 1000) == "2 200");
    // "1,2,3,4,5," has ten bytes.
    BOOST_TEST(made("", 10) == "6 400");
    BOOST_TEST(made("limit=5", 10) == "5 200");
}

BOOST_AUTO_TEST_CASE(eight_lists_at_once_are_little_of_the_memory_of_the_web) {
    // fcgi/package/cooperage-web.service allows ten times that.
    BOOST_TEST(api::WrittenList::largest_list <= std::size_t{64} * 1024 * 1024);
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
