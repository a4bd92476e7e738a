#include "provisioner/providers/aws/aws_cloud.hpp"

#include "provisioner/base/base64.hpp"
#include "provisioner/identity/checksum.hpp"
#include "provisioner/providers/aws/api.hpp"
#include "provisioner/providers/aws/cleaning.hpp"
#include "provisioner/providers/aws/console.hpp"
#include "provisioner/providers/aws/fields.hpp"
#include "provisioner/providers/aws/groups.hpp"
#include "provisioner/providers/aws/launch.hpp"
#include "provisioner/providers/aws/offers.hpp"
#include "provisioner/providers/aws/replies.hpp"
#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::aws {
namespace asio = boost::asio;

namespace {

constexpr std::size_t digits_of_key = 8;
/// When what was just made is looked for again.
constexpr std::chrono::seconds soon{1};
/// How long a new machine may be missing in what lists it.
constexpr std::chrono::seconds machines_show_within{60};

void throw_problems(const base::Problems& problems) {
    if (!problems.empty()) throw cloud::wrong(base::to_text(problems));
}

asio::awaitable<std::vector<cloud::CloudMachine>> machines_by(Api& api, Query query) {
    const bool names = cloud::is_yes(cloud::text_of(api.account(), "provider_hostname"), false);
    // A hardware type may say otherwise about its machines; then the subnet's addresses are taken.
    const bool is_public = public_address(api.account(), MachineSpec{}).value_or(false);
    const auto replies = co_await api.pages(std::move(query));
    std::vector<cloud::CloudMachine> machines;
    for (const auto& reply : replies) {
        auto more = machines_in(reply, names, is_public);
        std::move(more.begin(), more.end(), std::back_inserter(machines));
    }
    co_return machines;
}

/// The key pair of the machine: that of the field, or, for an image that takes no user data, the
/// login key itself, which goes with the cluster.
asio::awaitable<std::string> key_pair_for(Api& api, const cloud::Order& order) {
    std::string name = cloud::setting(order.account, order.spec, "ssh_keypair");
    if (!name.empty() || !order.user_data.empty()) co_return name;
    const std::string& key = order.spec.authorized_key;
    name = cloud::cloud_name(
        order.account, order.spec.cluster + "-" + identity::checksum(key).substr(0, digits_of_key));
    Query query("ImportKeyPair");
    query.add("KeyName", name);
    query.add("PublicKeyMaterial", base::base64(key));
    add_tags(query, 1, "key-pair",
             cloud::tags_of(cloud::cluster_mark_of(order.account, order.spec)));
    const Outcome outcome = co_await api.ask(query);
    if (outcome.error && outcome.error->code != "InvalidKeyPair.Duplicate") {
        api.refuse(outcome, query);
    }
    co_return name;
}

/// The machine of a client token. One that is gone stays the machine of its token.
Machine machine_of_attempt(const cloud::CloudMachine& machine) {
    const bool is_gone = machine.state == cloud::CloudMachine::State::gone ||
                         machine.state == cloud::CloudMachine::State::leaving;
    if (is_gone) {
        throw cloud::busy("the machine " + machine.id +
                          " of this attempt is gone already: " + machine.reason);
    }
    Machine made;
    made.id = machine.id;
    return made;
}

Machine made_machine(const http_client::Reply& reply) {
    const auto machines = machines_in(reply, false, false);
    if (machines.empty()) throw cloud::Lost("the answer of AWS to RunInstances has no machine");
    return machine_of_attempt(machines[0]);
}

/// The token was used with other parameters: somebody changed a field meanwhile. The machine of the
/// first call is the wanted one, as soon as it is listed. If it is gone, only another attempt has
/// another token.
asio::awaitable<Machine> machine_of_token(Api& api, const cloud::Order& order) {
    Query query("DescribeInstances");
    query.add_filter("client-token", {client_token(order)});
    const auto machines = co_await machines_by(api, std::move(query));
    if (!machines.empty()) co_return machine_of_attempt(machines[0]);
    if (order.spec.asked_for < machines_show_within) {
        throw cloud::NotYet(
            std::chrono::seconds{2},
            "AWS had the same request with other fields before: its machine is looked for");
    }
    throw cloud::busy(
        "AWS had the same request with other fields before, and shows no machine of it: another "
        "attempt is needed (IdempotentParameterMismatch)");
}

/// Throws what a refusal of RunInstances means.
asio::awaitable<void> explain(Api& api, const cloud::Order& order, Outcome outcome,
                              const Query& query) {
    const std::string code = outcome.error->code;
    const std::string said = outcome.error->message;
    const bool is_type =
        code.starts_with("InvalidInstanceType") ||
        (code == "InvalidParameterValue" && said.find("InstanceType") != std::string::npos);
    if (is_type) {
        const auto types = co_await instance_types(api);
        throw cloud::wrong(cloud::unknown_name("instance type", order.placement.flavor, types) +
                           " in " + region_of(order.account));
    }
    if (code == "InvalidKeyPair.NotFound") {
        const std::string name = cloud::setting(order.account, order.spec, "ssh_keypair");
        // It was imported just now, or taken away with the last machine of before.
        if (name.empty()) throw cloud::NotYet(soon, "the cluster's key pair is not seen yet");
        const auto reply = co_await api.call(Query("DescribeKeyPairs"));
        const auto names = texts_in(reply, "keySet", "keyName");
        throw cloud::wrong("ssh_keypair: " + cloud::unknown_name("key pair", name, names));
    }
    // The cluster's group was taken away with the last machine of before: it is made anew.
    const bool has_own_group =
        cloud::setting(order.account, order.spec, "security_groups").empty() &&
        cloud::setting(order.account, order.spec, "security_group_ids").empty();
    const bool is_group =
        code == "InvalidGroup.NotFound" || code == "InvalidSecurityGroupID.NotFound";
    if (is_group && has_own_group) {
        throw cloud::NotYet(soon, "the cluster's security group is not seen yet");
    }
    api.refuse(outcome, query);
}

}  // namespace

