#include "provisioner/providers/cloud/mark.hpp"

#include <algorithm>

#include "provisioner/base/ids.hpp"
#include "provisioner/identity/checksum.hpp"

namespace provisioner::providers::cloud {

namespace {

constexpr std::size_t installation_digits = 8;
constexpr std::size_t longest_name = 63;

std::string at(const std::map<std::string, std::string>& tags, std::string_view name) {
    const auto found = tags.find(std::string(name));
    return found == tags.end() ? "" : found->second;
}

}  // namespace

Mark mark_of(const Account& account, const MachineSpec& spec) {
    Mark mark = cluster_mark_of(account, spec);
    mark.name = spec.name;
    mark.task = spec.task;
    mark.attempt = spec.attempt;
    return mark;
}

Mark cluster_mark_of(const Account& account, const MachineSpec& spec) {
    Mark mark;
    mark.installation = account.installation;
    mark.cluster = spec.cluster;
    return mark;
}

std::map<std::string, std::string> tags_of(const Mark& mark) {
    std::map<std::string, std::string> tags;
    const auto put = [&](std::string_view name, const std::string& value) {
        if (!value.empty()) tags[std::string(name)] = value;
    };
    put(tag_installation, mark.installation);
    put(tag_cluster, mark.cluster);
    put(tag_machine, mark.name);
    if (mark.task > 0) {
        put(tag_task, std::to_string(mark.task) + "-" + std::to_string(mark.attempt));
    }
    return tags;
}

Mark mark_in(const std::map<std::string, std::string>& tags) {
    Mark mark;
    mark.installation = at(tags, tag_installation);
    mark.cluster = at(tags, tag_cluster);
    mark.name = at(tags, tag_machine);
    const std::string task = at(tags, tag_task);
    const auto hyphen = task.find('-');
    if (hyphen == std::string::npos) return mark;
    mark.task = base::parse_number(task.substr(0, hyphen)).value_or(0);
    const auto attempt = base::parse_number(task.substr(hyphen + 1)).value_or(0);
    mark.attempt = static_cast<int>(std::min<std::int64_t>(attempt, 1'000'000));
    return mark;
}

std::string token_of(const Account& account, const MachineSpec& spec, std::string_view part) {
    return identity::checksum(account.installation + "\n" + spec.name + "\n" +
                              std::to_string(spec.task) + "\n" + std::to_string(spec.attempt) +
                              "\n" + std::string(part));
}

std::string uuid_of(const Account& account, const MachineSpec& spec, std::string_view part) {
    std::string digits = token_of(account, spec, part).substr(0, 32);
    digits[12] = '8';
    digits[16] = '8';
    for (const std::size_t hyphen : {8, 13, 18, 23}) digits.insert(hyphen, "-");
    return digits;
}

std::string cloud_name(const Account& account, std::string_view name) {
    std::string text = "cooperage-" + account.installation.substr(0, installation_digits) + "-";
    for (const char c : name) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        text += is_plain ? c : '-';
    }
    return text.substr(0, longest_name);
}

}  // namespace provisioner::providers::cloud
