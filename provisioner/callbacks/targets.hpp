#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "provisioner/base/config.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/model/jobs/callback.hpp"

namespace provisioner::callbacks {

/// The receiver of the callbacks of one event.
struct Target {
    /// http or https; never empty in Targets::of_event.
    std::string url;
    /// The operations whose jobs it receives callbacks of; empty: all. Ignored for expiring leases.
    std::set<model::Operation> triggers;
};

/// The receivers of callbacks and how deliveries are sent. One value per daemon, read from the
/// settings at start, the same for all tenants.
struct Targets {
    /// Events without an entry are not delivered: their callbacks become unwanted.
    std::map<model::CallbackEvent, Target> of_event;
    /// Key of the signature, shared with the receivers; empty: messages are not signed.
    base::Secret secret;
    /// Longest time for one request, from connecting to the end of the reply.
    std::chrono::milliseconds limit{10'000};
    /// How long before the end of a lease its expiring callback is noted, once per lease and time.
    std::chrono::seconds warning{24 * 3600};

    /// The URL for a callback of `event` about a job of `operation`; nothing when it has no
    /// receiver. For expiring leases the operation does not matter.
    std::optional<std::string> url_for(model::CallbackEvent event,
                                       model::Operation operation) const;
};

/// Reads callback.{start,success,failure,expiring}.url and .triggers, callback.secret
/// or callback.secret_file, callback.timeout (seconds) and lease.warning_hours.
///
/// Triggers are operations in any case, separated by commas. Unknown ones are skipped; a list of
/// unknown ones only turns the event off, instead of meaning all. Throws std::runtime_error for a
/// number that is none and when both secrets are set, identity::VaultError for a file that
/// cannot be read or that everybody may read.
Targets targets_from(const base::Config& config);

}  // namespace provisioner::callbacks
