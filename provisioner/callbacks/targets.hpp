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

/// Who wants to be told about one event.
struct Target {
    std::string url;
    /// The operations it is told about; empty: all of them.
    std::set<model::Operation> triggers;
};

/// Who wants to be told what, and how it is told.
struct Targets {
    std::map<model::CallbackEvent, Target> of_event;
    /// Bodies are signed with it; empty: they are not.
    base::Secret secret;
    std::chrono::milliseconds limit{10'000};
    /// How long before the end of a lease its owner is warned.
    std::chrono::seconds warning{24 * 3600};

    /// Where that is to be told; nothing when nobody wants to know.
    std::optional<std::string> url_for(model::CallbackEvent event,
                                       model::Operation operation) const;
};

/// Reads callback.{start,success,failure,expiring}.url and .triggers (operations in any case,
/// separated by commas, unknown ones skipped), callback.secret, callback.timeout (seconds) and
/// lease.warning_hours.
Targets targets_from(const base::Config& config);

}  // namespace provisioner::callbacks
