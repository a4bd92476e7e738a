#include "provisioner/providers/cloudstack/security_groups.hpp"

#include <algorithm>

#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::cloudstack {
namespace asio = boost::asio;

namespace {

constexpr int last_port = 65535;

int number_at(const base::Json& json, std::string_view member, int fallback) {
    const base::Json* number = base::member(json, member);
    return number != nullptr && number->is_number_integer() ? number->get<int>() : fallback;
}

std::string group_name(const Account& account, const std::string& cluster) {
    return cloud::cloud_name(account, cluster);
}

/// Zones without security groups know the call, but refuse it.
bool has_no_groups(const http_client::Reply& reply) {
    const Trouble trouble = trouble_in(reply);
    return trouble.code == 431 || trouble.code == 432;
}

}  // namespace

bool GroupRule::is_like(const GroupRule& other) const {
    return protocol == other.protocol && first_port == other.first_port &&
           last_port == other.last_port && range == other.range && group == other.group;
}

std::vector<GroupRule> wanted_group_rules(const std::vector<cloud::FirewallRule>& wanted,
                                          const std::string& group) {
    std::vector<GroupRule> rules;
    for (const cloud::FirewallRule& rule : wanted) {
        rules.push_back({.protocol = rule.protocol,
                         .first_port = rule.first_port,
                         .last_port = rule.last_port,
                         .range = rule.range});
    }
    for (const char* protocol : {"tcp", "udp"}) {
        rules.push_back(
            {.protocol = protocol, .first_port = 1, .last_port = last_port, .group = group});
    }
    rules.push_back({.protocol = "icmp", .first_port = -1, .last_port = -1, .group = group});
    return rules;
}

std::vector<GroupRule> group_rules_in(const base::Json& group) {
    std::vector<GroupRule> rules;
    for (const base::Json& entry : entries_in(group, "ingressrule")) {
        GroupRule rule;
        rule.id = base::text_at(entry, "ruleid");
        rule.protocol = base::text_at(entry, "protocol");
        const bool is_icmp = rule.protocol == "icmp";
        rule.first_port = number_at(entry, is_icmp ? "icmptype" : "startport", -1);
        rule.last_port = number_at(entry, is_icmp ? "icmpcode" : "endport", -1);
        rule.range = base::text_at(entry, "cidr");
        rule.group = base::text_at(entry, "securitygroupname");
        rules.push_back(std::move(rule));
    }
    return rules;
}

Params authorization(const std::string& group_id, const std::string& account,
                     const GroupRule& rule) {
    const bool is_icmp = rule.protocol == "icmp";
    Params params{{"securitygroupid", group_id}, {"protocol", rule.protocol}};
    params[is_icmp ? "icmptype" : "startport"] = std::to_string(rule.first_port);
    params[is_icmp ? "icmpcode" : "endport"] = std::to_string(rule.last_port);
    if (rule.group.empty()) {
        params["cidrlist"] = rule.range;
    } else {
        params["usersecuritygrouplist[0].account"] = account;
        params["usersecuritygrouplist[0].group"] = rule.group;
    }
    return params;
}

asio::awaitable<std::vector<base::Json>> SecurityGroups::groups(const Account& account,
                                                                std::string name) {
    Params params;
    if (!name.empty()) params["securitygroupname"] = name;
    auto listing = api_.list(account, "listSecurityGroups", std::move(params), "securitygroup");
    std::vector<base::Json> found = co_await std::move(listing);
    co_return found;
}

// The group goes with the last other machine of the cluster; rules may be mended by another one.
asio::awaitable<void> SecurityGroups::change(const Account& account, std::string command,
                                             Params params) {
    auto sending = api_.send(account, std::move(command), std::move(params));
    const http_client::Reply reply = co_await std::move(sending);
    const Trouble trouble = trouble_in(reply);
    if (is_unknown(trouble)) {
        throw cloud::NotYet(std::chrono::seconds{1},
                            "the security group changed meanwhile: " + trouble.text);
    }
    answer_in(reply, api_.now());
}

