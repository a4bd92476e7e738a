#pragma once

#include <string>

#include "provisioner/providers/local/host/command_line.hpp"

namespace provisioner::providers::local {

/// Exit codes of the program.
enum Exit { done = 0, failed = 1, not_understood = 2, refused = 3 };

/// Carries out one command. Prints its answer as lines of JSON on standard output, and text for
/// people on standard error. Never throws. Only for a program with one thread, because
/// start_machine() clones it.
Exit carry_out(const Command& command);

/// Prints the answer to words that are no command: `message`, as an error of kind "usage".
Exit answer_misunderstood(const std::string& message);

}  // namespace provisioner::providers::local
