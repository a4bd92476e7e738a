#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::model {

/// Longest description in bytes: the limit of a TEXT column.
inline constexpr std::size_t longest_text = 65535;

/// Most characters of a name that problem_with_name() accepts.
inline constexpr std::size_t longest_valid_name = 255;

/// The names in ascending byte order; repetitions stay.
std::vector<std::string> sorted(std::vector<std::string> names);

/// The names in the given order, each at its first place only.
std::vector<std::string> without_repetition(const std::vector<std::string>& names);

/// Why `name` is not valid: a sentence for the person; nothing for a valid name. Valid are 1 to 255
/// characters of [A-Za-z0-9_.-]. Applies to clusters, tenants, catalogue entries, API keys and
/// plugin resources. Source: the wire contract, whose texts it returns.
std::optional<std::string> problem_with_name(std::string_view name);

/// The same for a name that something is given now. It must not begin with a hyphen or a dot,
/// because it may become the name of a file or a word of a command, where "-rf" and ".." mean
/// something else. Names that are stored already are not checked by it: what has them can still be
/// read.
std::optional<std::string> problem_with_new_name(std::string_view name);

/// Whether `suffix` is a list of labels separated by dots, at most 191 characters in all. A label
/// has 1 to 63 characters of [a-zA-Z0-9-] and does not end in a hyphen. False for an empty text and
/// for a leading dot.
bool is_dns_suffix(std::string_view suffix);

/// Whether a template's default suffix can be used: it is empty, or is_dns_suffix() holds for it
/// without one leading dot. hostname() tolerates both. Requests are checked by is_dns_suffix().
/// Source: the wire contract, which does not check templates when they are written.
bool is_default_dns_suffix(std::string_view suffix);

/// Fully qualified name of a node: "<name><cluster>-<nodenum>.<suffix>".
///
///     hostname("My_Web.1", 12, 1001, "example.com")  ->  "my-web-112-1001.example.com"
///     hostname("web", 12, 1001, "")                  ->  "web12-1001.local"
///
/// * The cluster's name loses everything before its first letter, is put in lower case, and has '-'
///   for '_' and '.'. It is cut so that the first label has at most 63 characters.
/// * The cluster's number follows its name directly. So names are not always unique: cluster "web"
///   number 12 and cluster "web1" number 2 give the same first label.
/// * A name without a letter leaves only the numbers: "12-1001.local".
/// * An empty `dns_suffix` means "local"; one leading dot is ignored. The suffix is not checked
///   here.
///
/// A provider may report another hostname for the node later.
std::string hostname(std::string_view cluster_name, std::int64_t cluster, int nodenum,
                     std::string_view dns_suffix);

}  // namespace provisioner::model
