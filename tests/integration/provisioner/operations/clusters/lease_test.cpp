#include "provisioner/operations/clusters/lease.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/statement.h>

#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/clusters/deletion_store.hpp"
#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/jobs/callback_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using model::ClusterStatus;

BOOST_AUTO_TEST_SUITE(lease)

namespace {

struct Site : tests::ClusterSite {
    void end_lease_at(base::Timestamp moment) {
        const auto changed = operations::change_expiry(fresh.database, caller, cluster,
                                                       base::to_millis(moment), now);
        BOOST_REQUIRE(changed.has_value());
    }

    operations::Expired expire(base::Timestamp at) {
        return operations::expire_clusters(fresh.database, at);
    }
};

/// An active cluster whose lease ended an hour after it was made.
struct ExpiredSite : Site {
    ExpiredSite() {
        succeed_all();
        end_lease_at(now + 1h);
    }

    /// Lets the deletion under way fail on all nodes, beginning with another one each time; `when`
    /// is the moment it ends at.
    void fail(base::Timestamp when, const std::string& reason = "no credit") {
        auto claims = claim();
        BOOST_REQUIRE(claims.size() == 3);
        std::rotate(claims.begin(), claims.begin() + failures_++ % 3, claims.end());
        queue::Failed failed = tests::a_failure(std::nullopt);
        failed.message = reason;
        for (const auto& one : claims) finish(one, failed);
        const auto link = queue::connect(fresh.config);
        const std::unique_ptr<sql::Statement> statement(link->createStatement());
        statement->execute(
            "UPDATE job SET finished_at = '" + base::to_sql(when) +
            "' WHERE status = 'failed' AND id = " + std::to_string(summary().latest_job->id.value));
        BOOST_REQUIRE((summary().status == ClusterStatus::incomplete));
    }

    bool is_deleted_at(base::Timestamp at) { return expire(at).deleted.size() == 1; }

    std::optional<model::FailedDeletions> failed_deletions() {
        return fresh.database.read([&](store::Connection& connection) {
            return store::failed_deletions(connection, cluster);
        });
    }

    /// "start", "failure: no credit": what there is to tell of deletions, oldest first.
    std::vector<std::string> told() {
        auto callbacks = fresh.database.read([&](store::Connection& connection) {
            return store::callbacks_of(connection, cluster);
        });
        std::vector<std::string> events;
        for (auto one = callbacks.rbegin(); one != callbacks.rend(); ++one) {
            if (one->operation != model::Operation::cluster_delete) continue;
            const auto colon = one->message.rfind(": ");
            events.push_back(base::to_word(one->event) +
                             (colon == std::string::npos ? "" : one->message.substr(colon)));
        }
        return events;
    }

 private:
    int failures_ = 0;
};

using Events = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(a_cluster_whose_lease_ended_is_deleted_by_itself) {
    Site site;
    site.succeed_all();
    site.end_lease_at(site.now + 1h);
    BOOST_TEST(site.expire(site.now + 59min).deleted.empty());

    const auto expired = site.expire(site.now + 61min);

    BOOST_TEST(expired.deleted.size() == 1);
    BOOST_TEST(expired.errors.empty());
    BOOST_TEST((site.summary().latest_job->operation == model::Operation::cluster_delete));
    BOOST_TEST(site.expire(site.now + 61min).deleted.empty());
    site.succeed_all();
    BOOST_TEST((site.summary().status == ClusterStatus::terminated));
    BOOST_TEST(site.expire(site.now + 61min).deleted.empty());
}

BOOST_AUTO_TEST_CASE(incomplete_clusters_expire_too) {
    Site site;
    site.finish(site.claim(1).front(), tests::a_failure(std::nullopt));
    BOOST_REQUIRE((site.summary().status == ClusterStatus::incomplete));
    site.end_lease_at(site.now + 1h);

    BOOST_TEST(site.expire(site.now + 2h).deleted.size() == 1);
}

BOOST_AUTO_TEST_CASE(inconsistent_clusters_expire_too) {
    Site site;
    site.succeed_all();
    site.end_lease_at(site.now + 1h);
    site.fresh.database.write([&](store::Connection& connection) {
        auto cluster = site.details();
        cluster.status = ClusterStatus::inconsistent;
        store::update_cluster(connection, cluster);
    });

    BOOST_TEST(site.expire(site.now + 2h).deleted.size() == 1);
}

BOOST_AUTO_TEST_CASE(clusters_without_a_lease_and_those_worked_on_do_not_expire) {
    Site site;
    BOOST_TEST(site.expire(site.now + 10000h).deleted.empty());
    site.succeed_all();
    BOOST_TEST(site.expire(site.now + 10000h).deleted.empty());
}

BOOST_AUTO_TEST_CASE(a_lease_is_changed_for_those_only_who_may_see_the_cluster) {
    Site site;
    site.succeed_all();
    model::Caller stranger = site.caller;
    stranger.user.name = "eve";
    stranger.user.id.value += 1;
    stranger.user.role = model::Role::user;

    const auto refused = operations::change_expiry(site.fresh.database, stranger, site.cluster,
                                                   base::to_millis(site.now + 1h), site.now);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().message ==
               "Cluster " + model::wire_id(site.cluster) + " not found.");
    site.end_lease_at(site.now + 1h);
    BOOST_TEST((base::to_millis(*site.summary().expires_at) == base::to_millis(site.now + 1h)));
}

