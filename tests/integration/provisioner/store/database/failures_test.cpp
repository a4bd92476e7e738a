#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/resultset.h>
#include <atomic>
#include <future>
#include <thread>

#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using store::Connection;
using store::DatabaseError;
using store::DatabaseUnavailable;
using store::exec;
using store::one_row;
using store::Rows;
using store::Statement;

BOOST_AUTO_TEST_SUITE(failures)

namespace {

/// For tests that wait for locks that never come.
constexpr store::Patience little_patience{
    .connect = 1s, .statement = 5s, .lock = 1s, .retries = 50ms, .conflicts = 50ms};

/// A database with a catalogue, another connection to it, and a table `pair` of two rows.
struct Site {
    Site() {
        tests::save_small_catalogue(fresh.database, caller);
        queue::execute(*other, "CREATE TABLE pair (id INT PRIMARY KEY, v INT NOT NULL)");
        queue::execute(*other, "INSERT INTO pair VALUES (1, 0), (2, 0)");
    }

    operations::Result<model::ClusterId> create(const std::string& name, int machines = 3) {
        operations::CreateCluster wanted;
        wanted.name = name;
        wanted.cluster_template = "pair";
        wanted.machines = machines;
        return operations::create_cluster(fresh.database, caller, wanted, tests::some_time());
    }

    int value_of(int id) {
        const auto row =
            queue::select(*other, "SELECT v FROM pair WHERE id = " + std::to_string(id));
        row->next();
        return row->getInt(1);
    }

    tests::FreshDatabase fresh;
    model::Caller caller = tests::a_caller(fresh.database);
    std::unique_ptr<sql::Connection> other = queue::connect(fresh.root);
};

std::string own_id(Connection& connection) {
    Rows row = connection.sql("SELECT CONNECTION_ID() AS id") << one_row;
    return row.get<std::string>("id");
}

/// The number of the error that `run` ends with; 0 when it ends well.
template <class Error, class Run>
int code_of(Run&& run) {
    try {
        run();
        return 0;
    } catch (const Error& error) {
        return error.code();
    }
}

void add_one(Connection& connection, int id) {
    connection.sql("UPDATE pair SET v = v + 1 WHERE id = ?") << id << exec;
}

/// Ends statements, or connections, of all other users of the server until it goes.
class Killer {
 public:
    Killer(const base::Config& config, std::string what, std::chrono::milliseconds pause)
        : what_(std::move(what)), pause_(pause) {
        thread_ = std::thread([this, &config] { run(config); });
    }
    ~Killer() {
        stopping_ = true;
        thread_.join();
    }
    int kills() const { return kills_; }

 private:
    void run(const base::Config& config) {
        const auto connection = queue::connect(config);
        while (!stopping_) {
            const auto rows = queue::select(*connection,
                                            "SELECT id FROM information_schema.processlist "
                                            "WHERE id <> CONNECTION_ID() AND command = 'Query'");
            while (rows->next()) kill(*connection, rows->getString(1));
            std::this_thread::sleep_for(pause_);
        }
    }

    void kill(sql::Connection& connection, const std::string& id) {
        try {
            queue::execute(connection, what_ + " " + id);
            ++kills_;
        } catch (const sql::SQLException&) {
            // It has gone meanwhile.
        }
    }

