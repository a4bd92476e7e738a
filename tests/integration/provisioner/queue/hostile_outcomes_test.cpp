#include <boost/test/unit_test.hpp>

#include <random>
#include <sstream>

#include "provisioner/daemon/claims/reporter.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using base::Json;
using Site = tests::ClusterSite;

BOOST_AUTO_TEST_SUITE(hostile_outcomes)

namespace {

/// What nodes and providers can put into an outcome: anything.
class Hostile {
 public:
    explicit Hostile(unsigned seed) : random_(seed) {}

    queue::Outcome outcome(bool may_be_tried_again) {
        switch (random_() % 4) {
            case 0:
                return queue::Waiting{.poll_in = 0ms,
                                      .reason = bytes(),
                                      .output_starts_over = random_() % 2 == 0,
                                      .outage = static_cast<queue::Outage>(random_() % 3)};
            case 1: {
                queue::Failed failed;
                failed.message = bytes();
                failed.status_code = static_cast<int>(random_());
                failed.stdout_tail = bytes();
                failed.stderr_tail = bytes();
                if (may_be_tried_again) failed.retry_in = 0ms;
                return failed;
            }
            default: {
                queue::Succeeded succeeded;
                succeeded.facts = random_() % 4 == 0 ? json(random_() % 60) : Json::object();
                if (succeeded.facts.is_object()) succeeded.facts[bytes()] = json(random_() % 60);
                succeeded.addresses = {{bytes(), bytes()}};
                succeeded.hostname = bytes();
                return succeeded;
            }
        }
    }

    std::string bytes() {
        static constexpr std::array sizes{0U, 1U, 10U, 300U, 5000U, 200'000U};
        std::string text(sizes[random_() % sizes.size()], '\0');
        const bool any = random_() % 2 == 0;
        for (char& c : text) c = static_cast<char>(any ? random_() : 'a' + random_() % 26);
        return text;
    }

 private:
    Json json(unsigned depth) {
        Json json = random_() % 2 == 0 ? Json(bytes()) : Json(random_());
        for (unsigned i = 0; i < depth; ++i) {
            json = random_() % 2 == 0 ? Json::array({json}) : Json{{bytes().substr(0, 20), json}};
        }
        return json;
    }

    std::mt19937 random_;
};

/// Ends everything that is claimed as `hostile` says until the cluster's job has ended; how many
/// turns that took, or nothing when it did not end.
std::optional<int> turns_to_the_end(Site& site, Hostile& hostile, std::ostream& lines) {
    const base::SystemClock clock;
    const base::Log log(lines, clock);
    daemon::InFlightClaims in_flight;
    daemon::Reporter reporter(std::make_unique<queue::MysqlTaskQueue>(site.fresh.config), in_flight,
                              log, [] {});
    for (int turns = 0; turns < 2000;) {
        if (site.summary().status != model::ClusterStatus::pending) return turns;
        const auto claims = site.claim();
        in_flight.add(claims, {});
        for (const queue::Claim& claim : claims) {
            reporter.output(claim, "out", hostile.bytes());
            reporter.finished(claim, hostile.outcome(claim.tries() < 3));
            ++turns;
        }
        reporter.flush(10s);
    }
    return std::nullopt;
}

}  // namespace

BOOST_AUTO_TEST_CASE(whatever_nodes_and_providers_say_every_job_ends) {
    int ended = 0;
    int turns = 0;
    for (unsigned seed = 1; seed <= 25; ++seed) {
        BOOST_TEST_CONTEXT("seed " << seed) {
            Site site;
            Hostile hostile(seed);
            std::ostringstream lines;

            const auto needed = turns_to_the_end(site, hostile, lines);

            BOOST_TEST(needed.has_value());
            for (const model::Task& task : site.tasks()) {
                BOOST_TEST((task.state != model::TaskState::claimed));
            }
            BOOST_TEST(lines.str().find("task.unstorable") == std::string::npos, lines.str());
            turns += needed.value_or(0);
            ++ended;
        }
    }
    BOOST_TEST_MESSAGE(ended << " jobs ended after " << turns << " hostile turns");
}

BOOST_AUTO_TEST_SUITE_END()
