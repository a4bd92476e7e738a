#pragma once

#include <string>
#include <string_view>

namespace provisioner::providers::local {

/// A line of a cluster's hosts file, which all hosts of the cluster see as /etc/hosts.
struct HostLine {
    /// IPv4 address.
    std::string address;
    /// Full name. The part before its first dot is added as the short name.
    std::string hostname;
    /// The machine's name; a comment at the end of the line, by which the line is found again.
    std::string machine;
};

/// The part of a full name before its first dot; the whole name if there is none.
std::string short_name(std::string_view hostname);

/// The text of the file with that line at its end. An older line of the same machine is dropped. An
/// empty text stands for a new file and gets the lines of localhost first.
std::string with_host(std::string_view text, const HostLine& line);

/// The text without the lines of that machine.
std::string without_host(std::string_view text, std::string_view machine);

/// Whether the line of any machine is left.
bool has_hosts(std::string_view text);

}  // namespace provisioner::providers::local
