#pragma once

#include <string>
#include <string_view>

namespace provisioner::providers::local {

/// A host of a cluster as the others see it.
struct HostLine {
    std::string address;
    /// Full name; the part before its first dot is the short name.
    std::string hostname;
    /// The machine's name, by which the line is found again.
    std::string machine;
};

/// The part of a full name before its first dot.
std::string short_name(std::string_view hostname);

/// The text of a cluster's hosts file with that line in it; a line of the same machine is replaced.
/// An empty text stands for a new file: the lines of localhost are added.
std::string with_host(std::string_view text, const HostLine& line);

/// The text without the line of that machine.
std::string without_host(std::string_view text, std::string_view machine);

/// Whether any machine's line is left.
bool has_hosts(std::string_view text);

}  // namespace provisioner::providers::local
