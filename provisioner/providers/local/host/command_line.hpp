#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "provisioner/base/expected.hpp"
#include "provisioner/providers/local/host/machine.hpp"
#include "provisioner/providers/local/host/root_image.hpp"

namespace provisioner::providers::local {

/// `stop NAME --state DIR [--task N]`.
///
/// Each command is a value. parse_command_line() makes it without I/O, and main.cpp carries it out
/// by a visit. So tests cover every wrong word without root.
struct StopCommand {
    std::filesystem::path state;
    std::string name;
    /// The task that asks; 0 means any machine of that name.
    long long task = 0;
};

/// `status NAME --state DIR`.
struct StatusCommand {
    std::filesystem::path state;
    std::string name;
};

/// `list --state DIR`.
struct ListCommand {
    std::filesystem::path state;
};

/// `cleanup --state DIR`.
struct CleanupCommand {
    std::filesystem::path state;
};

/// `serve --socket S --group G --user U --state DIR --roots DIR [--max N] [--max-processes N]
/// [--memory-mb N] [--machine-ports LIST] [--wait N] [--mix-tenants on|off]`, or `serve --config
/// FILE [--wait N]`: then the settings file says what the other words would.
struct ServeCommand {
    /// Empty if the words themselves say everything.
    std::filesystem::path config{};
    std::filesystem::path socket{};
    /// Name of the group that may connect.
    std::string group{};
    /// Name of the user whose requests are carried out, besides root's.
    std::string user{};
    std::filesystem::path state{};
    std::filesystem::path roots{};
    /// Refuses if this many machines exist already; a request can only lower it.
    long max_hosts = default_max_hosts;
    /// Most processes of a host; a request can only lower it. 0: no limit.
    long max_processes = default_processes;
    /// Memory of a host whose request names none. 0: no limit.
    long memory_mb = default_memory_mb;
    /// Seconds to stand by while another process serves on the socket; 0: do not.
    long wait = 0;
    /// Ports of this machine that every host may reach: "3142/tcp".
    std::vector<std::string> machine_ports{};
    /// Whether hosts of several tenants may be here although isolation is impossible.
    bool mixes_tenants = false;
};

/// `help`, `--help` or `--man`; the only command that does not need root.
struct HelpCommand {
    /// Whether the manual page is wanted.
    bool is_page = false;
};

/// One call of the program. RootRequest is `root`, StartRequest is `start`.
using Command = std::variant<RootRequest, StartRequest, StopCommand, StatusCommand, ListCommand,
                             CleanupCommand, ServeCommand, HelpCommand>;

/// Parses and checks the words after the program's name. On failure a sentence that names the first
/// wrong word. No I/O: paths are not looked at.
base::expected<Command, std::string> parse_command_line(const std::vector<std::string>& words);

/// What is wrong with the name of a machine or cluster; empty if it is fine. Names are 1 to 100
/// letters, digits, '.', '_' and '-', and begin with a letter or digit. They become file names.
/// `what` begins the sentence.
std::string name_trouble(const std::string& what, const std::string& name);

}  // namespace provisioner::providers::local