    std::string what_;
    std::chrono::milliseconds pause_;
    std::atomic<bool> stopping_ = false;
    std::atomic<int> kills_ = 0;
    std::thread thread_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_read_that_fails_among_its_rows_throws) {
    Site site;

    const int code = code_of<DatabaseError>([&] {
        site.fresh.database.look([](Connection& connection) {
            Rows rows = connection.sql(
                "SELECT id, (SELECT o.id FROM pair AS o WHERE o.id <= pair.id) "
                "AS one FROM pair ORDER BY id");
            while (rows.next()) continue;
        });
    });

    BOOST_TEST(code == 1242);
}

BOOST_AUTO_TEST_CASE(an_empty_read_is_empty) {
    Site site;

    site.fresh.database.look([](Connection& connection) {
        Rows rows = connection.sql("SELECT id FROM pair WHERE id > ?") << 7;
        BOOST_TEST(!rows.next());
        BOOST_TEST(!rows.next());
        BOOST_CHECK_THROW(rows.get<int>("id"), std::logic_error);
    });
}

// With it the server crashes when a query is killed at the wrong moment: statements/optimizer.hpp.
BOOST_AUTO_TEST_CASE(no_connection_uses_the_optimization_that_crashes_the_server) {
    Site site;
    constexpr auto ask = "SELECT @@optimizer_switch AS switches";
    constexpr auto off = "split_materialized=off";

    site.fresh.database.look([&](Connection& connection) {
        Rows row = connection.sql(ask) << one_row;
        BOOST_TEST(row.get<std::string>("switches").find(off) != std::string::npos);
    });
    const auto row = queue::select(*site.other, ask);
    BOOST_TEST_REQUIRE(row->next());
    BOOST_TEST(std::string(row->getString(1)).find(off) != std::string::npos);
}

// The read may have been killed before the server looked, which it does not always say.
BOOST_AUTO_TEST_CASE(a_read_that_finds_nothing_is_sent_again) {
    Site site;
    constexpr auto only_the_second_time =
        "SELECT ? AS word FROM DUAL WHERE (@asked := COALESCE(@asked, 0) + 1) = ?";

    site.fresh.database.look([&](Connection& connection) {
        Rows rows = connection.sql(only_the_second_time) << "there" << 2;
        BOOST_TEST_REQUIRE(rows.next());
        BOOST_TEST(rows.get<std::string>("word") == "there");
        BOOST_TEST(!rows.next());
    });
    const auto rows = queue::select(
        *site.other, "SELECT 1 FROM DUAL WHERE (@asked := COALESCE(@asked, 0) + 1) = 2");
    BOOST_TEST(rows->next());
}

BOOST_AUTO_TEST_CASE(a_killed_read_is_unavailable_and_not_empty) {
    Site site;
    int runs = 0;

    const int code = code_of<DatabaseUnavailable>([&] {
        site.fresh.database.read([&](Connection& connection) {
            ++runs;
            const std::string id = own_id(connection);
            const auto killed = std::async(std::launch::async, [&] {
                std::this_thread::sleep_for(300ms);
                queue::execute(*site.other, "KILL QUERY " + id);
            });
            Rows rows = connection.sql("SELECT id, SLEEP(1) AS nothing FROM pair");
            while (rows.next()) continue;
        });
    });

    BOOST_TEST(code == 1317);
    BOOST_TEST(runs == 1);
}

BOOST_AUTO_TEST_CASE(a_connection_killed_before_the_commit_is_retried) {
    Site site;
    int runs = 0;

    site.fresh.database.write([&](Connection& connection) {
        add_one(connection, 1);
        if (++runs == 1) queue::execute(*site.other, "KILL " + own_id(connection));
        add_one(connection, 2);
    });

    BOOST_TEST(runs == 2);
    BOOST_TEST(site.value_of(1) == 1);
    BOOST_TEST(site.value_of(2) == 1);
}

BOOST_AUTO_TEST_CASE(a_connection_lost_at_the_commit_is_in_doubt_and_not_retried) {
    Site site;
    int runs = 0;
    bool is_in_doubt = false;

    try {
        site.fresh.database.write([&](Connection& connection) {
            ++runs;
            add_one(connection, 1);
            queue::execute(*site.other, "KILL " + own_id(connection));
        });
    } catch (const DatabaseUnavailable& error) {
        is_in_doubt = error.is_in_doubt();
    }

    BOOST_TEST(runs == 1);
    BOOST_TEST(is_in_doubt);
}

BOOST_AUTO_TEST_CASE(a_deadlock_in_a_locking_read_restarts_the_transaction) {
    Site site;
    std::atomic<int> runs = 0;
    std::atomic<int> holding = 0;
    // Each takes one row and then wants the other's.
    const auto swap = [&](int first, int second) {
        site.fresh.database.write([&, mine = 0](Connection& connection) mutable {
            ++runs;
            add_one(connection, first);
            if (++mine == 1) {
                ++holding;
                for (int i = 0; i < 1000 && holding < 2; ++i) std::this_thread::sleep_for(1ms);
            }
            Rows row = connection.sql("SELECT v FROM pair WHERE id = ? FOR UPDATE")
                       << second << one_row;
        });
    };

    auto there = std::async(std::launch::async, swap, 1, 2);
    auto back = std::async(std::launch::async, swap, 2, 1);
    there.get();
    back.get();

    BOOST_TEST(runs >= 3);
    BOOST_TEST(site.value_of(1) == 1);
    BOOST_TEST(site.value_of(2) == 1);
}

BOOST_AUTO_TEST_CASE(a_lock_wait_timeout_is_unavailable_and_the_transaction_does_not_go_on) {
    Site site;
    store::Database impatient(site.fresh.config, little_patience);
    site.other->setAutoCommit(false);
    queue::execute(*site.other, "UPDATE tenant SET description = 'held'");

    const int code = code_of<DatabaseUnavailable>([&] {
        impatient.write([&](Connection& connection) {
            store::lock_tenant(connection, site.caller.tenant.id);
            add_one(connection, 1);
        });
    });

    site.other->rollback();
    BOOST_TEST(code == 1205);
    BOOST_TEST(site.value_of(1) == 0);
}

BOOST_AUTO_TEST_CASE(a_lock_that_others_hold_for_longer_than_an_outage_may_last_is_waited_for) {
    Site site;
    auto patience = little_patience;
    patience.conflicts = 10s;
    store::Database patient(site.fresh.config, patience);
    site.other->setAutoCommit(false);
    queue::execute(*site.other, "UPDATE pair SET v = 5 WHERE id = 1");
    auto releases = std::async(std::launch::async, [&] {
        // The first attempt has ended by then, and the patience with a server that is away.
        std::this_thread::sleep_for(1500ms);
        site.other->rollback();
    });

    patient.write([&](Connection& connection) { add_one(connection, 1); });

    releases.get();
    BOOST_TEST(patient.counters().retries.value() > 0);
    BOOST_TEST(site.value_of(1) == 1);
}

BOOST_AUTO_TEST_CASE(no_statement_runs_after_a_failure_that_was_swallowed) {
    Site site;

    const int code = code_of<DatabaseError>([&] {
        site.fresh.database.write([](Connection& connection) {
            try {
                connection.sql("INSERT INTO pair VALUES (?, ?)") << 1 << 1 << exec;
            } catch (const DatabaseError&) {
            }
            add_one(connection, 2);
        });
    });

    BOOST_TEST(code == 1062);
    BOOST_TEST(site.value_of(2) == 0);
}

BOOST_AUTO_TEST_CASE(a_read_transaction_refuses_changes) {
    Site site;

    BOOST_CHECK_THROW(
        site.fresh.database.read([](Connection& connection) { add_one(connection, 1); }),
        std::logic_error);
    BOOST_TEST(site.value_of(1) == 0);
}

BOOST_AUTO_TEST_CASE(a_constraint_violation_is_no_outage) {
    Site site;

    BOOST_CHECK_EXCEPTION(site.fresh.database.write([](Connection& connection) {
        connection.sql("INSERT INTO pair VALUES (?, ?)") << 1 << 1 << exec;
    }),
                          DatabaseError, [](const DatabaseError& error) {
                              return dynamic_cast<const DatabaseUnavailable*>(&error) == nullptr &&
                                     error.code() == 1062;
                          });
}

BOOST_AUTO_TEST_CASE(a_full_table_is_an_outage) {
    Site site;

    const int code = code_of<DatabaseUnavailable>([&] {
        store::Database(site.fresh.root).write([](Connection& connection) {
            connection.sql("SET max_heap_table_size = 16384") << exec;
            connection.sql("CREATE TEMPORARY TABLE small (t CHAR(255)) ENGINE = MEMORY") << exec;
            for (int i = 0; i < 1000; ++i) {
                connection.sql("INSERT INTO small VALUES (?)") << std::string(255, 'x') << exec;
            }
        });
    });

    BOOST_TEST(code == 1114);
}

BOOST_AUTO_TEST_CASE(what_is_bound_is_copied_and_escaped) {
    Site site;
    const std::string text("it's \"a\" \\ ? \0 \n \x1a barrel \xF0\x9F\x9B\xA2", 30);

    site.fresh.database.look([&](Connection& connection) {
        Statement select = connection.sql("SELECT ? AS first, ? AS second, ? AS third");
        select << std::string(text) << std::string("gone") << "there";
        Rows row = select << one_row;
        BOOST_TEST(row.get<std::string>("first") == text);
        BOOST_TEST(row.get<std::string>("second") == "gone");
        BOOST_TEST(row.get<std::string>("third") == "there");
    });
}

BOOST_AUTO_TEST_CASE(a_statement_is_too_large_by_its_bytes_as_they_are_sent) {
    Site site;
    const auto limit = [&] {
        const auto row = queue::select(*site.other, "SELECT @@global.max_allowed_packet");
        row->next();
        return static_cast<std::size_t>(row->getInt64(1));
    }();
    const auto length_of = [&](const std::string& text) {
        return site.fresh.database.look([&](Connection& connection) {
            Rows row = connection.sql("SELECT LENGTH(?) AS length") << text << one_row;
            return row.get<long long>("length");
        });
    };
    const std::size_t frame = std::string("SELECT LENGTH(?) AS length").size() + 2 + 1;

    const std::string longest(limit - frame - 1, 'x');
    BOOST_TEST(length_of(longest) == static_cast<long long>(longest.size()));
    BOOST_CHECK_THROW(length_of(longest + "xxx"), store::TooLargeForDatabase);
    // Escaped it is twice as long.
    BOOST_CHECK_THROW(length_of(std::string(limit / 2 + 1, '\'')), store::TooLargeForDatabase);
}

BOOST_AUTO_TEST_CASE(creates_of_six_clients_at_once_all_end_well) {
    Site site;
    constexpr int clients = 6;
    constexpr int creates = 25;
    std::atomic<int> made = 0;
    std::vector<std::future<void>> all;
    for (int client = 0; client < clients; ++client) {
        all.push_back(std::async(std::launch::async, [&, client] {
            for (int i = 0; i < creates; ++i) {
                const auto id = site.create("c" + std::to_string(client) + "-" + std::to_string(i));
                if (id) ++made;
            }
        }));
    }

    for (auto& one : all) one.get();

    BOOST_TEST(made == clients * creates);
}

BOOST_AUTO_TEST_CASE(reads_under_random_kills_are_complete_or_unavailable) {
    Site site;
    const auto id = site.create("large", 20);
    BOOST_REQUIRE(id.has_value());
    const auto read = [&] {
        return site.fresh.database.read([&](Connection& connection) {
            const auto cluster = store::find_cluster(connection, site.caller, *id);
            BOOST_REQUIRE(cluster.has_value());
            BOOST_TEST(store::nodes_of(connection, *id).size() == 20U);
            return store::tasks_of(connection, cluster->latest_job).size();
        });
    };
    const std::size_t tasks = read();
    int told = 0;
    int refused = 0;

    const Killer killer(site.fresh.root, "KILL QUERY", 0ms);
    for (int i = 0; i < 3000; ++i) {
        try {
            BOOST_TEST(read() == tasks);
            ++told;
        } catch (const DatabaseUnavailable&) {
            ++refused;
        }
    }

    BOOST_TEST_MESSAGE(told << " told, " << refused << " refused, " << killer.kills() << " kills");
    BOOST_TEST(told > 0);
    BOOST_TEST(refused > 0);
}

BOOST_AUTO_TEST_CASE(lists_under_random_kills_are_complete_or_unavailable) {
    Site site;
    for (int i = 0; i < 3; ++i) {
        BOOST_REQUIRE(site.create("c" + std::to_string(i), 2).has_value());
    }
    using Status = model::ClusterStatus;
    const std::array queries{
        store::ClusterQuery{}, store::ClusterQuery{.limit = 50},
        store::ClusterQuery{.statuses = {Status::pending, Status::active}, .limit = 50}};
    int told = 0;
    int refused = 0;
    int incomplete = 0;

    const Killer killer(site.fresh.root, "KILL QUERY", 0ms);
    for (std::size_t i = 0; i < 3000; ++i) {
        try {
            const auto found = site.fresh.database.look([&](Connection& connection) {
                return store::list_clusters(connection, site.caller, queries.at(i % queries.size()))
                    .size();
            });
            incomplete += found == 3 ? 0 : 1;
            ++told;
        } catch (const DatabaseUnavailable&) {
            ++refused;
        }
    }

    BOOST_TEST_MESSAGE(told << " told, " << refused << " refused, " << killer.kills() << " kills");
    BOOST_TEST(incomplete == 0);
    BOOST_TEST(told > 0);
    BOOST_TEST(refused > 0);
}

BOOST_AUTO_TEST_CASE(a_killed_deletion_deletes_its_rows_or_is_refused) {
    Site site;
    int deleted = 0;
    int refused = 0;
    int left = 0;

    // A pause, because a deletion that is killed twice in a row cannot be told from one without
    // rows.
    const Killer killer(site.fresh.root, "KILL QUERY", 1ms);
    for (int i = 0; i < 6000; ++i) {
        try {
            site.fresh.database.write([&](Connection& connection) {
                connection.sql("INSERT INTO pair VALUES (3, 0), (4, 0)") << exec;
                connection.sql("DELETE FROM pair WHERE id > ?") << 2 << exec;
                Rows row = connection.sql("SELECT COUNT(*) AS n FROM pair") << one_row;
                left += row.get<int>("n") - 2;
                connection.sql("DELETE FROM pair WHERE id > 2 AND v < 1") << exec;
            });
            ++deleted;
        } catch (const DatabaseUnavailable&) {
            ++refused;
        }
    }

    BOOST_TEST_MESSAGE(deleted << " deleted, " << refused << " refused, " << killer.kills()
                               << " kills");
    BOOST_TEST(left == 0);
    BOOST_TEST(deleted > 0);
    BOOST_TEST(refused > 0);
}

BOOST_AUTO_TEST_CASE(creates_under_random_kills_leave_complete_jobs) {
    for (const char* what : {"KILL QUERY", "KILL"}) {
        Site site;
        std::atomic<int> made = 0;
        std::atomic<int> refused = 0;
        int kills = 0;
        std::vector<std::future<void>> all;
        {
            const Killer killer(site.fresh.root, what, 20ms);
            for (int client = 0; client < 3; ++client) {
                all.push_back(std::async(std::launch::async, [&, client] {
                    for (int i = 0; i < 40; ++i) {
                        try {
                            const auto id = site.create("c" + std::to_string(100 * client + i));
                            BOOST_TEST(id.has_value());
                            ++made;
                        } catch (const DatabaseUnavailable&) {
                            ++refused;
                        }
                    }
                }));
            }
            for (auto& one : all) one.get();
            kills = killer.kills();
            BOOST_TEST_MESSAGE(what << ": " << made << " made, " << refused << " refused, " << kills
                                    << " kills");
        }

        // Any connection that was open before may have been killed.
        const auto witness = queue::connect(site.fresh.root);
        const auto wrong = queue::select(*witness, R"sql(
            SELECT cluster.id
            FROM cluster
            LEFT JOIN job ON job.id = cluster.latest_job_id
            WHERE job.id IS NULL OR job.tasks_total = 0 OR cluster.node_count <> 3
               OR (SELECT COUNT(*) FROM node WHERE node.cluster_id = cluster.id) <> 3
               OR (SELECT COUNT(*) FROM task WHERE task.job_id = job.id) <> job.tasks_total
               OR (SELECT COUNT(*) FROM task JOIN ready_task ON task_id = task.id
                   WHERE task.job_id = job.id) = 0
        )sql");
        BOOST_TEST(!wrong->next());
        BOOST_TEST(made > 0);
        // Most are repeated, so that nobody need be refused.
        BOOST_TEST(kills > 0);
    }
}

BOOST_AUTO_TEST_CASE(a_cluster_with_nodes_is_not_deleted_when_none_are_found) {
    Site site;
    const auto id = site.create("c1");
    BOOST_REQUIRE(id.has_value());
    queue::execute(*site.other, "UPDATE cluster SET status = 'active'");
    queue::execute(*site.other, "SET FOREIGN_KEY_CHECKS = 0");
    queue::execute(*site.other, "DELETE FROM node");

    const auto deleted =
        operations::delete_cluster(site.fresh.database, site.caller, *id, tests::some_time());

    BOOST_REQUIRE(!deleted.has_value());
    BOOST_TEST(deleted.error().problems.front().message.starts_with(
        "The cluster has 3 machines, and none of them is found."));
}

BOOST_AUTO_TEST_SUITE_END()
