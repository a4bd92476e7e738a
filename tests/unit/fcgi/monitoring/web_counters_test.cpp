#include "fcgi/monitoring/web_counters.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "fcgi/routes.hpp"
#include "provisioner/metrics/exposition.hpp"

using namespace fcgi::monitoring;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(web_counters)

namespace {

constexpr std::size_t no_route = static_cast<std::size_t>(-1);

bool has(const WebCounters& counters, const std::string& line) {
    return provisioner::metrics::to_text(counters.families()).find('\n' + line + '\n') !=
           std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_route_belongs_to_the_class_of_its_noun) {
    BOOST_TEST(class_of("/v2/clusters/{id}/status") == "api/clusters");
    BOOST_TEST(class_of("/v2/clusters") == "api/clusters");
    BOOST_TEST(class_of("/status") == "api/status");
    BOOST_TEST(class_of("/clusters/{id}") == "page/clusters");
    BOOST_TEST(class_of("/") == "page/home");
    for (const char* path : {"/healthz", "/readyz", "/metrics"}) {
        BOOST_TEST(class_of(path) == "monitoring", path);
    }
}

BOOST_AUTO_TEST_CASE(the_site_has_few_classes_and_none_with_a_placeholder) {
    std::set<std::string> classes;
    for (const fcgi::Route& route : fcgi::routes()) classes.insert(class_of(route.pattern));

    BOOST_TEST(classes.size() > 10U);
    BOOST_TEST(classes.size() < 70U);
    for (const std::string& name : classes) {
        BOOST_TEST(name.find('{') == std::string::npos, name);
    }
}

BOOST_AUTO_TEST_CASE(requests_count_by_class_method_and_status_whatever_is_asked) {
    WebCounters counters({"/v2/clusters", "/v2/clusters/{id}", "/clusters"});

    counters.answered(0, "POST", 202, 3ms);
    counters.answered(1, "POST", 503, 3s);
    counters.answered(2, "BREW", 200, 3ms);
    counters.answered(no_route, "GET", 404, 1ms);

    BOOST_TEST(
        has(counters,
            R"(cooperage_http_requests_total{class="api/clusters",method="POST",code="2xx"} 1)"));
    BOOST_TEST(
        has(counters,
            R"(cooperage_http_requests_total{class="api/clusters",method="POST",code="4xx"} 0)"));
    BOOST_TEST(
        has(counters,
            R"(cooperage_http_requests_total{class="api/clusters",method="POST",code="5xx"} 1)"));
    BOOST_TEST(
        has(counters,
            R"(cooperage_http_requests_total{class="page/clusters",method="other",code="2xx"} 1)"));
    BOOST_TEST(
        has(counters, R"(cooperage_http_requests_total{class="none",method="GET",code="4xx"} 1)"));
    BOOST_TEST(has(counters,
                   R"(cooperage_http_request_duration_seconds_bucket{area="api",le="0.005"} 1)"));
    BOOST_TEST(has(counters, R"(cooperage_http_request_duration_seconds_count{area="api"} 2)"));
    BOOST_TEST(has(counters, R"(cooperage_http_request_duration_seconds_count{area="none"} 1)"));
}

BOOST_AUTO_TEST_CASE(threads_are_busy_while_they_have_a_request) {
    WebCounters counters({});
    const provisioner::metrics::Level::One one(counters.busy);

    BOOST_TEST(has(counters, "cooperage_web_threads_busy 1"));
}

BOOST_AUTO_TEST_SUITE_END()
