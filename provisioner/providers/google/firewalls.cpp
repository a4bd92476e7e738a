#include "provisioner/providers/google/firewalls.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/firewall.hpp"
#include "provisioner/providers/google/names.hpp"
#include "provisioner/providers/google/requests.hpp"

namespace provisioner::providers::google {

using base::Json;
using cloud::FirewallRule;

namespace {

constexpr int ssh_port = 22;

/// Rules of Compute Engine have ranges of one family and allow every port from every range.
struct Rules {
    std::set<std::string> ranges{};
    /// Protocol -> "80" or "8000-8100".
    std::map<std::string, std::set<std::string>> ports{};
};

std::string ports_text(const FirewallRule& rule) {
    const std::string first = std::to_string(rule.first_port);
    return rule.first_port == rule.last_port ? first : first + "-" + std::to_string(rule.last_port);
}

std::string rule_kind(const FirewallRule& rule) {
    const bool is_ssh =
        rule.protocol == "tcp" && rule.first_port == ssh_port && rule.last_port == ssh_port;
    const bool is_v6 = rule.range.find(':') != std::string::npos;
    return std::string(is_ssh ? "ssh" : "ports") + (is_v6 ? "6" : "");
}

Json rule_body(const std::string& tag, const std::string& kind, const std::string& network) {
    return {{"name", tag + "-" + kind},
            {"description", "Made by Cooperage for a cluster; goes with it"},
            {"network", network},
            {"direction", "INGRESS"},
            {"targetTags", Json::array({tag})}};
}

Json inner_rule(const std::string& tag, const std::string& network) {
    Json body = rule_body(tag, "cluster", network);
    body["sourceTags"] = Json::array({tag});
    body["allowed"] = Json::array({Json{{"IPProtocol", "all"}}});
    return body;
}

Json outer_rule(const std::string& tag, const std::string& kind, const std::string& network,
                const Rules& rules) {
    Json body = rule_body(tag, kind, network);
    body["sourceRanges"] = Json(rules.ranges);
    body["allowed"] = Json::array();
    for (const auto& [protocol, ports] : rules.ports) {
        body["allowed"].push_back({{"IPProtocol", protocol}, {"ports", Json(ports)}});
    }
    return body;
}

/// The texts of a list, sorted, whatever order Compute Engine gives them.
std::set<std::string> texts_at(const Json& rule, std::string_view name) {
    const auto texts = base::strings_of(base::member(rule, name));
    return {texts.begin(), texts.end()};
}

/// "tcp/80": what a rule lets in, in a form that can be compared.
std::set<std::string> allowed_by(const Json& rule) {
    std::set<std::string> all;
    const Json* allowed = base::member(rule, "allowed");
    if (allowed == nullptr || !allowed->is_array()) return all;
    for (const Json& entry : *allowed) {
        const std::string protocol = base::text_at(entry, "IPProtocol");
        const auto ports = texts_at(entry, "ports");
        if (ports.empty()) all.insert(protocol);
        for (const std::string& port : ports) all.insert(protocol + "/" + port);
    }
    return all;
}

bool is_off(const Json& rule) {
    const Json* disabled = base::member(rule, "disabled");
    return disabled != nullptr && *disabled == true;
}

bool is_equal(const Json& there, const Json& wanted) {
    if (is_off(there) || base::text_at(there, "direction") != base::text_at(wanted, "direction"))
        return false;
    if (base::member(there, "denied") != nullptr) return false;
    for (const std::string_view list : {"sourceRanges", "sourceTags", "targetTags"}) {
        if (texts_at(there, list) != texts_at(wanted, list)) return false;
    }
    return allowed_by(there) == allowed_by(wanted);
}

bool is_in_same_network(const Json& there, const Json& wanted) {
    return last_part(base::text_at(there, "network")) ==
           last_part(base::text_at(wanted, "network"));
}

}  // namespace

std::vector<Json> wanted_firewalls(const Account& account, const MachineSpec& spec) {
    const std::string tag = cluster_tag(account, spec.cluster);
    const std::string network = network_link(cloud::setting(account, spec, "network"));
    std::map<std::string, Rules> kinds;
    for (const FirewallRule& rule : cloud::wanted_rules(account, spec)) {
        Rules& rules = kinds[rule_kind(rule)];
        rules.ranges.insert(rule.range);
        rules.ports[rule.protocol].insert(ports_text(rule));
    }
    std::vector<Json> wanted{inner_rule(tag, network)};
    for (const auto& [kind, rules] : kinds) {
        wanted.push_back(outer_rule(tag, kind, network, rules));
    }
    return wanted;
}

FirewallChanges firewall_changes(const std::vector<Json>& there, const std::vector<Json>& wanted) {
    FirewallChanges changes;
    std::set<std::string> found;
    for (const Json& rule : there) {
        const std::string name = base::text_at(rule, "name");
        const auto match = std::find_if(wanted.begin(), wanted.end(), [&](const Json& one) {
            return base::text_at(one, "name") == name;
        });
        found.insert(name);
        if (match == wanted.end() || !is_in_same_network(rule, *match)) {
            changes.surplus.push_back(name);
        } else if (!is_equal(rule, *match)) {
            changes.different.push_back(*match);
        }
    }
    for (const Json& rule : wanted) {
        if (!found.contains(base::text_at(rule, "name"))) changes.missing.push_back(rule);
    }
    return changes;
}

std::string firewall_filter(const std::string& prefix) {
    return "name eq '" + prefix + ".*'";
}

std::string cluster_of_firewall(const Account& account, const std::string& rule) {
    const std::string prefix = installation_prefix(account);
    if (!rule.starts_with(prefix)) return "";
    const std::string rest = rule.substr(prefix.size());
    const auto hyphen = rest.find('-');
    return hyphen == std::string::npos ? "" : rest.substr(0, hyphen);
}

bool makes_firewalls(const Account& account, const MachineSpec& spec) {
    const bool is_of_others =
        cloud::setting(account, spec, "network").find('/') != std::string::npos;
    const bool is_wanted = cloud::is_yes(cloud::setting(account, spec, "google_firewall"), true);
    return is_wanted && !is_of_others && !spec.cluster.empty();
}

}  // namespace provisioner::providers::google
