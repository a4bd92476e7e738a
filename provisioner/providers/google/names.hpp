#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/providers/cloud/mark.hpp"

namespace provisioner::providers::google {

/// The machine's name, which is its provider id and that of its boot disk:
/// "cooperage-<8 digits of the installation>-<node>-<task>-<attempt>". A name of its own for each
/// attempt: the operation of a machine that failed is never taken for that of its successor, and a
/// name that is still being deleted hinders nobody. At most 63 characters of
/// `[a-z]([-a-z0-9]*[a-z0-9])?`, the rule of Compute Engine.
std::string machine_name(const Account& account, const cloud::Mark& mark);

/// What machine_name() put in; `name` is empty for names of others, and of other installations.
cloud::Mark mark_in_name(const Account& account, std::string_view machine);

/// Network tag and beginning of the names of what belongs to a cluster: firewall rules have no
/// labels.
std::string cluster_tag(const Account& account, const std::string& cluster);

/// The beginning of all names of this installation.
std::string installation_prefix(const Account& account);

/// The last part of a link: its resource's name.
std::string last_part(std::string_view link);

/// The zone in a link ".../zones/<zone>/...", or ending in ".../zones/<zone>"; empty without one.
std::string zone_in(std::string_view link);

/// "us-central1" for "us-central1-a".
std::string region_of(std::string_view zone);

}  // namespace provisioner::providers::google
