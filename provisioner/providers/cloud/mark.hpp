#pragma once

#include <map>
#include <string>
#include <string_view>

#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::cloud {

/// Whose a machine is, as its tags or metadata say. Everything that a cloud makes for a machine
/// (disks, addresses, ports) and for a cluster (security groups) carries the mark, too. There
/// `name` or `task` may be empty.
struct Mark {
    /// Id of the installation (Account::installation).
    std::string installation{};
    /// The cluster's wire id, "00000001".
    std::string cluster{};
    /// MachineSpec::name.
    std::string name{};
    /// Number of the task the machine was made for; 0: unknown.
    long long task = 0;
    /// Attempt at that task; 0: unknown.
    int attempt = 0;

    bool operator==(const Mark&) const = default;
};

/// The mark that create() puts on the machine of `spec`.
Mark mark_of(const Account& account, const MachineSpec& spec);
/// The mark of what belongs to the whole cluster.
Mark cluster_mark_of(const Account& account, const MachineSpec& spec);

/// Names of the tags. Lower-case letters and hyphens only: legal in every cloud.
inline constexpr std::string_view tag_installation = "cooperage-installation";
inline constexpr std::string_view tag_cluster = "cooperage-cluster";
inline constexpr std::string_view tag_machine = "cooperage-machine";
inline constexpr std::string_view tag_task = "cooperage-task";

/// The mark as tags. `cooperage-task` is "<task>-<attempt>". Leaves out empty members. Values are
/// lower-case letters, digits and hyphens, at most 63 characters.
std::map<std::string, std::string> tags_of(const Mark& mark);

/// Reads tags of tags_of(); ignores others.
Mark mark_in(const std::map<std::string, std::string>& tags);

/// A text that is the same for all turns of one attempt at one placement, and for nothing else: a
/// client token. `parts` tells several calls of one creation apart. 64 hexadecimal digits.
std::string token_of(const Account& account, const MachineSpec& spec, std::string_view part);
/// The same as a UUID (version 8, RFC 9562) for clouds that ask for one.
std::string uuid_of(const Account& account, const MachineSpec& spec, std::string_view part);

/// A name for clouds in which names are unique or limited: "cooperage-<8 digits of the
/// installation>-<name>", at most 63 characters of `[a-z0-9-]`, beginning with a letter.
std::string cloud_name(const Account& account, std::string_view name);

}  // namespace provisioner::providers::cloud
