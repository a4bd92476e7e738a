#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::model {

/// Bytes of the longest description: what a TEXT column holds.
inline constexpr std::size_t longest_text = 65535;

/// The same names in order.
std::vector<std::string> sorted(std::vector<std::string> names);

/// The names in their order, each where it stands first.
std::vector<std::string> without_repetition(const std::vector<std::string>& names);

/// Why `name` is no valid name of an entity, cluster, tenant or resource ([A-Za-z0-9_.-], 1 to 255
/// characters); nothing when it is one. Source: the wire contract's own texts.
std::optional<std::string> problem_with_name(std::string_view name);

/// Whether `suffix` is a DNS suffix: at most 191 characters of dot-separated labels, each at most
/// 63 of [a-zA-Z0-9-] and not ending in a hyphen.
bool is_dns_suffix(std::string_view suffix);

/// The name of node `nodenum` of cluster number `cluster`: the cluster's name in lower case without
/// what stands before its first letter, with '_' and '.' as '-', cut so that the first label fits
/// 63 characters, then "<cluster>-<nodenum>", then the suffix ("local" when empty; one leading dot
/// is tolerated).
std::string hostname(std::string_view cluster_name, std::int64_t cluster, int nodenum,
                     std::string_view dns_suffix);

}  // namespace provisioner::model
