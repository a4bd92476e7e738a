#pragma once

#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/providers/cloud/firewall.hpp"
#include "provisioner/providers/cloud/mark.hpp"

namespace provisioner::providers::joyent {

/// The tag by which the rules of a cluster find its machines. Unlike the cluster's number its value
/// tells installations apart that share an account.
inline constexpr std::string_view firewall_tag = "cooperage-firewall";

/// A rule of the firewall as the account lists it.
struct Rule {
    std::string id{};
    /// In the words of the cloud: FROM any TO tag "a" = "b" ALLOW tcp PORT 22.
    std::string text{};
    bool is_enabled = false;

    bool operator==(const Rule&) const = default;
};

/// What the rules of the cluster must be, sorted. `group` is the value of the tag. Machines of the
/// cluster reach each other; networks that are everywhere are "any". Source: Cloud Firewall rules
/// reference of Triton.
std::vector<std::string> rule_texts(const std::vector<cloud::FirewallRule>& wanted,
                                    const std::string& group);

/// The rules in a listing; throws cloud::Lost for other JSON.
std::vector<Rule> rules_in(const base::Json& listing);

/// The group whose machines the rule is for: what stands behind TO tag "cooperage-firewall". Empty
/// for rules of others.
std::string group_of(const Rule& rule);

/// What makes `there` the wanted rules of the group: texts that are missing, ids that are surplus.
/// Disabled rules are surplus, and so is the second of two that are alike.
struct RuleRepair {
    std::vector<std::string> missing{};
    std::vector<std::string> surplus{};
};
RuleRepair repair_of(const std::vector<Rule>& there, const std::vector<std::string>& wanted,
                     const std::string& group);

}  // namespace provisioner::providers::joyent
