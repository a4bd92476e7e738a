#include "provisioner/providers/local/host/hosts_file.hpp"

#include <vector>

namespace provisioner::providers::local {

namespace {

constexpr std::string_view localhost =
    "127.0.0.1 localhost\n"
    "::1 localhost ip6-localhost ip6-loopback\n";

constexpr std::string_view mark = " # ";

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/// The machine that a line belongs to; empty for other lines.
std::string_view machine_of(std::string_view line) {
    const auto at = line.find(mark);
    return at == std::string_view::npos ? std::string_view{} : line.substr(at + mark.size());
}

}  // namespace

std::string short_name(std::string_view hostname) {
    return std::string(hostname.substr(0, hostname.find('.')));
}

std::string with_host(std::string_view text, const HostLine& line) {
    std::string result = text.empty() ? std::string(localhost) : without_host(text, line.machine);
    const std::string name = short_name(line.hostname);
    result += line.address + " " + line.hostname;
    if (name != line.hostname) result += " " + name;
    return result + std::string(mark) + line.machine + "\n";
}

std::string without_host(std::string_view text, std::string_view machine) {
    std::string result;
    for (const std::string_view line : lines_of(text)) {
        if (machine_of(line) == machine) continue;
        result.append(line).append("\n");
    }
    return result;
}

bool has_hosts(std::string_view text) {
    return text.find(mark) != std::string_view::npos;
}

}  // namespace provisioner::providers::local
