#include "provisioner/providers/digitalocean/names.hpp"

#include <vector>

#include "provisioner/base/ids.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::digitalocean {

namespace {

constexpr std::string_view prefix = "cooperage-";
constexpr std::size_t installation_digits = 8;
constexpr std::int64_t most_attempts = 1'000'000;

std::string named(const std::string& installation, const std::string& what) {
    Account account;
    account.installation = installation;
    return cloud::cloud_name(account, what);
}

std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto hyphen = text.find('-');
        parts.push_back(text.substr(0, hyphen));
        if (hyphen == std::string_view::npos) return parts;
        text = text.substr(hyphen + 1);
    }
}

}  // namespace

std::string short_installation(std::string_view installation) {
    return std::string(installation.substr(0, installation_digits));
}

std::string droplet_name(const cloud::Mark& mark) {
    return named(mark.installation, mark.name) + "-t" + std::to_string(mark.task) + "-" +
           std::to_string(mark.attempt);
}

std::optional<cloud::Mark> mark_of_belonging(std::string_view name) {
    if (!name.starts_with(prefix)) return std::nullopt;
    const auto parts = parts_of(name.substr(prefix.size()));
    if (parts.size() < 2 || parts.size() > 3 || parts[0].size() != installation_digits) {
        return std::nullopt;
    }
    cloud::Mark mark;
    mark.installation = parts[0];
    mark.cluster = parts[1];
    if (parts.size() == 3) mark.name = std::string(parts[1]) + "-" + std::string(parts[2]);
    return mark;
}

std::optional<cloud::Mark> mark_in_name(std::string_view name) {
    const auto task = name.rfind("-t");
    if (task == std::string_view::npos) return std::nullopt;
    auto mark = mark_of_belonging(name.substr(0, task));
    const auto numbers = parts_of(name.substr(task + 2));
    if (!mark || mark->name.empty() || numbers.size() != 2) return std::nullopt;
    const auto number = base::parse_number(numbers[0]);
    const auto attempt = base::parse_number(numbers[1]);
    if (!number || !attempt || *attempt > most_attempts) return std::nullopt;
    mark->task = *number;
    mark->attempt = static_cast<int>(*attempt);
    return mark;
}

std::string installation_tag(const std::string& installation) {
    return std::string(cloud::tag_installation) + ":" + installation;
}

std::string cluster_tag(const cloud::Mark& mark) {
    return std::string(cloud::tag_cluster) + ":" + short_installation(mark.installation) + "-" +
           mark.cluster;
}

std::string firewall_name(const cloud::Mark& mark) {
    return named(mark.installation, mark.cluster);
}

std::string volume_name(const cloud::Mark& mark) {
    return named(mark.installation, mark.name);
}

}  // namespace provisioner::providers::digitalocean
