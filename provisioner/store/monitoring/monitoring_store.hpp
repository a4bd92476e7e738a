#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// What operators watch. Every statement goes by an index over rows that are few whatever the
// database holds: the head of the queue, jobs that have not ended, those of the last hour, clusters
// that are there. None of them counts tasks.

/// A daemon as its last heartbeat left it. All times by the database's clock.
struct WatchedDaemon {
    /// Host and lock file, as DaemonRow::instance.
    std::string instance;
    int capacity = 0;
    int running = 0;
    /// As DaemonRow::drains.
    bool drains = false;
    std::int64_t started_seconds_ago = 0;
    std::int64_t heard_seconds_ago = 0;
    /// What it counts itself (metrics/family_json.hpp); an empty array until it says.
    base::Json metrics = base::Json::array();

    /// The plugins whose tasks it takes, in the words of ready_task.needs; nothing if it does not
    /// say, as daemons of earlier versions.
    std::optional<std::set<std::string>> offers() const;

    /// As DaemonRow::is_alive.
    bool is_alive() const;
};

/// Numbers of the whole installation at one moment.
struct WatchedNumbers {
    /// Ready tasks that may be claimed now, and those that are due later: after a pause, or while
    /// they wait for a machine.
    std::int64_t tasks_due = 0;
    std::int64_t tasks_later = 0;
    std::int64_t tasks_claimed = 0;
    /// Tasks of jobs under way that are not done and not failed, in whatever state.
    std::int64_t tasks_unfinished = 0;
    /// How long the oldest due task has waited, in seconds; 0 when none is due.
    std::int64_t oldest_due_seconds = 0;
    /// Jobs that have not ended, by status word.
    std::map<std::string, std::int64_t> jobs;
    /// Jobs that ended within the last hour, by status word.
    std::map<std::string, std::int64_t> jobs_ended;
    /// Clusters that are not terminated, by status word, and their nodes together.
    std::map<std::string, std::int64_t> clusters;
    std::int64_t nodes = 0;
    /// Callbacks to be sent; by how much the oldest of them is late; those given up within the last
    /// hour.
    std::int64_t callbacks_waiting = 0;
    std::int64_t callbacks_late_seconds = 0;
    std::int64_t callbacks_given_up = 0;
    /// Emails of which an attempt failed and that are tried again; how long the oldest of them has
    /// failed, and what the last attempt of the newest one said.
    std::int64_t mails_failing = 0;
    std::int64_t mails_failing_seconds = 0;
    std::string mail_error;
    std::int64_t unknown_machines = 0;
    /// Machines of nodes that are not there any more (sighting_store.hpp).
    std::int64_t lost_machines = 0;
    /// Accounts whose last look failed, by provider type; types without one are left out.
    std::map<std::string, std::int64_t> failing_accounts;
    /// Age in seconds of the oldest row that retention deletes by its age, by the names of the
    /// settings: output, clusters, callbacks. Left out where there is none.
    std::map<std::string, std::int64_t> oldest_kept;
    std::vector<WatchedDaemon> daemons;
};

/// Reads all of them. At most 1000 daemons.
WatchedNumbers watched_numbers(Connection& connection);

/// Number of the last migration of the database; nothing when it has none. Throws DatabaseError
/// when the table is missing.
std::optional<int> applied_schema(Connection& connection);

}  // namespace provisioner::store
