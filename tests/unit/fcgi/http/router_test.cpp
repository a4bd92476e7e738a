#include "fcgi/http/router.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::http;

BOOST_AUTO_TEST_SUITE(router)

namespace {

/// "7 id=x" for a route, "wanted GET POST" for a wrong method, or "none".
std::string said(const RouteMatch& match) {
    if (const auto* wrong = std::get_if<WrongMethod>(&match)) {
        std::string text = "wanted";
        for (const std::string& method : wrong->allowed) text += ' ' + method;
        return text;
    }
    const auto* found = std::get_if<RouteFound>(&match);
    if (found == nullptr) return "none";
    std::string text = std::to_string(found->route);
    for (const auto& [name, value] : found->path_values) text += ' ' + name + '=' + value;
    return text;
}

Router a_router() {
    Router router;
    router.add("GET", "/", 1);
    router.add("GET", "/clusters", 2);
    router.add("POST", "/clusters", 3);
    router.add("GET", "/clusters/new", 4);
    router.add("GET", "/clusters/{id}", 5);
    router.add("DELETE", "/clusters/{id}", 6);
    router.add("GET", "/clusters/{id}/plans/{job}", 7);
    router.add("GET", "/{kind}/all", 8);
    router.add("PUT", "/clusters/{id}/config", 9);
    return router;
}

struct Case {
    std::string method;
    std::string path;
    std::string match;
};

const std::vector<Case> cases{
    {"GET", "/", "1"},
    {"GET", "/clusters", "2"},
    {"POST", "/clusters", "3"},
    {"GET", "/clusters/", "2"},
    {"GET", "/clusters///", "2"},
    {"GET", "/clusters//new/", "4"},
    {"GET", "/clusters/7", "5 id=7"},
    {"DELETE", "/clusters/new", "6 id=new"},
    {"GET", "/clusters/7/plans/7-1", "7 id=7 job=7-1"},
    {"GET", "/clusters/all", "5 id=all"},
    {"GET", "/nodes/all", "8 kind=nodes"},
    {"GET", "/clusters/a%20b+c", "5 id=a b+c"},
    {"GET", "/clusters/a%2Fb", "5 id=a/b"},
    {"GET", "/%63lusters", "2"},
    {"PUT", "/clusters", "wanted GET POST"},
    {"HEAD", "/clusters", "wanted GET POST"},
    {"OPTIONS", "/clusters/7", "wanted DELETE GET"},
    {"OPTIONS", "/clusters/new", "wanted DELETE GET"},
    {"GET", "/clusters/7/config", "wanted PUT"},
    {"get", "/clusters", "wanted GET POST"},
    {"GET", "/Clusters", "none"},
    {"GET", "//clusters", "none"},
    {"GET", "//", "none"},
    {"GET", "", "none"},
    {"GET", "clusters", "none"},
    {"GET", "/clusters/7/plans", "none"},
    {"GET", "/clusters/7/plans/7-1/x", "none"},
    {"GET", "/clusters/%FF", "none"},
    {"GET", "/{id}", "none"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(paths_find_their_routes) {
    const Router router = a_router();

    for (const auto& [method, path, match] : cases) {
        BOOST_TEST(said(router.find(method, path)) == match, method + ' ' + path);
    }
}

BOOST_AUTO_TEST_CASE(two_routes_for_one_address_are_a_bug) {
    Router router = a_router();

    BOOST_CHECK_THROW(router.add("GET", "/clusters/", 10), std::logic_error);
    BOOST_CHECK_THROW(router.add("GET", "/clusters/{other}", 10), std::logic_error);
    BOOST_CHECK_THROW(router.add("GET", "clusters", 10), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_path_of_many_segments_is_only_unknown) {
    std::string path;
    for (int i = 0; i < 10'000; ++i) path += "/a";

    BOOST_TEST(said(a_router().find("GET", path)) == "none");
}

BOOST_AUTO_TEST_SUITE_END()
