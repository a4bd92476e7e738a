// What belongs to clusters: firewall rules.

#include <algorithm>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/firewall.hpp"
#include "provisioner/providers/cloud/looks.hpp"
#include "provisioner/providers/joyent/joyent_cloud.hpp"
#include "provisioner/providers/joyent/requests.hpp"
#include "provisioner/providers/joyent/rules.hpp"

namespace provisioner::providers::joyent {
namespace asio = boost::asio;

using cloud::CloudMachine;
using cloud::Mark;

namespace {

bool is_firewalled(const Account& account, const MachineSpec& spec) {
    return cloud::is_yes(cloud::setting(account, spec, "joyent_firewall"), true);
}

/// Under which it is remembered when a cluster's rules were as they should be.
std::string rules_key(const std::string& account, const std::string& group) {
    return "joyent rules " + account + " " + group;
}

}  // namespace

asio::awaitable<void> JoyentCloud::complete(const Account& account, const MachineSpec& spec,
                                            const CloudMachine&) {
    return keep_rules(account, spec, cloud::trusted_for_login);
}

asio::awaitable<void> JoyentCloud::keep_rules(const Account& account, const MachineSpec& spec,
                                              std::chrono::milliseconds trusted) {
    if (!is_firewalled(account, spec)) co_return;
    const std::string group = firewall_group(account, spec.cluster);
    const auto wanted = rule_texts(cloud::wanted_rules(account, spec), group);
    const std::string key = rules_key(account_name(account), group);
    const std::string texts = base::to_text(base::Json(wanted));
    if (cloud::was_good_lately(tools_, key, texts, trusted)) co_return;
    auto repairing = repair_rules(account, wanted, group);
    co_await std::move(repairing);
    cloud::note_good(tools_, key, texts);
}

asio::awaitable<void> JoyentCloud::repair_rules(const Account& account,
                                                const std::vector<std::string>& wanted,
                                                const std::string& group) {
    auto listing = send(account, "GET", "/fwrules");
    const http_client::Reply reply = co_await std::move(listing);
    const std::vector<Rule> there = rules_in(answer_in(reply, tools_.calls.now()));
    const RuleRepair repair = repair_of(there, wanted, group);
    for (const std::string& text : repair.missing) {
        base::Json rule = base::Json::object();
        rule["enabled"] = true;
        rule["rule"] = text;
        auto making = send(account, "POST", "/fwrules", std::move(rule));
        const http_client::Reply made = co_await std::move(making);
        answer_in(made, tools_.calls.now());
    }
    for (const std::string& id : repair.surplus) {
        auto deleting = delete_rule(account, id);
        co_await std::move(deleting);
    }
}

asio::awaitable<void> JoyentCloud::delete_rule(const Account& account, const std::string& id) {
    auto deleting = send(account, "DELETE", "/fwrules/" + cloud::percent_encoded(id));
    const http_client::Reply reply = co_await std::move(deleting);
    const bool is_gone = reply.status == 404 || (reply.status >= 200 && reply.status <= 299);
    if (!is_gone) refuse(reply, tools_.calls.now());
}

// Rules are looked for whatever the fields say now: they may have said something else before. Who
// may not list rules has not made any.
asio::awaitable<std::vector<std::string>> JoyentCloud::release_cluster(const Account& account,
                                                                       const Mark& mark) {
    const std::string group = firewall_group(account, mark.cluster);
    cloud::forget_look(tools_, rules_key(account_name(account), group));
    auto listing = send(account, "GET", "/fwrules");
    const http_client::Reply reply = co_await std::move(listing);
    if (reply.status == 403) co_return std::vector<std::string>{};
    const std::vector<Rule> rules = rules_in(answer_in(reply, tools_.calls.now()));
    for (const Rule& rule : rules) {
        if (group_of(rule) != group) continue;
        auto deleting = delete_rule(account, rule.id);
        co_await std::move(deleting);
    }
    co_return std::vector<std::string>{};
}

asio::awaitable<std::vector<cloud::Leftover>> JoyentCloud::leftovers(
    const Account& account, const std::vector<CloudMachine>& machines) {
    auto listing = send(account, "GET", "/fwrules");
    const http_client::Reply reply = co_await std::move(listing);
    std::vector<cloud::Leftover> left;
    if (reply.status == 403) co_return left;
    const std::string prefix = firewall_group(account, "");
    const std::vector<Rule> rules = rules_in(answer_in(reply, tools_.calls.now()));
    for (const Rule& rule : rules) {
        const std::string group = group_of(rule);
        if (!group.starts_with(prefix)) continue;
        cloud::Leftover leftover{.id = rule.id, .kind = "firewall rule"};
        leftover.mark.installation = account.installation;
        leftover.mark.cluster = group.substr(prefix.size());
        const bool has_machine =
            std::any_of(machines.begin(), machines.end(), [&](const CloudMachine& machine) {
                return machine.mark.cluster == leftover.mark.cluster &&
                       machine.state != CloudMachine::State::gone;
            });
        if (!has_machine) left.push_back(std::move(leftover));
    }
    co_return left;
}

}  // namespace provisioner::providers::joyent