asio::awaitable<void> SecurityGroups::repair(const cloud::Order& order, const base::Json& group) {
    const auto there = group_rules_in(group);
    const auto wanted = wanted_group_rules(cloud::wanted_rules(order.account, order.spec),
                                           base::text_at(group, "name"));
    const auto has = [](const std::vector<GroupRule>& rules, const GroupRule& rule) {
        return std::any_of(rules.begin(), rules.end(),
                           [&](const GroupRule& other) { return other.is_like(rule); });
    };
    const std::string id = word_at(group, "id");
    const std::string owner = base::text_at(group, "account");
    for (const GroupRule& rule : wanted) {
        if (has(there, rule)) continue;
        auto adding =
            change(order.account, "authorizeSecurityGroupIngress", authorization(id, owner, rule));
        co_await std::move(adding);
    }
    for (const GroupRule& rule : there) {
        if (has(wanted, rule)) continue;
        Params params{{"id", rule.id}};
        auto revoking = change(order.account, "revokeSecurityGroupIngress", std::move(params));
        co_await std::move(revoking);
    }
}

asio::awaitable<std::string> SecurityGroups::repaired(const cloud::Order& order) {
    const std::string name = group_name(order.account, order.spec.cluster);
    auto looking = groups(order.account, name);
    std::vector<base::Json> found = co_await std::move(looking);
    if (found.empty()) {
        Params params{{"name", name}, {"description", order.account.installation}};
        auto making = api_.send(order.account, "createSecurityGroup", std::move(params));
        const http_client::Reply reply = co_await std::move(making);
        // Another machine of the cluster may have been quicker.
        if (reply.status == 431) {
            throw cloud::NotYet(std::chrono::seconds{1},
                                "the security group is being made: " + trouble_in(reply).text);
        }
        const base::Json answer = answer_in(reply, api_.now());
        const base::Json* made = base::member(answer, "securitygroup");
        if (made == nullptr) throw cloud::Lost("the answer has no security group");
        found.push_back(*made);
    }
    const base::Json group = found.front();
    if (base::text_at(group, "description") != order.account.installation) {
        throw cloud::wrong("the security group " + name +
                           " belongs to somebody else: rename or delete it");
    }
    auto repairing = repair(order, group);
    co_await std::move(repairing);
    co_return word_at(group, "id");
}

asio::awaitable<void> SecurityGroups::remove(const Account& account, const cloud::Mark& mark) {
    Params params{{"securitygroupname", group_name(account, mark.cluster)}};
    auto looking = api_.send(account, "listSecurityGroups", std::move(params));
    const http_client::Reply listed = co_await std::move(looking);
    if (has_no_groups(listed)) co_return;
    const auto found = entries_in(answer_in(listed, api_.now()), "securitygroup");
    for (const base::Json& group : found) {
        if (base::text_at(group, "description") != account.installation) continue;
        Params id{{"id", word_at(group, "id")}};
        auto deleting = api_.send(account, "deleteSecurityGroup", std::move(id));
        const http_client::Reply reply = co_await std::move(deleting);
        const Trouble trouble = trouble_in(reply);
        if (trouble.code == 536 || is_unknown(trouble)) continue;
        answer_in(reply, api_.now());
    }
}

asio::awaitable<std::vector<cloud::Leftover>> SecurityGroups::leftovers(
    const Account& account, const std::vector<cloud::CloudMachine>& machines) {
    std::vector<cloud::Leftover> left;
    auto looking = api_.send(account, "listSecurityGroups", Params{});
    const http_client::Reply first = co_await std::move(looking);
    if (has_no_groups(first)) co_return left;
    auto listing = groups(account, "");
    const std::vector<base::Json> all = co_await std::move(listing);
    const std::string prefix = group_name(account, "");
    for (const base::Json& group : all) {
        const std::string name = base::text_at(group, "name");
        const bool is_ours =
            name.starts_with(prefix) && base::text_at(group, "description") == account.installation;
        if (!is_ours) continue;
        cloud::Leftover leftover{.id = word_at(group, "id"), .kind = "security group"};
        leftover.mark.installation = account.installation;
        leftover.mark.cluster = name.substr(prefix.size());
        const bool has_machine =
            std::any_of(machines.begin(), machines.end(), [&](const auto& machine) {
                return machine.mark.cluster == leftover.mark.cluster &&
                       machine.state != cloud::CloudMachine::State::gone;
            });
        if (!has_machine) left.push_back(std::move(leftover));
    }
    co_return left;
}

}  // namespace provisioner::providers::cloudstack
