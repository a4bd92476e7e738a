#include "provisioner/providers/joyent/rules.hpp"

#include <algorithm>
#include <set>

#include "provisioner/providers/cloud/failures.hpp"

namespace provisioner::providers::joyent {

namespace {

std::string tag(const std::string& group) {
    return "tag \"" + std::string(firewall_tag) + "\" = \"" + group + "\"";
}

/// Both families are "any"; a network of one address is an "ip".
std::string source_of(const std::string& range) {
    const auto slash = range.find('/');
    const std::string address = range.substr(0, slash);
    const std::string length = range.substr(slash + 1);
    if (length == "0") return "any";
    const bool is_v6 = address.find(':') != std::string::npos;
    return length == (is_v6 ? "128" : "32") ? "ip " + address : "subnet " + range;
}

std::string ports_of(const cloud::FirewallRule& rule) {
    const std::string first = std::to_string(rule.first_port);
    if (rule.first_port == rule.last_port) return "PORT " + first;
    return "PORTS " + first + " - " + std::to_string(rule.last_port);
}

}  // namespace

std::vector<std::string> rule_texts(const std::vector<cloud::FirewallRule>& wanted,
                                    const std::string& group) {
    std::set<std::string> texts;
    const std::string within = "FROM " + tag(group) + " TO " + tag(group) + " ALLOW ";
    for (const char* all : {"tcp PORT all", "udp PORT all", "icmp TYPE all"}) {
        texts.insert(within + all);
    }
    for (const cloud::FirewallRule& rule : wanted) {
        texts.insert("FROM " + source_of(rule.range) + " TO " + tag(group) + " ALLOW " +
                     rule.protocol + " " + ports_of(rule));
    }
    return {texts.begin(), texts.end()};
}

std::vector<Rule> rules_in(const base::Json& listing) {
    if (!listing.is_array()) throw cloud::Lost("the provider's list of firewall rules is no list");
    std::vector<Rule> rules;
    for (const base::Json& entry : listing) {
        const base::Json* enabled = base::member(entry, "enabled");
        Rule rule;
        rule.id = base::text_at(entry, "id");
        rule.text = base::text_at(entry, "rule");
        rule.is_enabled = enabled != nullptr && *enabled == true;
        rules.push_back(std::move(rule));
    }
    return rules;
}

std::string group_of(const Rule& rule) {
    const std::string before = " TO tag \"" + std::string(firewall_tag) + "\" = \"";
    const auto begin = rule.text.find(before);
    if (begin == std::string::npos) return "";
    const auto end = rule.text.find('"', begin + before.size());
    if (end == std::string::npos) return "";
    return rule.text.substr(begin + before.size(), end - begin - before.size());
}

RuleRepair repair_of(const std::vector<Rule>& there, const std::vector<std::string>& wanted,
                     const std::string& group) {
    RuleRepair repair;
    std::set<std::string> missing(wanted.begin(), wanted.end());
    for (const Rule& rule : there) {
        if (group_of(rule) != group) continue;
        const bool is_wanted = rule.is_enabled && missing.erase(rule.text) > 0;
        if (!is_wanted) repair.surplus.push_back(rule.id);
    }
    repair.missing.assign(missing.begin(), missing.end());
    return repair;
}

}  // namespace provisioner::providers::joyent
