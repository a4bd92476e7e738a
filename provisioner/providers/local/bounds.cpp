#include "provisioner/providers/local/bounds.hpp"

#include <charconv>

#include "provisioner/base/ids.hpp"
#include "provisioner/model/catalogue/ports.hpp"

namespace provisioner::providers::local {

namespace {

/// 16 TiB, more than any machine has.
constexpr long most_memory_mb = 16L * 1024 * 1024;
/// With fewer nobody could log in.
constexpr long least_processes = 16;
constexpr long most_processes = 4L * 1024 * 1024;
constexpr double least_cpus = 0.01;
constexpr double most_cpus = 10'000;

constexpr std::string_view one_file_name =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
constexpr std::size_t longest_name = 100;

}  // namespace

std::optional<long> memory_mb_in(std::string_view text) {
    const auto number = base::parse_number(text);
    if (!number || *number > most_memory_mb) return std::nullopt;
    return static_cast<long>(*number);
}

std::string rule_of_memory_mb() {
    return "a whole number of megabytes from 0 (no limit) to " + std::to_string(most_memory_mb);
}

std::optional<double> cpus_in(std::string_view text) {
    double number = 0;
    const char* const all = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), all, number, std::chars_format::fixed);
    if (error != std::errc() || end != all) return std::nullopt;
    const bool fine = number == 0 || (number >= least_cpus && number <= most_cpus);
    return fine ? std::optional(number) : std::nullopt;
}

std::string rule_of_cpus() {
    return "a number of processors: 0 (no limit) or from 0.01 to 10000";
}

std::optional<long> processes_in(std::string_view text) {
    const auto number = base::parse_number(text);
    if (!number || *number > most_processes) return std::nullopt;
    if (*number != 0 && *number < least_processes) return std::nullopt;
    return static_cast<long>(*number);
}

std::string rule_of_processes() {
    return "a number of processes: 0 (no limit) or from " + std::to_string(least_processes) +
           " to " + std::to_string(most_processes);
}

base::expected<std::vector<std::string>, std::string> ports_in(std::string_view text) {
    std::vector<std::string> ports;
    while (!text.empty()) {
        const auto comma = text.find(',');
        const std::string part(text.substr(0, comma));
        if (!model::port_range_in(part)) return base::unexpected(part);
        ports.push_back(part);
        text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
    }
    return ports;
}

std::string rule_of_ports() {
    return "of the form 80/tcp or 8000-8100/udp";
}

bool is_root_name(std::string_view text) {
    const bool has_characters = !text.empty() && text.size() <= longest_name;
    return has_characters && text.front() != '.' && text.front() != '-' &&
           text.find_first_not_of(one_file_name) == std::string_view::npos;
}

}  // namespace provisioner::providers::local
