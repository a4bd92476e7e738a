#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "provisioner/base/expected.hpp"
#include "provisioner/providers/local/host/command_line.hpp"

namespace provisioner::providers::local {

/// The command that a request on the helper's socket asks for, or a sentence that names the first
/// wrong member. No I/O.
///
/// A request is one line with a JSON object whose members are texts:
///
///     {"verb":"start","name":"00000001-1001","image":"debian12","cluster":"00000001",
///      "hostname":"web.demo","key":"ssh-ed25519 AAAA","ssh_user":"root","memory_mb":"512",
///      "cpus":"0.5","processes":"500","open":"80/tcp,8000-8100/udp","max_hosts":"20",
///      "task":"17","tenant":"3"}
///     {"verb":"status","name":"00000001-1001"}
///     {"verb":"stop","name":"00000001-1001","task":"18"}
///     {"verb":"list"}
///
/// Everything in it is taken as hostile. State directory, directory of roots and the highest limit
/// of hosts come from `settings`; a request cannot name a path, and `max_hosts` and `processes` can
/// only lower the limits. The other members become the options of the command line and are
/// checked as those are (parse_command_line()).
base::expected<Command, std::string> command_in(std::string_view request,
                                                const ServeCommand& settings);

}  // namespace provisioner::providers::local
