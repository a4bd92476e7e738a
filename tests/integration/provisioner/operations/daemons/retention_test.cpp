#include "provisioner/operations/daemons/retention.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/operations/clusters/service_actions.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/operations/tenants/usage.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/daemons/retention_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using operations::UsageQuestion;

BOOST_AUTO_TEST_SUITE(retention)

namespace {

constexpr auto day = 24h;

struct Site : tests::ClusterSite {
    Site() { now = base::SystemClock().now(); }

    std::map<std::string, int> prune(std::chrono::hours later) {
        return operations::prune(fresh.database, operations::retention_from(fresh.config),
                                 now + later, [] { return false; });
    }

    /// Sets the clock of what is stored back: everything is so much older.
    void age(std::chrono::hours by) {
        const std::string older = " - INTERVAL " + std::to_string(by.count()) + " HOUR";
        for (const char* column :
             {"job finished_at", "job created_at", "cluster ended_at", "cluster created_at",
              "callback finished_at", "machine_span ended_at", "machine_span began_at"}) {
            const std::string text = column;
            const auto blank = text.find(' ');
            const std::string name = text.substr(blank + 1);
            execute("UPDATE " + text.substr(0, blank) + " SET " + name + " = " + name + older);
        }
    }

    void execute(const std::string& statement) { queue::execute(*link, statement); }

    long long count(const std::string& table) {
        const auto row = queue::select(*link, "SELECT COUNT(*) FROM " + table);
        row->next();
        return row->getInt64(1);
    }

    model::ClusterId create(const std::string& name) {
        operations::CreateCluster wanted;
        wanted.name = name;
        wanted.cluster_template = "pair";
        wanted.machines = 3;
        return *operations::create_cluster(fresh.database, caller, wanted, now);
    }

    void remove(model::ClusterId id) {
        BOOST_REQUIRE(operations::delete_cluster(fresh.database, caller, id, now, {}).has_value());
        succeed_all();
    }

    void restart_services() {
        BOOST_REQUIRE(operations::act_on_services(fresh.database, caller, cluster,
                                                  {.operation = model::Operation::restart_services},
                                                  now)
                          .has_value());
    }

    void print_something() {
        for (const queue::Claim& claim : this->claim(2)) {
            queue.store_output({{claim, "out", "hello"}, {claim, "note", "begins"}});
            finish(claim, queue::Succeeded{});
        }
    }

    std::int64_t usage(const UsageQuestion& question) {
        const auto answer =
            operations::read_node_usage(fresh.database, {}, question, now + 500 * day);
        BOOST_REQUIRE(answer.has_value());
        std::int64_t sum = 0;
        for (const auto& entry : answer->entries) sum += entry.value;
        return sum;
    }

