#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/expected.hpp"

namespace provisioner::providers::local {

/// User ids, and the group ids of the same numbers: `count` from `first` on.
struct IdRange {
    long long first = 0;
    long long count = 0;

    bool operator==(const IdRange&) const = default;
};

/// Ids of one host: 0 to 65535 inside, `first` to `first` + 65535 on the machine.
inline constexpr long long ids_per_host = 65536;

/// Where hosts get their ids from: above those of directory services (sssd ends at 2000200000) and
/// of other containers (systemd ends at 1879048191), below 2^31. For 2238 hosts. Source:
/// https://systemd.io/UIDS-GIDS.
inline constexpr IdRange usual_ids{.first = 0x77400000, .count = 2238 * ids_per_host};

/// The ids that exist here, from the text of /proc/self/uid_map or gid_map.
std::vector<IdRange> existing_ids(std::string_view id_map);

/// The ids that users have been given for containers of their own, from the text of /etc/subuid or
/// /etc/subgid. Malformed lines are left out.
std::vector<IdRange> given_ids(std::string_view subordinate);

/// Which ids hosts can have where only `existing` ones exist: usual_ids, or in a container those
/// from 524288 on, in whole ranges of a host. A count of 0: there are none.
IdRange ids_for_hosts(const std::vector<IdRange>& existing);

/// A range of ids for the host that lives in the directory `machine`, which must exist: no other
/// host of this computer has them, whichever state directory it is of, nor do users who have been
/// given ids in /etc/subuid and /etc/subgid. A second call for the same directory returns another
/// range, so release_ids() comes first. On failure the reason, as a sentence without a full stop.
/// Throws Failure if the claim cannot be written.
///
/// Claims are links below /run/cooperage/ids, so they outlive the helper. What a claim belongs to
/// that has no directory any more is taken over when none of its state directory's hosts runs.
base::expected<IdRange, std::string> claim_ids(const std::filesystem::path& machine);

/// Returns the ids; none to return is fine.
void release_ids(const std::filesystem::path& machine);

/// Returns the ids of all machines of a state directory, of which no host runs any more. The
/// directory need not exist.
void release_all_ids(const std::filesystem::path& state_dir);

}  // namespace provisioner::providers::local
