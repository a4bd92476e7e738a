#include "provisioner/daemon/claims/reporter.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <sstream>

#include "provisioner/queue/mysql_task_queue.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using statements::ErrorKind;

BOOST_AUTO_TEST_SUITE(reporter)

namespace {

/// What a queue was told, seen from outside the reporter's thread.
struct Told {
    std::mutex mutex;
    std::vector<std::size_t> batches;
    std::set<std::int64_t> tasks;
    std::set<std::int64_t> printed;
    std::int64_t bytes = 0;
    std::string last;
    bool away = false;
    /// Its rows are held by somebody else.
    std::int64_t locked_job = 0;
    int times_locked = 0;
    /// Outcomes with this word in their message are refused.
    std::string refused_word;
    std::vector<std::string> messages;
    /// "<fence> <text>" of every piece.
    std::vector<std::string> pieces;
    bool output_came_late = false;
};

/// A queue that only listens.
class ListeningQueue final : public queue::TaskQueue {
 public:
    explicit ListeningQueue(Told& told) : told_(told) {}

    void store_output(const std::vector<queue::Output>& output) override {
        const std::lock_guard lock(told_.mutex);
        for (const queue::Output& piece : output) refuse_if_not_there(piece.claim);
        for (const queue::Output& piece : output) {
            told_.pieces.push_back(std::to_string(piece.claim.fence) + " " + piece.body);
            told_.printed.insert(piece.claim.task.value);
            told_.bytes += std::ssize(piece.body);
            told_.last = piece.body;
        }
    }

