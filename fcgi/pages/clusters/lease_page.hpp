#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/jobs/job.hpp"

namespace fcgi::pages {

/// What the button for a lease without an end sends as `until`.
inline constexpr std::string_view no_expiry = "never";

/// The form for the end of a cluster's lease: views/clusters/lease. It names the limits of the
/// template.
struct LeasePage {
    provisioner::model::Cluster cluster{};
    /// Its latest job.
    std::optional<provisioner::model::Job> job{};
    /// The text in the form, "2026-11-20T23:28" in UTC; empty if the cluster never expires.
    std::string expires{};
    provisioner::base::Timestamp now{};
    /// Why the time was refused; those of field "expireTime" are shown beside the control.
    provisioner::base::Problems problems{};
};

/// The limits come from the template in the cluster's snapshot, not from the present catalogue.
provisioner::base::Json to_json(const LeasePage& page);

/// The value of an <input type="datetime-local"> for a moment: "2026-11-20T23:28", in UTC. Seconds
/// are cut off.
std::string input_of(provisioner::base::Timestamp moment);
/// The moment in such a value, read as UTC; seconds may be given. Nothing for a text of another
/// form. A day that the month does not have counts on into the next month. The same text as
/// input_of, without seconds, gives the moment cut to the minute.
std::optional<provisioner::base::Timestamp> moment_in(const std::string& input);

}  // namespace fcgi::pages
