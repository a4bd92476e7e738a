#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "provisioner/base/expected.hpp"
#include "provisioner/providers/local/host/machine.hpp"
#include "provisioner/providers/local/host/root_image.hpp"

namespace provisioner::providers::local {

struct StopCommand {
    std::filesystem::path state;
    std::string name;
    /// Who asks; 0: somebody who means whichever machine is there.
    long long task = 0;
};

struct StatusCommand {
    std::filesystem::path state;
    std::string name;
};

struct ListCommand {
    std::filesystem::path state;
};

struct CleanupCommand {
    std::filesystem::path state;
};

struct HelpCommand {};

using Command = std::variant<RootRequest, StartRequest, StopCommand, StatusCommand, ListCommand,
                             CleanupCommand, HelpCommand>;

/// What `cooperage-local-host --help` prints.
extern const char* const usage;

/// Understands the words after the program's name, or says in a sentence which one is wrong.
base::expected<Command, std::string> parse_command_line(const std::vector<std::string>& words);

/// What is wrong with a machine's or cluster's name; empty when it is fine: 1 to 100 letters,
/// digits, '.', '_' and
/// '-', beginning with a letter or digit (it becomes a file name).
std::string name_trouble(const std::string& what, const std::string& name);

}  // namespace provisioner::providers::local
