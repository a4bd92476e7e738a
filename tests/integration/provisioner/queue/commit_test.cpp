#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include <functional>
#include <future>
#include <thread>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using Site = tests::ClusterSite;

BOOST_AUTO_TEST_SUITE(commits_of_the_queue)

namespace {

bool is_mariadb(sql::Connection& connection) {
    const auto row = queue::select(connection, "SELECT VERSION()");
    row->next();
    return std::string(row->getString(1)).find("MariaDB") != std::string::npos;
}

/// Keeps every COMMIT waiting while it lives, as a backup does in its last stage; statements before
/// it go on.
class BlockedCommits {
 public:
    explicit BlockedCommits(sql::Connection& connection) : connection_(connection) {
        for (const char* stage : {"START", "FLUSH", "BLOCK_DDL", "BLOCK_COMMIT"}) {
            queue::execute(connection_, std::string("BACKUP STAGE ") + stage);
        }
    }
    ~BlockedCommits() { queue::execute(connection_, "BACKUP STAGE END"); }

    /// Ends the connection of the one who waits, and returns when it is gone: who is still waiting
    /// when commits go on again commits, killed or not.
    void kill_who_waits() {
        std::string id;
        wait_until("somebody waits to commit", [&] {
            const auto row = queue::select(connection_,
                                           "SELECT id FROM information_schema.processlist WHERE "
                                           "info = 'COMMIT' AND time_ms > 20");
            if (row->next()) id = std::string(row->getString(1));
            return !id.empty();
        });
        queue::execute(connection_, "KILL CONNECTION " + id);
        wait_until("the killed connection is gone", [&] {
            return !queue::select(connection_,
                                  "SELECT id FROM information_schema.processlist WHERE id = " + id)
                        ->next();
        });
    }

 private:
    static void wait_until(const char* what, const std::function<bool()>& holds) {
        for (int tries = 0; tries < 1000; ++tries) {
            if (holds()) return;
            std::this_thread::sleep_for(10ms);
        }
        BOOST_FAIL(std::string("after ten seconds not yet: ") + what);
    }

    sql::Connection& connection_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(who_is_cut_off_while_committing_a_claim_is_told_so_and_has_nothing) {
    Site site;
    const auto other = queue::connect(site.fresh.root);
    if (!is_mariadb(*other)) return;
    std::future<std::vector<queue::Claim>> claiming;
    {
        BlockedCommits blocked(*other);
        claiming = std::async(std::launch::async, [&] { return site.queue.claim("w/1", 3, 60s); });
        blocked.kill_who_waits();
    }

    BOOST_CHECK_EXCEPTION(claiming.get(), queue::QueueError,
                          [](const queue::QueueError& error) { return error.transient(); });
    // The server takes back what was killed when it gets to it.
    std::size_t claimed = 0;
    for (int tries = 0; tries < 100 && claimed == 0; ++tries) {
        std::this_thread::sleep_for(20ms);
        claimed = site.queue.claim("w/2", 3, 60s).size();
    }
    BOOST_TEST(claimed == 3U);
}

BOOST_AUTO_TEST_CASE(a_task_whose_end_is_told_twice_is_counted_once) {
    Site site;
    const auto claims = site.queue.claim("w/1", 1, 60s);

    site.queue.finish({{claims.front(), queue::Succeeded{}}, {claims.front(), queue::Succeeded{}}});

    BOOST_TEST(site.summary().latest_job->tasks_done == 1);
}

BOOST_AUTO_TEST_SUITE_END()
