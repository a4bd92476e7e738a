#include "provisioner/providers/google/names.hpp"

#include <algorithm>

#include "provisioner/base/ids.hpp"

namespace provisioner::providers::google {

namespace {

/// "-10-2": what is behind the last but one hyphen, as numbers.
struct Turn {
    long long task = 0;
    int attempt = 0;
    std::size_t begins_at = 0;
};

std::optional<Turn> turn_in(std::string_view name) {
    const auto second = name.rfind('-');
    if (second == std::string_view::npos || second == 0) return std::nullopt;
    const auto first = name.rfind('-', second - 1);
    if (first == std::string_view::npos) return std::nullopt;
    const auto task = base::parse_number(name.substr(first + 1, second - first - 1));
    const auto attempt = base::parse_number(name.substr(second + 1));
    if (!task || !attempt) return std::nullopt;
    Turn turn;
    turn.task = *task;
    turn.attempt = static_cast<int>(std::min<std::int64_t>(*attempt, 1'000'000));
    turn.begins_at = first;
    return turn;
}

}  // namespace

std::string machine_name(const Account& account, const cloud::Mark& mark) {
    const std::string turn =
        "-" + std::to_string(mark.task) + "-" + std::to_string(std::max(mark.attempt, 0));
    return cloud::cloud_name(account, mark.name).substr(0, 63 - turn.size()) + turn;
}

std::string installation_prefix(const Account& account) {
    return cloud::cloud_name(account, "");
}

cloud::Mark mark_in_name(const Account& account, std::string_view machine) {
    cloud::Mark mark;
    const std::string prefix = installation_prefix(account);
    const auto turn = turn_in(machine);
    if (!machine.starts_with(prefix) || !turn || turn->begins_at <= prefix.size()) return mark;
    mark.installation = account.installation;
    mark.name = machine.substr(prefix.size(), turn->begins_at - prefix.size());
    mark.cluster = mark.name.substr(0, mark.name.find('-'));
    mark.task = turn->task;
    mark.attempt = turn->attempt;
    return mark;
}

std::string cluster_tag(const Account& account, const std::string& cluster) {
    return cloud::cloud_name(account, cluster);
}

std::string last_part(std::string_view link) {
    const auto slash = link.rfind('/');
    return std::string(slash == std::string_view::npos ? link : link.substr(slash + 1));
}

std::string zone_in(std::string_view link) {
    constexpr std::string_view word = "/zones/";
    const auto found = link.find(word);
    if (found == std::string_view::npos) return "";
    const auto rest = link.substr(found + word.size());
    return std::string(rest.substr(0, rest.find('/')));
}

std::string region_of(std::string_view zone) {
    return std::string(zone.substr(0, zone.rfind('-')));
}

}  // namespace provisioner::providers::google
