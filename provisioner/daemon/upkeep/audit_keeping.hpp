#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/base/config.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/callbacks/audit_export.hpp"
#include "provisioner/daemon/upkeep/duties.hpp"
#include "provisioner/identity/ed25519.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// Records "settings.change" in the installation's chain if the settings of this daemon are others
/// than when it last started. Secrets are masked, so that the change of a secret alone is not seen.
/// A database that fails costs the record and a line in the log.
void note_settings(const base::Config& config, const std::string& instance,
                   store::Database& database, const base::Log& log);

/// What a daemon does for the audit log: records the ends of jobs, seals each chain that has new
/// events once an hour, deletes old sealed events, sends events to their receivers. Any number of
/// daemons may do it at once. All duties are aside.
class AuditKeeping {
 public:
    /// Reads audit.key (a daemon without that file seals and deletes nothing, and says so once) and
    /// the settings of receivers. `holder` names this daemon. The others must outlive the object.
    /// Throws for a key or setting that is wrong.
    AuditKeeping(const base::Config& config, std::string holder, store::Database& database,
                 const base::Clock& clock, const base::Log& log, std::function<bool()> stopping);

    /// The duties; the object must outlive them.
    std::vector<Duty> duties();

 private:
    void seal();
    void prune();
    void send();
    /// Of the file, which may be replaced at any time; nothing, said in the log, if it cannot be
    /// read.
    std::optional<identity::SigningKey> key() const;

    store::Database& database_;
    const base::Clock& clock_;
    const base::Log& log_;
    std::function<bool()> stopping_;
    std::string key_file_;
    bool has_key_;
    std::chrono::hours kept_{0};
    callbacks::AuditTargets targets_;
    std::vector<std::string> target_names_;
    callbacks::AuditExporter exporter_;
    /// Findings that are logged already; used by the thread of that duty.
    std::set<std::string> reported_;
};

}  // namespace provisioner::daemon