model::PluginType AwsCloud::type() const {
    return aws_type();
}

std::string AwsCloud::account_name(const Account& account) const {
    return account_name_of(account);
}

cloud::Rates AwsCloud::rates() const {
    return usual_rates();
}

bool AwsCloud::may_take_back(const Account& account, const MachineSpec& spec) const {
    return is_spot(account, spec);
}

base::Problems AwsCloud::check(const Account& account, const MachineSpec& spec) const {
    base::Problems problems =
        check_account(account, settings_.instance_profile, tools_.own_network);
    for (auto& problem : check_machine(account, spec)) problems.push_back(std::move(problem));
    return problems;
}

std::vector<cloud::Placement> AwsCloud::placements(const Account& account,
                                                   const MachineSpec& spec) const {
    const std::vector<std::string> subnets = subnets_of(account, spec);
    std::vector<cloud::Placement> by_zone = Cloud::placements(account, spec);
    if (subnets.empty()) return by_zone;
    std::vector<cloud::Placement> placements;
    for (const cloud::Placement& placement : by_zone) {
        for (const std::string& subnet : subnets) {
            const cloud::Placement one{.flavor = placement.flavor, .zone = subnet};
            const auto found = std::find(placements.begin(), placements.end(), one);
            if (found == placements.end()) placements.push_back(one);
        }
    }
    return placements;
}

asio::awaitable<std::vector<cloud::CloudMachine>> AwsCloud::list(const Account& account) {
    throw_problems(check_account(account, settings_.instance_profile, tools_.own_network));
    Api api(account, tools_, settings_);
    Query query("DescribeInstances");
    query.add_filter("tag:" + std::string(cloud::tag_installation), {account.installation});
    auto machines = co_await machines_by(api, std::move(query));
    co_return machines;
}

asio::awaitable<std::vector<cloud::Leftover>> AwsCloud::leftovers(
    const Account& account, const std::vector<cloud::CloudMachine>& machines) {
    Api api(account, tools_, settings_);
    auto left = co_await leftovers_in(api, machines);
    co_return left;
}

asio::awaitable<Machine> AwsCloud::make(const cloud::Order& order) {
    Api api(order.account, tools_, settings_);
    Launch launch;
    launch.image = co_await image_of(api, order.spec.image);
    launch.groups = co_await groups_for(api, order);
    launch.key_pair = co_await key_pair_for(api, order);
    const Query query = run_instances(order, launch);
    Outcome outcome = co_await api.ask(query);
    if (!outcome.error) co_return made_machine(outcome.reply);
    if (outcome.error->code != "IdempotentParameterMismatch") {
        co_await explain(api, order, outcome, query);
    }
    Machine made = co_await machine_of_token(api, order);
    co_return made;
}

asio::awaitable<void> AwsCloud::remove(const Account& account, const cloud::CloudMachine& machine) {
    Api api(account, tools_, settings_);
    Query query("TerminateInstances");
    query.add_list("InstanceId", {machine.id});
    const Outcome outcome = co_await api.ask(query);
    if (!outcome.error || outcome.error->is_not_found()) co_return;
    if (outcome.error->code == "OperationNotPermitted") {
        throw cloud::busy("the machine " + machine.id + " is protected against termination: " +
                          cloud::words_of(outcome.error->message));
    }
    api.refuse(outcome, query);
}

asio::awaitable<std::vector<std::string>> AwsCloud::release(const Account& account,
                                                            const cloud::Mark& mark) {
    Api api(account, tools_, settings_);
    auto left = co_await release_machine(api, mark);
    co_return left;
}

asio::awaitable<std::vector<std::string>> AwsCloud::release_cluster(const Account& account,
                                                                    const cloud::Mark& mark) {
    Api api(account, tools_, settings_);
    auto left = co_await aws::release_cluster(api, mark);
    co_return left;
}

asio::awaitable<std::string> AwsCloud::host_key_of(const Account& account,
                                                   const cloud::CloudMachine& machine) {
    Api api(account, tools_, settings_);
    Query latest("GetConsoleOutput");
    latest.add("InstanceId", machine.id);
    Query of_now = latest;
    of_now.add("Latest", "true");
    Outcome outcome = co_await api.ask(of_now);
    // Older types have only what was kept of the first boot.
    if (outcome.error && outcome.error->code == "UnsupportedOperation") {
        outcome = co_await api.ask(latest);
    }
    if (outcome.error) api.refuse(outcome, of_now);
    const auto console = from_base64(text_below_root(outcome.reply, "output"));
    co_return host_key_in_console(console.value_or(""));
}

asio::awaitable<Offer> AwsCloud::test(const Account& account) {
    throw_problems(check_account(account, settings_.instance_profile, tools_.own_network));
    Api api(account, tools_, settings_);
    Offer offer = co_await offer_of(api);
    co_return offer;
}

}  // namespace provisioner::providers::aws