BOOST_AUTO_TEST_CASE(the_end_of_a_lease_is_taken_away_where_the_template_sets_no_maximum) {
    Site site;
    site.succeed_all();
    site.end_lease_at(site.now + 1h);
    const auto let_stay = [&] {
        return operations::change_expiry(site.fresh.database, site.caller, site.cluster,
                                         std::nullopt, site.now);
    };

    BOOST_REQUIRE(let_stay().has_value());

    BOOST_TEST(!site.summary().expires_at.has_value());
    BOOST_TEST(site.expire(site.now + 2h).deleted.empty());
    site.fresh.database.write([&](store::Connection& connection) {
        auto cluster = site.details();
        cluster.snapshot.cluster_template.lease.max = 240h;
        store::update_snapshot(connection, cluster);
    });
    site.end_lease_at(site.now + 1h);
    const auto refused = let_stay();
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().field == "expireTime");
    BOOST_TEST(site.summary().expires_at.has_value());
}

BOOST_AUTO_TEST_CASE(a_deletion_that_fails_is_tried_again_after_pauses_that_double) {
    ExpiredSite site;
    base::Timestamp at = site.now + 2h;
    for (const auto pause : {1min, 2min, 4min}) {
        BOOST_REQUIRE(site.is_deleted_at(at));
        site.fail(at);
        BOOST_TEST(!site.is_deleted_at(at + pause - 1s));
        at += pause;
    }

    const auto failed = site.failed_deletions();

    BOOST_REQUIRE(failed.has_value());
    BOOST_TEST(failed->count == 3);
    BOOST_TEST(failed->message.ends_with(": no credit (and 2 more)"));
    BOOST_TEST((model::next_deletion(*failed) == at));
    BOOST_TEST((site.summary().latest_job->asked_by == model::Asker{{}, model::asked_by_lease}));
}

BOOST_AUTO_TEST_CASE(a_deletion_that_fails_again_and_again_is_told_once_for_each_reason) {
    ExpiredSite site;
    base::Timestamp at = site.now + 2h;
    for (const char* reason : {"no credit", "no credit", "no answer", "no credit", "no answer"}) {
        BOOST_REQUIRE(site.is_deleted_at(at));
        site.fail(at, reason);
        at += 6h;
    }
    BOOST_TEST((site.told() == Events{"start", "failure: no credit (and 2 more)",
                                      "failure: no answer (and 2 more)"}));

    BOOST_REQUIRE(site.is_deleted_at(at));
    site.succeed_all();

    BOOST_TEST((site.told().back() == "success"));
    BOOST_TEST(!site.failed_deletions().has_value());
}

