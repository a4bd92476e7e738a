#include "fcgi/request_log.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

using namespace fcgi;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(request_log)

namespace {

class StoppedClock final : public provisioner::base::Clock {
 public:
    provisioner::base::Timestamp now() const override { return {}; }
};

struct Logged {
    std::string line(const Route* taken, const std::string& method, int status,
                     std::chrono::nanoseconds took) {
        std::ostringstream out;
        const StoppedClock clock;
        const provisioner::base::Log log(out, clock);
        http::Request request;
        request.method = method;
        request.path = "/v2/clusters\nx";
        request.id = "4cdd7f8c";
        request.asked_by = "demo/ann";
        request.client = "::1";
        log_end(log, request, taken, status, took);
        const std::string text = out.str();
        return text.empty() ? "" : text.substr(text.find(' ') + 1);
    }

    Route route{.method = "POST", .pattern = "/v2/clusters"};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_change_is_logged_with_who_made_it, Logged) {
    BOOST_TEST(line(&route, "POST", 200, 12ms) ==
               "info request.changed request=4cdd7f8c method=POST path=\"/v2/clusters\\nx\" "
               "status=200 by=demo/ann client=::1 ms=12\n");
}

BOOST_FIXTURE_TEST_CASE(reads_and_refusals_are_not_logged, Logged) {
    Route preview = route;
    preview.only_reads = true;

    BOOST_TEST(line(&route, "GET", 200, 999ms).empty());
    BOOST_TEST(line(&route, "POST", 409, 12ms).empty());
    BOOST_TEST(line(&preview, "POST", 200, 12ms).empty());
    BOOST_TEST(line(nullptr, "POST", 200, 12s).empty());
    Route health = route;
    health.is_anonymous = true;
    BOOST_TEST(line(&health, "GET", 503, 2s).empty());
}

BOOST_FIXTURE_TEST_CASE(what_takes_more_than_a_second_is_logged_unless_it_is_an_upload, Logged) {
    Route upload = route;
    upload.streams_body = true;

    BOOST_TEST(line(&route, "GET", 503, 1001ms) ==
               "warn request.slow request=4cdd7f8c method=GET path=\"/v2/clusters\\nx\" "
               "status=503 by=demo/ann client=::1 ms=1001\n");
    BOOST_TEST(line(&upload, "POST", 200, 60s).find("request.slow") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