    std::unique_ptr<sql::Connection> link = queue::connect(fresh.config);
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_year_later_what_ended_is_gone_and_what_lives_can_go_on) {
    Site site;
    site.print_something();
    site.succeed_all();
    const auto gone = site.create("gone");
    site.succeed_all();
    site.remove(gone);
    site.restart_services();
    site.print_something();
    site.finish(site.claim(1).front(), tests::a_failure(std::nullopt));
    site.succeed_all();
    BOOST_REQUIRE((site.summary().latest_job->status == model::JobStatus::failed));
    const auto tasks_of_latest = static_cast<long long>(site.tasks().size());

    // Nobody wanted to be told.
    site.execute("UPDATE callback SET state = 'unwanted', finished_at = created_at");

    const auto counts = site.prune(400 * day);

    BOOST_TEST(counts.at("clusters") == 1);
    BOOST_TEST(site.count("cluster") == 1);
    BOOST_TEST(site.count("node") == 3);
    BOOST_TEST(site.count("job") == 1);
    BOOST_TEST(site.count("task") == tasks_of_latest);
    BOOST_TEST(site.count("transcript") == 0);
    BOOST_TEST(site.count("callback") == 0);
    // It can be run again and deleted, whatever is gone.
    BOOST_REQUIRE(
        operations::retry_job(site.fresh.database, site.caller, site.cluster).has_value());
    BOOST_TEST(site.succeed_all() > 0);
    BOOST_TEST((site.summary().status == model::ClusterStatus::active));
    site.remove(site.cluster);
    site.execute("UPDATE callback SET state = 'unwanted', finished_at = created_at");
    site.prune(400 * day);
    for (const char* table : {"cluster", "node", "job", "task", "task_edge", "attempt"}) {
        BOOST_TEST(site.count(table) == 0, table);
    }
}

BOOST_AUTO_TEST_CASE(what_is_young_stays) {
    Site site;
    site.print_something();
    site.succeed_all();
    site.remove(site.cluster);
    const auto rows = [&] {
        return site.count("task") + site.count("transcript") + site.count("job") +
               site.count("cluster") + site.count("node") + site.count("machine_span");
    };
    const long long before = rows();

    site.prune(29 * day);
    BOOST_TEST(rows() == before);

    // Output first, then tasks.
    site.prune(31 * day);
    BOOST_TEST(site.count("transcript") == 0);
    BOOST_TEST(site.count("task") > 0);
    site.prune(91 * day);
    BOOST_TEST(site.count("task") == 0);
    BOOST_TEST(site.count("attempt") == 0);
    BOOST_TEST(site.count("cluster") == 1);
}

BOOST_AUTO_TEST_CASE(reports_of_usage_are_the_same_after_everything_they_came_from_is_gone) {
    Site site;
    site.succeed_all();
    site.age(1000h);
    site.remove(site.cluster);
    const auto second = site.create("second");
    site.succeed_all();
    site.age(50h);
    const std::vector<UsageQuestion> questions{
        {}, {.unit = 1h}, {.unit = 24h}, {.start = 0, .end = base::to_millis(site.now) / 1000}};
    std::vector<std::int64_t> before;
    for (const auto& question : questions) before.push_back(site.usage(question));
    BOOST_TEST(before[1] == 3 * 1000);
    BOOST_TEST(before[2] == 3 * 41);

    site.prune(2000 * day);

    BOOST_TEST(site.count("machine_span") == 3);
    BOOST_TEST(site.count("task") > 0);
    for (std::size_t i = 0; i < questions.size(); ++i) {
        BOOST_TEST(site.usage(questions[i]) == before[i], "question " << i);
    }
    store::UsageFilter of_second;
    of_second.cluster = second;
    const auto hours =
        operations::read_node_usage(site.fresh.database, of_second, {.unit = 1h}, site.now + 30min);
    BOOST_TEST(hours->entries.front().value == 3 * 50);
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_made_again_counts_while_it_is_there) {
    Site site;
    const auto claims = site.claim();
    for (const auto& claim : claims) site.finish(claim, queue::Succeeded{});
    BOOST_TEST(site.count("machine_span WHERE ended_at IS NULL") == 3);

    BOOST_REQUIRE(
        operations::give_up_cluster(site.fresh.database, site.caller, site.cluster, site.now)
            .has_value());

    BOOST_TEST(site.count("machine_span WHERE ended_at IS NULL") == 0);
    BOOST_TEST(site.count("cluster WHERE ended_at IS NULL") == 0);
}

BOOST_AUTO_TEST_CASE(what_could_not_be_satisfied_goes_after_a_day) {
    Site site;
    operations::CreateCluster wanted;
    wanted.name = "impossible";
    wanted.cluster_template = "pair";
    wanted.machines = 1;
    BOOST_REQUIRE(operations::record_unsatisfiable(site.fresh.database, site.caller, wanted,
                                                   "Layout solving failed", site.now)
                      .has_value());

    site.prune(23h);
    BOOST_TEST(site.count("cluster") == 2);
    site.prune(25h);
    BOOST_TEST(site.count("cluster") == 1);
}

BOOST_AUTO_TEST_CASE(replaced_versions_of_the_catalogue_go_and_the_newest_stays) {
    Site site;
    for (int i = 0; i < 3; ++i) {
        site.fresh.database.write([&](store::Connection& connection) {
            store::insert_entry(connection, site.caller.tenant.id, model::CatalogueKind::image_type,
                                {{"name", "often"}}, site.now);
        });
    }

    site.prune(366 * day);

    BOOST_TEST(site.count("catalogue_entry WHERE name = 'often'") == 1);
    BOOST_TEST(site.count("catalogue_entry WHERE name = 'often' AND version = 3") == 1);
}

BOOST_AUTO_TEST_CASE(for_ever_and_numbers_are_what_the_settings_say) {
    const auto kept = operations::retention_from(
        base::Config::parse("retention.tasks = 0\nretention.output = 7\n"));

    BOOST_TEST(!kept.tasks.has_value());
    BOOST_TEST(kept.output->count() == 7 * 24);
    BOOST_TEST(kept.usage->count() == 1095 * 24);
    BOOST_CHECK_THROW(operations::retention_from(base::Config::parse("retention.jobs = soon\n")),
                      std::runtime_error);
}

operations::Retention retention(operations::Retention::Age output, operations::Retention::Age tasks,
                                operations::Retention::Age jobs) {
    operations::Retention retention;
    retention.output = output;
    retention.tasks = tasks;
    retention.jobs = jobs;
    return retention;
}

BOOST_AUTO_TEST_CASE(nothing_stays_longer_than_what_it_belongs_to) {
    using namespace std::chrono_literals;

    const auto kept = operations::consistent(retention(std::nullopt, 48h, 24h));

    BOOST_TEST((kept.output == operations::Retention::Age(24h)));
    BOOST_TEST((kept.tasks == operations::Retention::Age(24h)));
    BOOST_TEST((kept.jobs == operations::Retention::Age(24h)));
    BOOST_TEST(
        !operations::consistent(retention(1h, std::nullopt, std::nullopt)).tasks.has_value());
}

BOOST_AUTO_TEST_CASE(a_replaced_version_goes_although_the_one_after_it_was_deleted) {
    Site site;
    for (int i = 0; i < 3; ++i) {
        site.fresh.database.write([&](store::Connection& connection) {
            store::insert_entry(connection, site.caller.tenant.id, model::CatalogueKind::image_type,
                                {{"name", "often"}}, site.now);
        });
    }
    operations::delete_entry(site.fresh.database, site.caller, model::CatalogueKind::image_type,
                             "often", 2);

    site.prune(366 * day);

    BOOST_TEST(site.count("catalogue_entry WHERE name = 'often'") == 1);
    BOOST_TEST(site.count("catalogue_entry WHERE name = 'often' AND version = 3") == 1);
}

BOOST_AUTO_TEST_CASE(of_a_cluster_with_many_jobs_only_so_many_go_at_once_and_the_latest_last) {
    Site site;
    site.succeed_all();
    site.remove(site.cluster);
    for (int i = 0; i < 25; ++i) {
        site.execute(
            "INSERT INTO job (cluster_id, operation, status, message, tasks_total, tasks_done, "
            "tasks_failed, created_at, "
            "finished_at, asked_by) SELECT id, 'stop_services', 'complete', '', 0, 0, 0, "
            "created_at, "
            "created_at, '' FROM cluster");
    }
    const auto delete_some = [&] {
        return site.fresh.database.write([&](store::Connection& connection) {
            return store::delete_some_of_cluster(connection, site.cluster, 10);
        });
    };

    while (site.count("job") > 1) {
        const auto jobs = site.count("job");
        BOOST_TEST(delete_some() <= 10);
        BOOST_TEST(jobs - site.count("job") <= 10);
    }

    BOOST_TEST(site.count("cluster JOIN job ON job.id = cluster.latest_job_id") == 1);
    BOOST_TEST(delete_some() == 1);
    BOOST_TEST(site.count("job") == 0);
    BOOST_TEST(site.count("cluster") == 0);
}

BOOST_AUTO_TEST_CASE(of_a_job_that_a_person_retries_meanwhile_nothing_goes) {
    tests::ClusterSite site;
    const auto claim = site.claim(1).front();
    site.queue.store_output({{.claim = claim, .stream = "out", .body = "a line\n"}});

    const int deleted = site.fresh.database.write([&](store::Connection& connection) {
        store::set_kept(connection, claim.job, store::JobKept::tasks);
        return store::delete_output(connection, claim.job, model::TaskId{}, 100).pieces;
    });

    BOOST_TEST(deleted == 0);
    const auto connection = queue::connect(site.fresh.config);
    const auto rows = queue::select(*connection, "SELECT kept FROM job ORDER BY id DESC LIMIT 1");
    rows->next();
    BOOST_TEST(std::string(rows->getString("kept")) == "everything");
}

BOOST_AUTO_TEST_CASE(every_piece_of_output_that_goes_is_counted) {
    Site site;
    site.print_something();
    site.succeed_all();
    const long long pieces = site.count("transcript");
    BOOST_REQUIRE(pieces > 0);

    BOOST_TEST(site.prune(31 * day).at("pieces of output") == pieces);
}

BOOST_AUTO_TEST_SUITE_END()
