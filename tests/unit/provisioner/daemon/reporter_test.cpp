#include "provisioner/daemon/reporter.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <sstream>

using namespace provisioner;
using namespace std::chrono_literals;

namespace {

/// What a queue was told, seen from outside the reporter's thread.
struct Told {
    std::mutex mutex;
    std::vector<std::size_t> batches;
    std::set<std::int64_t> tasks;
    std::set<std::int64_t> printed;
    bool output_came_late = false;
};

/// A queue that only listens.
class ListeningQueue final : public queue::TaskQueue {
 public:
    explicit ListeningQueue(Told& told) : told_(told) {}

    int finish(const std::vector<queue::Finished>& finished,
               const std::vector<queue::Output>& output) override {
        const std::lock_guard lock(told_.mutex);
        for (const queue::Output& piece : output) told_.printed.insert(piece.claim.task.value);
        for (const queue::Finished& one : finished) {
            told_.tasks.insert(one.claim.task.value);
            if (!told_.printed.contains(one.claim.task.value)) told_.output_came_late = true;
        }
        if (!finished.empty()) told_.batches.push_back(finished.size());
        return 0;
    }

    std::vector<queue::Claim> claim_except(const std::set<model::TenantId>&, const std::string&,
                                           int, std::chrono::seconds) override {
        return {};
    }
    std::optional<std::chrono::milliseconds> next_due() override { return std::nullopt; }
    int renew(const std::vector<queue::Claim>&, std::chrono::seconds) override { return 0; }
    int rescue(const std::string&, const std::string&) override { return 0; }
    void heartbeat(const std::string&, int, int, int) override {}
    void prune() override {}

 private:
    Told& told_;
};

queue::Claim a_claim(std::int64_t task) {
    queue::Claim claim;
    claim.task = model::TaskId{task};
    claim.fence = 1;
    return claim;
}

/// Ends so many tasks, each of which has printed something, and waits until all is told.
void end_tasks(Told& told, int count) {
    std::ostringstream printed;
    const base::SystemClock clock;
    const base::Log log(printed, clock);
    daemon::Hand hand;
    std::vector<queue::Claim> claims;
    for (int i = 1; i <= count; ++i) claims.push_back(a_claim(i));
    hand.add(claims);
    {
        daemon::Reporter reporter(std::make_unique<ListeningQueue>(told), hand, log, [] {});
        for (const queue::Claim& claim : claims) {
            reporter.output(claim, "out", "hello\n");
            reporter.finished(claim, queue::Succeeded{});
        }
        reporter.flush(5s);
    }
    BOOST_TEST(hand.size() == 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(however_many_tasks_end_at_once_no_batch_is_larger_than_500) {
    Told told;

    end_tasks(told, 1700);

    BOOST_TEST(told.tasks.size() == 1700U);
    BOOST_TEST(!told.output_came_late);
    for (const std::size_t batch : told.batches) BOOST_TEST(batch <= 500U);
}
