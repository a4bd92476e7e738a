#include "provisioner/daemon/upkeep/audit_keeping.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "provisioner/store/audit/audit_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(audit_keeping)

namespace {

struct SettingsSite {
    void start(const std::string& settings) {
        daemon::note_settings(base::Config::parse(settings), "host:lock", fresh.database, log);
    }

    std::vector<model::audit::Event> events() {
        return fresh.database.read([](store::Connection& connection) {
            return store::list_events(connection, {.action = "settings.change"}, 0, 10);
        });
    }

    tests::FreshDatabase fresh;
    base::SystemClock clock;
    std::ostringstream logged;
    base::Log log{logged, clock};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(settings_are_recorded_when_they_change_and_their_secrets_never,
                        SettingsSite) {
    start(
        "http.proxy = http://ann:hunt@er2@proxy.example:3128\n"
        "audit.webhook = https://hook.example/a?token=hunter2\n"
        "callback.secret = hunter2\nqueue.workers = 4\n");
    start(
        "http.proxy = http://ann:other@proxy.example:3128\n"
        "audit.webhook = https://hook.example/a?token=other\n"
        "callback.secret = other\nqueue.workers = 4\n");

    const auto first = events();
    BOOST_TEST_REQUIRE(first.size() == 1U);
    const std::string& after = first.front().after;
    BOOST_TEST(after.find("http://***@proxy.example:3128") != std::string::npos, after);
    BOOST_TEST(after.find("https://hook.example/a?***") != std::string::npos, after);
    BOOST_TEST(after.find("hunt") == std::string::npos, after);
    BOOST_TEST(after.find("er2") == std::string::npos, after);
    BOOST_TEST(after.find(R"("queue.workers":"4")") != std::string::npos, after);

    start("queue.workers = 5\n");
    BOOST_TEST(events().size() == 2U);
    BOOST_TEST(logged.str() == "");
}

BOOST_AUTO_TEST_SUITE_END()
