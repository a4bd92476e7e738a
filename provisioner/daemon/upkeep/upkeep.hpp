#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/contents/contents.hpp"
#include "provisioner/daemon/machines/provider_tests.hpp"
#include "provisioner/daemon/upkeep/duties.hpp"
#include "provisioner/operations/clusters/kept_sizes.hpp"
#include "provisioner/operations/daemons/retention.hpp"
#include "provisioner/operations/identity_providers/vanished.hpp"
#include "provisioner/providers/registry.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// What a daemon does for the whole installation beside tasks: leases that end, old rows, contents
/// without a reference, accounts that must be swept, tests of providers, sizes of templates. Any
/// number of daemons may do it at once: the database gives each piece to one. All duties are aside.
class Upkeep {
 public:
    struct Settings {
        /// Id of the installation: providers mark its machines with it.
        std::string installation;
        /// Which lost machines are replaced without a person: "none", "reclaimed" (those that their
        /// providers may take back) or "all".
        std::string replace_machines;
        operations::Retention retention;
        /// Users of OpenID Connect providers are disabled when they have not signed in for so long.
        std::chrono::hours external_users_kept;
        TaskContext::AddFiles add_files;
        /// Where links of mails lead, may be empty; nothing if no mails are sent.
        std::optional<std::string> site_of_mails{};
        /// Whether the daemon ends: then a duty ends early.
        std::function<bool()> stopping;
        /// Tells the claimer of new tasks.
        std::function<void()> ring;
    };

    /// All references must outlive the object.
    Upkeep(Settings settings, store::Database& database, const contents::Contents& contents,
           const base::Clock& clock, const providers::Registry& providers, const base::Log& log)
        : settings_(std::move(settings)),
          database_(database),
          contents_(contents),
          clock_(clock),
          providers_(providers),
          log_(log) {
        operations::prepare_to_follow();
    }

    /// The duties; the object must outlive them.
    std::vector<Duty> duties();

 private:
    /// Queues the deletion of clusters whose lease has ended (operations::expire_clusters).
    void expire_clusters();
    /// Deletes rows older than their retention.
    void prune();
    /// Removes contents without a reference.
    void sweep_contents() const;
    /// Sweeps accounts if one is due (machines/orphans.hpp).
    void remove_orphans();
    /// Queues the replacement of lost machines, as the settings say.
    void replace_lost_machines();
    /// Works out which sizes of templates do not work (operations/clusters/kept_sizes.hpp).
    void work_out_sizes();
    /// Disables users whom their identity providers do not know any more, and follows their groups.
    void follow_identity_providers();
    /// Carries out tests of providers if one waits (machines/provider_tests.hpp).
    void test_providers();
    /// Writes mails to superadmins about what is wrong with the installation
    /// (operations/daemons/troubles.hpp).
    void tell_troubles();
    /// Writes mails to users about failed logins (operations/sign_in/failed_logins.hpp).
    void tell_failed_logins();
    /// Logs problems of accounts that were not logged yet.
    void report_problems(const char* event, const std::vector<std::string>& problems);

    Settings settings_;
    store::Database& database_;
    const contents::Contents& contents_;
    const base::Clock& clock_;
    const providers::Registry& providers_;
    const base::Log& log_;
    /// Problems with orphans that are logged already; used by the thread of that duty, like
    /// accounts_due_.
    std::set<std::string> reported_problems_;
    /// When a sweep is due even if no known account is: it finds new accounts.
    std::chrono::steady_clock::time_point accounts_due_;
    /// Used by the thread of that duty.
    operations::SizesToDo sizes_to_do_{};
};

}  // namespace provisioner::daemon
