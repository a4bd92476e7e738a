#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/expected.hpp"

namespace provisioner::providers::local {

// What a host may be given. The provider checks it before it starts cooperage-local-host, and that
// program checks its own command line by the same functions.

/// Limit of hosts in a state directory, if neither the settings nor the command line name one.
inline constexpr long default_max_hosts = 64;

/// Most processes and threads of a host where nobody says how many.
inline constexpr long default_processes = 4096;

/// Megabytes of memory of a host whose hardware type names none, unless the settings say otherwise.
inline constexpr long default_memory_mb = 2048;

/// The number of mebibytes in the text: 0 (no limit) to 16777216. Nothing for any other text.
std::optional<long> memory_mb_in(std::string_view text);
/// Completes "is not ..." for such a number.
std::string rule_of_memory_mb();

/// The number of processors in the text: 0 (no limit), or 0.01 to 10000. Nothing for any other
/// text. The kernel accepts no quota below 1 ms in a period of 100 ms.
std::optional<double> cpus_in(std::string_view text);
/// Completes "is not ..." for such a number.
std::string rule_of_cpus();

/// The number of processes and threads in the text: 0 (no limit), or 16 to 4194304, the most a
/// kernel has. Nothing for any other text.
std::optional<long> processes_in(std::string_view text);
/// Completes "is not ..." for such a number.
std::string rule_of_processes();

/// The ports in a list with commas, each "80/tcp" or "8000-8100/udp"; none for an empty text. On
/// failure the first part that is of another form.
base::expected<std::vector<std::string>, std::string> ports_in(std::string_view text);
/// Completes "is not ..." for such a part.
std::string rule_of_ports();

/// Whether the text can name a shared root: a plain file name (letters, digits, '.', '_', '+', '-',
/// at most 100) that begins with neither dot nor hyphen. So it cannot leave the directory of roots.
bool is_root_name(std::string_view text);

}  // namespace provisioner::providers::local
