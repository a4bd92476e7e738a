#include "provisioner/providers/local/host/isolation/id_range.hpp"

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "provisioner/base/ids.hpp"
#include "provisioner/providers/local/host/processes.hpp"
#include "provisioner/providers/local/host/state_dir.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

const fs::path id_claims = "/run/cooperage/ids";

/// Where the ids of containers begin. Source: https://systemd.io/UIDS-GIDS.
constexpr long long first_of_containers = 524288;

FileLock lock_id_claims() {
    fs::create_directories(id_claims);
    return FileLock(id_claims.string() + ".lock", LockKind::exclusive);
}

long long end_of(const IdRange& range) {
    return range.first + range.count;
}

bool holds(const IdRange& outer, const IdRange& inner) {
    return outer.first <= inner.first && end_of(inner) <= end_of(outer);
}

bool overlap(const IdRange& one, const IdRange& other) {
    return one.first < end_of(other) && other.first < end_of(one);
}

/// Whether what has claimed the ids is gone: its directory, and all hosts it could be one of.
bool is_abandoned(const fs::path& claim) {
    const fs::path machine = fs::read_symlink(claim);
    if (fs::exists(machine)) return false;
    return hosts_of(machine.parent_path().parent_path()).empty();
}

bool claim(const IdRange& range, const fs::path& machine) {
    const fs::path link = id_claims / std::to_string(range.first);
    if (fs::is_symlink(link) && is_abandoned(link)) unlink(link.c_str());
    if (symlink(machine.c_str(), link.c_str()) == 0) return true;
    if (errno != EEXIST) fail("cannot claim ids at " + link.string());
    return false;
}

void release_if(const std::function<bool(const fs::path& machine)>& is_over) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(id_claims, error)) {
        if (is_over(fs::read_symlink(entry.path(), error))) unlink(entry.path().c_str());
    }
}

std::vector<IdRange> of_both(const char* users, const char* groups,
                             std::vector<IdRange> (*read)(std::string_view)) {
    std::vector<IdRange> ranges = read(read_file(users).value_or(""));
    for (const IdRange& range : read(read_file(groups).value_or(""))) ranges.push_back(range);
    return ranges;
}

/// Those that both users and groups have.
IdRange ids_here() {
    const auto text = [](const char* path) { return read_file(path).value_or(""); };
    const IdRange users = ids_for_hosts(existing_ids(text("/proc/self/uid_map")));
    const IdRange groups = ids_for_hosts(existing_ids(text("/proc/self/gid_map")));
    const long long first = std::max(users.first, groups.first);
    const long long end = std::min(end_of(users), end_of(groups));
    return {.first = first, .count = std::max(0LL, end - first)};
}

}  // namespace

std::vector<IdRange> existing_ids(std::string_view id_map) {
    std::vector<IdRange> ranges;
    std::istringstream lines{std::string(id_map)};
    IdRange range;
    for (long long outside = 0; lines >> range.first >> outside >> range.count;) {
        ranges.push_back(range);
    }
    return ranges;
}

std::vector<IdRange> given_ids(std::string_view subordinate) {
    std::vector<IdRange> ranges;
    std::istringstream lines{std::string(subordinate)};
    for (std::string line; std::getline(lines, line);) {
        const auto last = line.rfind(':');
        const auto middle =
            last == std::string::npos || last == 0 ? last : line.rfind(':', last - 1);
        if (middle == std::string::npos || last == 0) continue;
        const auto first = base::parse_number(line.substr(middle + 1, last - middle - 1));
        const auto count = base::parse_number(trimmed(line.substr(last + 1)));
        if (first && count) ranges.push_back({.first = *first, .count = *count});
    }
    return ranges;
}

IdRange ids_for_hosts(const std::vector<IdRange>& existing) {
    for (const IdRange& range : existing) {
        if (holds(range, usual_ids)) return usual_ids;
    }
    for (const IdRange& range : existing) {
        const long long first = std::max(range.first, first_of_containers);
        const long long count = (end_of(range) - first) / ids_per_host * ids_per_host;
        if (count > 0) return {.first = first, .count = std::min(count, usual_ids.count)};
    }
    return {};
}

base::expected<IdRange, std::string> claim_ids(const fs::path& machine) {
    const IdRange all = ids_here();
    const long long ranges = all.count / ids_per_host;
    if (ranges == 0) {
        return base::unexpected(
            std::string("this computer has no user ids to give to hosts: it seems to be a "
                        "container itself, and needs ids from 524288 on (/proc/self/uid_map)"));
    }
    const auto taken = of_both("/etc/subuid", "/etc/subgid", given_ids);
    const FileLock turn = lock_id_claims();
    // Where a search begins differs from machine to machine, because containers that share our
    // kernel may not share our /run.
    const auto from = std::hash<std::string>{}(machine.string() + this_boot()) % ranges;
    for (long long i = 0; i < ranges; ++i) {
        const long long number = (static_cast<long long>(from) + i) % ranges;
        const IdRange range{.first = all.first + number * ids_per_host, .count = ids_per_host};
        const bool is_given = std::any_of(taken.begin(), taken.end(), [&](const IdRange& other) {
            return overlap(range, other);
        });
        if (!is_given && claim(range, machine)) return range;
    }
    return base::unexpected("no user ids are left for hosts: all " + std::to_string(ranges) +
                            " ranges are in use (see " + id_claims.string() + ")");
}

void release_ids(const fs::path& machine) {
    release_if([&](const fs::path& owner) { return owner == machine; });
}

void release_all_ids(const fs::path& state_dir) {
    const fs::path machines = state_dir / "machines";
    release_if([&](const fs::path& owner) { return owner.parent_path() == machines; });
}

}  // namespace provisioner::providers::local
