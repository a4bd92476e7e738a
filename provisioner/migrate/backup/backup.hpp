#pragma once

#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/migrate/migration.hpp"

namespace provisioner::migrate {

/// What was saved, for messages.
struct Saved {
    /// Newest migration of the saved schema.
    std::string schema;
    /// Files of plugins whose bytes are in a folder or in S3, and so not in the backup.
    long long contents_elsewhere = 0;
};

/// Saves the database as of one moment in a new file, mode 0600, while the programs work. Takes the
/// migrator's lock, so that no table changes. The file has no keys: secrets in it stay sealed.
/// Throws std::runtime_error, also when `path` exists; then nothing is left there.
Saved back_up(const base::Config& config, const std::string& path, base::Timestamp now);

/// Saves the master keys of secrets and the SSH key (secrets.keys, ssh.private_key) in a new file,
/// mode 0600. Keep it apart from the data: who has both can read every secret. Throws as back_up().
void back_up_keys(const base::Config& config, const std::string& path, base::Timestamp now);

/// What restore() may do.
struct RestoreRequest {
    std::string path;
    /// Drop the tables that are there.
    bool may_replace = false;
};

/// Puts a backup into the configuration's database, which must be empty unless `may_replace`, and
/// migrates it to `files`. Before anything changes, the file's checksum and its schema are checked:
/// it must be of these files or older. An interrupted restore leaves a database that `up` refuses;
/// run restore again.
///
/// What happened after the backup is unknown to it but not to nodes and providers. So after it:
///
/// * every task's fence is raised far above what any node can have seen since, so that nodes obey
///   the restored tasks, and a daemon that still holds a claim from before has lost it;
/// * ids of clusters, nodes, jobs and tasks go on far above those that can have been given since,
/// so
///   that no new one has the name of one that nodes or providers still know. Both go by the clock:
///   a second restore of the same backup goes further than the first;
/// * claims have run out, so that a daemon takes the tasks up within seconds, finding on the nodes
///   the steps that were begun (same task, same attempt);
/// * nobody is logged in: sessions that ended since would be valid again.
///
/// All programs must be stopped: throws std::runtime_error when a daemon has been seen in the last
/// half minute in the database that is replaced. Returns the migrations that were applied.
std::vector<std::string> restore(const base::Config& config, const SchemaFiles& files,
                                 const RestoreRequest& request);

/// Writes the keys to where the settings say, mode 0600. Files that are there with another content
/// are refused, all of them before any is written, unless `may_replace`.
void restore_keys(const base::Config& config, const RestoreRequest& request);

}  // namespace provisioner::migrate