// Without an address for callbacks the sender makes each row unwanted; mails are made of them.
BOOST_AUTO_TEST_CASE(a_deletion_that_fails_again_is_quiet_without_addresses_for_callbacks) {
    ExpiredSite site;
    const auto root = queue::connect(site.fresh.root);
    base::Timestamp at = site.now + 2h;
    for (const char* reason : {"no credit", "no credit", "no answer", "no credit"}) {
        BOOST_REQUIRE(site.is_deleted_at(at));
        site.fail(at, reason);
        queue::execute(*root,
                       "UPDATE callback SET state = 'unwanted', finished_at = UTC_TIMESTAMP(6) "
                       "WHERE state = 'waiting'");
        at += 6h;
    }
    const auto failures = site.fresh.database.read([](store::Connection& connection) {
        store::Rows row =
            connection.sql("SELECT COUNT(*) AS failures FROM callback WHERE event = 'failure'")
            << store::one_row;
        return row.get<int>("failures");
    });
    BOOST_TEST(failures == 2);
}

BOOST_AUTO_TEST_CASE(a_deletion_somebody_asks_for_starts_the_count_anew_and_is_told) {
    ExpiredSite site;
    base::Timestamp at = site.now + 2h;
    for (int i = 0; i < 4; ++i) {
        BOOST_REQUIRE(site.is_deleted_at(at));
        site.fail(at);
        at += 6h;
    }

    BOOST_REQUIRE(
        operations::delete_cluster(site.fresh.database, site.caller, site.cluster, at).has_value());
    site.fail(at);

    BOOST_TEST(site.failed_deletions()->count == 1);
    BOOST_TEST((site.told() == Events{"start", "failure: no credit (and 2 more)", "start",
                                      "failure: no credit (and 2 more)"}));
    BOOST_TEST(!site.is_deleted_at(at + 59s));
    BOOST_TEST(site.is_deleted_at(at + 1min));
    site.fail(at + 1min);
    BOOST_TEST(site.failed_deletions()->count == 2);
    BOOST_TEST(site.told().size() == 4U);

    BOOST_REQUIRE(
        operations::retry_job(site.fresh.database, site.caller, site.cluster).has_value());
    site.fail(at + 2min);
    BOOST_TEST(site.failed_deletions()->count == 1);
    BOOST_TEST(site.told().size() == 6U);

    BOOST_REQUIRE(
        operations::give_up_cluster(site.fresh.database, site.caller, site.cluster, at + 3min)
            .has_value());
    BOOST_TEST(!site.failed_deletions().has_value());
    BOOST_TEST(!site.is_deleted_at(at + 100h));
}

BOOST_AUTO_TEST_CASE(another_lease_starts_the_count_anew) {
    ExpiredSite site;
    const base::Timestamp at = site.now + 2h;
    for (const auto moment : {at, at + 1h}) {
        BOOST_REQUIRE(site.is_deleted_at(moment));
        site.fail(moment);
    }
    BOOST_TEST(!site.is_deleted_at(at + 1h + 1min));

    site.end_lease_at(at + 30min);

    BOOST_TEST(!site.failed_deletions().has_value());
    BOOST_TEST(site.is_deleted_at(at + 1h + 1min));
}

BOOST_AUTO_TEST_CASE(clusters_that_wait_for_their_next_deletion_keep_nobody_else_from_theirs) {
    ExpiredSite site;
    const base::Timestamp at = site.now + 2h;
    BOOST_REQUIRE(site.is_deleted_at(at));
    site.fail(at);
    const auto expired = site.fresh.database.read(
        [&](store::Connection& connection) { return store::expired_clusters(connection, at, 1); });
    BOOST_REQUIRE(expired.size() == 1);
    BOOST_TEST(expired.front().failed.has_value());

    const auto link = queue::connect(site.fresh.config);
    const std::unique_ptr<sql::Statement> statement(link->createStatement());
    statement->execute(
        "INSERT INTO cluster (tenant_id, owner, name, description, status, message, created_at, "
        "expires_at, services, config, snapshot, headers, node_count) SELECT tenant_id, owner, "
        "'later', description, 'active', '', created_at, expires_at + INTERVAL 1 MINUTE, services, "
        "config, snapshot, headers, 0 FROM cluster");
    const auto first = site.fresh.database.read(
        [&](store::Connection& connection) { return store::expired_clusters(connection, at, 1); });
    BOOST_REQUIRE(first.size() == 1);
    BOOST_TEST(!first.front().failed.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
