#include "provisioner/providers/aws/groups.hpp"

#include <algorithm>

#include "provisioner/providers/aws/fields.hpp"
#include "provisioner/providers/aws/launch.hpp"
#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::aws {
namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds seen_again_after{1};
/// EC2's word for all protocols; such rules have no ports.
constexpr auto all_protocols = "-1";

/// The network of the placement: that of its subnet, else the region's default one.
asio::awaitable<std::string> vpc_of(Api& api, const cloud::Placement& placement) {
    if (placement.zone.starts_with("subnet-")) {
        Query query("DescribeSubnets");
        query.add_list("SubnetId", {placement.zone});
        const auto reply = co_await api.call(std::move(query));
        const auto subnets = things_in(reply, "subnetSet", "subnetId");
        if (subnets.empty()) throw cloud::wrong("there is no subnet " + placement.zone);
        co_return subnets[0].vpc;
    }
    Query query("DescribeVpcs");
    query.add_filter("is-default", {"true"});
    const auto reply = co_await api.call(std::move(query));
    const auto networks = things_in(reply, "vpcSet", "vpcId");
    if (networks.empty()) {
        throw cloud::wrong("the region has no default VPC: subnet_id must name a subnet");
    }
    co_return networks[0].id;
}

asio::awaitable<std::vector<std::string>> named_groups(Api& api, const cloud::Order& order,
                                                       std::vector<std::string> names) {
    const std::string vpc = co_await vpc_of(api, order.placement);
    Query query("DescribeSecurityGroups");
    query.add_filter("vpc-id", {vpc});
    const auto replies = co_await api.pages(std::move(query));
    std::vector<Thing> groups;
    for (const auto& reply : replies) {
        const auto more = things_in(reply, "securityGroupInfo", "groupId");
        groups.insert(groups.end(), more.begin(), more.end());
    }
    std::vector<std::string> known;
    for (const Thing& group : groups) known.push_back(group.name);
    std::vector<std::string> ids;
    for (const std::string& name : names) {
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const Thing& group) {
            return group.name == name || group.id == name;
        });
        if (found == groups.end()) {
            throw cloud::wrong(
                "security_groups: " + cloud::unknown_name("security group", name, known) + " (in " +
                vpc + ")");
        }
        cloud::refuse_own_name("security_groups", found->name);
        ids.push_back(found->id);
    }
    co_return ids;
}

/// The cluster's groups; at most one, unless machines of the cluster are in several networks.
asio::awaitable<std::vector<Group>> own_groups(Api& api, cloud::Mark mark, std::string vpc) {
    Query query("DescribeSecurityGroups");
    query.add_filter("tag:" + std::string(cloud::tag_installation), {mark.installation});
    query.add_filter("tag:" + std::string(cloud::tag_cluster), {mark.cluster});
    query.add_filter("vpc-id", {vpc});
    const auto reply = co_await api.call(std::move(query));
    co_return groups_in(reply);
}

/// Changes rules. Somebody who changed them at the same time is found by looking again.
asio::awaitable<void> change(Api& api, Query query) {
    const Outcome outcome = co_await api.ask(query);
    if (!outcome.error) co_return;
    const std::string& code = outcome.error->code;
    if (code == "InvalidPermission.Duplicate" || outcome.error->is_not_found()) {
        throw cloud::NotYet(seen_again_after, "the cluster's security group is changing");
    }
    api.refuse(outcome, query);
}

asio::awaitable<void> repair(Api& api, Group group, std::vector<cloud::FirewallRule> wanted) {
    const cloud::RuleChanges changes = cloud::changes_of(group.rules, wanted);
    if (!changes.missing.empty() || !group.is_open_inside) {
        Query query = change_rules("AuthorizeSecurityGroupIngress", group.id, changes.missing,
                                   !group.is_open_inside);
        co_await change(api, std::move(query));
    }
    if (!changes.surplus.empty()) {
        Query query = change_rules("RevokeSecurityGroupIngress", group.id, changes.surplus, false);
        co_await change(api, std::move(query));
    }
}

asio::awaitable<Group> make_group(Api& api, Account account, cloud::Mark mark, std::string vpc) {
    const Query query = create_group(account, mark, vpc);
    Outcome outcome = co_await api.ask(query);
    if (outcome.error && outcome.error->code == "InvalidGroup.Duplicate") {
        throw cloud::NotYet(seen_again_after, "the cluster's security group is being made");
    }
    if (outcome.error) api.refuse(outcome, query);
    Group group;
    group.id = text_below_root(outcome.reply, "groupId");
    co_return group;
}

asio::awaitable<std::vector<std::string>> cluster_group(Api& api, const cloud::Order& order) {
    const std::string vpc = co_await vpc_of(api, order.placement);
    const cloud::Mark mark = cloud::cluster_mark_of(order.account, order.spec);
    std::vector<Group> groups = co_await own_groups(api, mark, vpc);
    if (groups.empty()) {
        Group made = co_await make_group(api, order.account, mark, vpc);
        groups.push_back(std::move(made));
    }
    std::vector<cloud::FirewallRule> wanted = cloud::wanted_rules(order.account, order.spec);
    const std::string id = groups[0].id;
    co_await repair(api, groups[0], std::move(wanted));
    co_return std::vector<std::string>{id};
}

}  // namespace

asio::awaitable<std::vector<std::string>> groups_for(Api& api, const cloud::Order& order) {
    const auto setting_list = [&](const char* name) {
        return cloud::list_in(cloud::setting(order.account, order.spec, name));
    };
    std::vector<std::string> ids = setting_list("security_group_ids");
    if (!ids.empty()) co_return ids;
    std::vector<std::string> names = setting_list("security_groups");
    if (names.empty()) {
        ids = co_await cluster_group(api, order);
    } else {
        ids = co_await named_groups(api, order, std::move(names));
    }
    co_return ids;
}

Query create_group(const Account& account, const cloud::Mark& mark, const std::string& vpc) {
    const std::string name = cloud::cloud_name(account, mark.cluster);
    Query query("CreateSecurityGroup");
    query.add("GroupName", name);
    query.add("GroupDescription", "Cluster " + mark.cluster + " of Cooperage");
    query.add("VpcId", vpc);
    Tags tags = cloud::tags_of(mark);
    tags["Name"] = name;
    add_tags(query, 1, "security-group", tags);
    return query;
}

Query change_rules(const std::string& action, const std::string& group,
                   const std::vector<cloud::FirewallRule>& rules, bool inside) {
    Query query(action);
    query.add("GroupId", group);
    int number = 0;
    const auto next = [&] { return "IpPermissions." + std::to_string(++number); };
    for (const cloud::FirewallRule& rule : rules) {
        const std::string permission = next();
        query.add(permission + ".IpProtocol", rule.protocol);
        if (rule.protocol != all_protocols && rule.first_port != no_port) {
            query.add(permission + ".FromPort", std::to_string(rule.first_port));
            query.add(permission + ".ToPort", std::to_string(rule.last_port));
        }
        const bool is_v6 = rule.range.find(':') != std::string::npos;
        query.add(permission + (is_v6 ? ".Ipv6Ranges.1.CidrIpv6" : ".IpRanges.1.CidrIp"),
                  rule.range);
    }
    if (inside) {
        const std::string permission = next();
        query.add(permission + ".IpProtocol", all_protocols);
        query.add(permission + ".Groups.1.GroupId", group);
    }
    return query;
}

}  // namespace provisioner::providers::aws