    int finish(const std::vector<queue::Finished>& finished) override {
        const std::lock_guard lock(told_.mutex);
        for (const queue::Finished& one : finished) {
            refuse_if_not_there(one.claim);
            const auto* failure = std::get_if<queue::Failed>(&one.outcome);
            if (failure == nullptr || told_.refused_word.empty()) continue;
            if (failure->message.find(told_.refused_word) != std::string::npos) {
                throw queue::QueueError("Incorrect string value", ErrorKind::refused_data);
            }
            told_.messages.push_back(failure->message);
        }
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
    std::vector<queue::Claim> renew(const std::vector<queue::Claim>&,
                                    std::chrono::seconds) override {
        return {};
    }
    std::set<model::JobId> aborted(const std::set<model::JobId>&) override { return {}; }
    int rescue(const queue::Rescuer&) override { return 0; }
    void heartbeat(const queue::Heartbeat&) override {}

 private:
    void refuse_if_not_there(const queue::Claim& claim) {
        if (told_.away) throw queue::QueueError("gone away", ErrorKind::unavailable);
        if (claim.job.value != 0 && claim.job.value == told_.locked_job) {
            ++told_.times_locked;
            throw queue::QueueError("Lock wait timeout exceeded", ErrorKind::rolled_back);
        }
    }

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
    daemon::InFlightClaims in_flight;
    std::vector<queue::Claim> claims;
    for (int i = 1; i <= count; ++i) claims.push_back(a_claim(i));
    in_flight.add(claims, {});
    {
        daemon::Reporter reporter(std::make_unique<ListeningQueue>(told), in_flight, log, [] {});
        for (const queue::Claim& claim : claims) {
            reporter.output(claim, "out", "hello\n");
            reporter.finished(claim, queue::Succeeded{});
        }
        reporter.flush(5s);
    }
    BOOST_TEST(in_flight.size() == 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(however_many_tasks_end_at_once_no_batch_is_larger_than_500) {
    Told told;

    end_tasks(told, 1700);

    BOOST_TEST(told.tasks.size() == 1700U);
    BOOST_TEST(!told.output_came_late);
    for (const std::size_t batch : told.batches) BOOST_TEST(batch <= 500U);
}

BOOST_AUTO_TEST_CASE(while_the_database_is_away_only_so_much_output_waits) {
    Told told;
    told.away = true;
    std::ostringstream printed;
    const base::SystemClock clock;
    const base::Log log(printed, clock);
    daemon::InFlightClaims in_flight;
    daemon::Reporter reporter(std::make_unique<ListeningQueue>(told), in_flight, log, [] {});
    const std::string megabyte(1'000'000, 'x');

    for (int task = 1; task <= 400; ++task) {
        for (int i = 0; i < 2; ++i) reporter.output(a_claim(task), "out", megabyte);
    }
    {
        const std::lock_guard lock(told.mutex);
        told.away = false;
    }
    reporter.flush(5s);

    const std::lock_guard lock(told.mutex);
    BOOST_TEST(told.bytes > 32'000'000);
    BOOST_TEST(told.bytes < 200'000'000);
}

BOOST_AUTO_TEST_CASE(of_a_task_that_prints_without_end_its_last_words_are_told) {
    Told told;
    std::ostringstream printed;
    const base::SystemClock clock;
    const base::Log log(printed, clock);
    daemon::InFlightClaims in_flight;
    daemon::Reporter reporter(std::make_unique<ListeningQueue>(told), in_flight, log, [] {});
    const std::string megabyte(1'000'000, 'x');

    for (int i = 0; i < 50; ++i) reporter.output(a_claim(1), "out", megabyte);
    reporter.output(a_claim(1), "err", "last words\n");
    reporter.finished(a_claim(1), queue::Succeeded{});
    reporter.flush(5s);

    const std::lock_guard lock(told.mutex);
    BOOST_TEST(told.last == "last words\n");
}

BOOST_AUTO_TEST_CASE(an_outcome_the_database_refuses_is_stored_as_a_plain_failure) {
    Told told;
    told.refused_word = "poison";
    std::ostringstream printed;
    const base::SystemClock clock;
    const base::Log log(printed, clock);
    daemon::InFlightClaims in_flight;
    in_flight.add({a_claim(1), a_claim(2)}, {});
    queue::Failed poisoned;
    poisoned.message = "poison";
    {
        daemon::Reporter reporter(std::make_unique<ListeningQueue>(told), in_flight, log, [] {});
        reporter.finished(a_claim(1), poisoned);
        reporter.finished(a_claim(2), queue::Succeeded{});
        reporter.flush(5s);
    }

    BOOST_TEST(in_flight.size() == 0);
    BOOST_TEST((told.tasks == std::set<std::int64_t>{1, 2}));
    BOOST_REQUIRE(told.messages.size() == 1U);
    BOOST_TEST(told.messages[0].starts_with(
        "how this ended could not be stored, the database refused it: Incorrect string value (try "
        "1 of 3"));
}

BOOST_AUTO_TEST_CASE(a_job_whose_rows_somebody_holds_keeps_no_other_job_waiting) {
    Told told;
    told.locked_job = 7;
    std::ostringstream printed;
    const base::SystemClock clock;
    const base::Log log(printed, clock);
    daemon::InFlightClaims in_flight;
    std::vector<queue::Claim> claims{a_claim(1), a_claim(2), a_claim(3)};
    claims[0].job = model::JobId{7};
    claims[1].job = model::JobId{8};
    claims[2].job = model::JobId{7};
    in_flight.add(claims, {});
    const auto told_tasks = [&] {
        const std::lock_guard lock(told.mutex);
        return told.tasks;
    };
    {
        daemon::Reporter reporter(std::make_unique<ListeningQueue>(told), in_flight, log, [] {});
        for (const queue::Claim& claim : claims) reporter.output(claim, "out", "hello\n");
        reporter.finished(claims[0], queue::Succeeded{});
        reporter.finished(claims[1], queue::Succeeded{});
        reporter.flush(300ms);
        BOOST_TEST((told_tasks() == std::set<std::int64_t>{2}));
        BOOST_TEST(in_flight.size() == 2);
        // It waits behind what is held, and prints on.
        reporter.output(claims[2], "out", "world\n");
        reporter.finished(claims[2], queue::Succeeded{});
        {
            const std::lock_guard lock(told.mutex);
            BOOST_TEST(told.times_locked >= 2);
            told.locked_job = 0;
        }
        reporter.flush(5s);
        BOOST_TEST((told_tasks() == std::set<std::int64_t>{1, 2, 3}));
    }
    BOOST_TEST(in_flight.size() == 0);
    BOOST_TEST(told.pieces.size() == 4U);
    BOOST_TEST(!told.output_came_late);
}

BOOST_AUTO_TEST_CASE(a_claim_that_was_lost_does_not_share_its_output_with_the_one_that_follows_it) {
    Told told;
    std::ostringstream printed;
    const base::SystemClock clock;
    const base::Log log(printed, clock);
    daemon::InFlightClaims in_flight;
    queue::Claim zombie = a_claim(1);
    queue::Claim successor = a_claim(1);
    successor.fence = 2;
    {
        daemon::Reporter reporter(std::make_unique<ListeningQueue>(told), in_flight, log, [] {});
        reporter.output(zombie, "out", "old");
        reporter.output(successor, "out", "new");
        reporter.output(zombie, "out", "old");
        reporter.finished(successor, queue::Succeeded{});
        reporter.flush(5s);
    }

    std::string old_text;
    std::string new_text;
    for (const std::string& piece : told.pieces) {
        (piece.starts_with("1 ") ? old_text : new_text) += piece.substr(2);
    }
    BOOST_TEST(new_text == "new");
    BOOST_TEST(old_text == "oldold");
}

BOOST_AUTO_TEST_CASE(our_own_words_are_told_however_much_output_waits) {
    Told told;
    told.away = true;
    std::ostringstream printed;
    const base::SystemClock clock;
    const base::Log log(printed, clock);
    daemon::InFlightClaims in_flight;
    const std::string megabyte(1'000'000, 'x');
    {
        daemon::Reporter reporter(std::make_unique<ListeningQueue>(told), in_flight, log, [] {});
        for (int task = 1; task <= 400; ++task) reporter.output(a_claim(task), "out", megabyte);
        reporter.output(a_claim(401), "note", "machine is gone\n");
        {
            const std::lock_guard lock(told.mutex);
            told.away = false;
        }
        reporter.flush(5s);
    }

    BOOST_TEST(std::ranges::count(told.pieces, "1 machine is gone\n") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
