#include "provisioner/base/failure_log.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(failure_log)

namespace {

class StoppedClock final : public base::Clock {
 public:
    base::Timestamp now() const override { return {}; }
};

struct Failing {
    /// What was logged since the last call, without the moment.
    std::string said() {
        std::string text = out.str();
        out.str("");
        return text.empty() ? "" : text.substr(text.find(' ') + 1);
    }

    std::ostringstream out;
    StoppedClock clock;
    base::Log log{out, clock};
    base::FailureLog failures{log, "claim.failed", "claim.works_again"};
    base::FailureLog::Moment start{1h};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_long_outage_is_one_line_a_minute_and_one_at_its_end, Failing) {
    failures.failed("gone", start);
    BOOST_TEST(said() == "warn claim.failed failures=1 error=gone\n");
    failures.failed("gone", start + 500ms);
    failures.failed("gone", start + 59s);
    BOOST_TEST(said().empty());
    failures.failed("still gone", start + 60s);
    BOOST_TEST(said() == "warn claim.failed failures=4 error=\"still gone\"\n");
    failures.worked(start + 65s);
    BOOST_TEST(said() == "info claim.works_again failures=4 seconds=65\n");
}

BOOST_FIXTURE_TEST_CASE(what_works_is_not_logged_and_the_next_outage_begins_anew, Failing) {
    failures.worked(start);
    BOOST_TEST(said().empty());
    failures.failed("gone", start);
    failures.worked(start + 1s);
    said();

    failures.failed("gone again", start + 2s);
    BOOST_TEST(said() == "warn claim.failed failures=1 error=\"gone again\"\n");
}

BOOST_FIXTURE_TEST_CASE(what_fails_beside_others_says_which_it_is, Failing) {
    base::FailureLog duty(log, "duty.failed", "duty.works_again", base::LogField{"duty", "prune"});

    duty.failed("gone", start);
    BOOST_TEST(said() == "warn duty.failed duty=prune failures=1 error=gone\n");
    duty.worked(start + 2s);
    BOOST_TEST(said() == "info duty.works_again duty=prune failures=1 seconds=2\n");
}

BOOST_AUTO_TEST_SUITE_END()
