#include "provisioner/providers/cloudstack/cloudstack_cloud.hpp"

#include <algorithm>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/user_data.hpp"

namespace provisioner::providers::cloudstack {
namespace asio = boost::asio;

using cloud::CloudMachine;
using cloud::Mark;
using cloud::setting;
using cloud::text_of;

namespace {

/// How many machines one listing looks after: it is polled, so it must stay short.
constexpr int mended_at_once = 3;
/// How soon a machine that is not listed yet is looked for again.
constexpr std::chrono::seconds retry_look{2};
constexpr int largest_disk_gb = 65536;

bool wants_static_nat(const Account& account) {
    return text_of(account, "cloudstack_address") == "static_nat";
}

bool is_there(const CloudMachine& machine) {
    return machine.state == CloudMachine::State::starting ||
           machine.state == CloudMachine::State::running;
}

}  // namespace

std::string CloudStackCloud::account_name(const Account& account) const {
    return name_of(account);
}

base::Problems CloudStackCloud::check(const Account& account, const MachineSpec& spec) const {
    base::Problems problems;
    const std::pair<const char*, const char*> needed[] = {
        {"api_endpoint", "the address of the API is missing"},
        {"api_key", "is missing"},
        {"api_secret", "is missing"}};
    for (const auto& [field, message] : needed) {
        if (text_of(account, field).empty()) problems.push_back({field, message});
    }
    if (setting(account, spec, "availability_zone").empty()) {
        problems.push_back({"availability_zone", "the zone is missing"});
    }
    if (spec.flavor.empty()) {
        problems.push_back({"flavor", "the hardware type names no service offering"});
    }
    if (spec.image.empty()) problems.push_back({"image", "the image type names no template"});
    cloud::number_in(setting(account, spec, "root_disk_gb"), "root_disk_gb", 1, largest_disk_gb, 1,
                     problems);
    const std::string address = text_of(account, "cloudstack_address");
    if (!address.empty() && address != "none" && address != "static_nat") {
        problems.push_back({"cloudstack_address", "must be none or static_nat"});
    }
    return problems;
}

// The filter by name is a part of the name, and other installations may begin alike.
asio::awaitable<std::vector<CloudMachine>> CloudStackCloud::list(const Account& account) {
    Params params{{"name", name_prefix(account)}, {"details", "nics"}};
    auto listing = api_.list(account, "listVirtualMachines", std::move(params), "virtualmachine");
    const std::vector<base::Json> entries = co_await std::move(listing);
    std::vector<CloudMachine> machines;
    for (const base::Json& entry : entries) {
        CloudMachine machine = machine_in(entry);
        if (machine.mark.installation != account.installation) continue;
        const bool waits = wants_static_nat(account) && is_there(machine) &&
                           !machine.details.contains("public_address");
        if (waits) machine.addresses.erase("access_v4");
        machines.push_back(std::move(machine));
    }
    auto mending = mend(account, machines);
    co_await std::move(mending);
    co_return machines;
}

asio::awaitable<void> CloudStackCloud::mend(const Account& account,
                                            std::vector<CloudMachine>& machines) {
    int mended = 0;
    for (CloudMachine& machine : machines) {
        if (mended == mended_at_once) break;
        const bool is_tagged = machine.details.value("is_tagged", false);
        const std::string job = base::text_at(machine.details, "job");
        if (is_there(machine) && !is_tagged) {
            ++mended;
            auto tagging_it = tag(account, machine.id, machine.mark, "");
            co_await std::move(tagging_it);
        } else if (machine.state == CloudMachine::State::failed && !job.empty()) {
            ++mended;
            auto asking = reason_of(account, job);
            const std::string reason = co_await std::move(asking);
            if (!reason.empty()) machine.reason = reason;
        }
    }
}

asio::awaitable<std::string> CloudStackCloud::reason_of(const Account& account,
                                                        const std::string& job) {
    Params params{{"jobid", job}};
    auto asking = api_.send(account, "queryAsyncJobResult", std::move(params));
    const http_client::Reply reply = co_await std::move(asking);
    // Jobs are forgotten after a while.
    if (reply.status < 200 || reply.status > 299) co_return std::string();
    co_return failure_of(answer_in(reply, api_.now()));
}

asio::awaitable<void> CloudStackCloud::tag(const Account& account, const std::string& id,
                                           const Mark& mark, std::string job) {
    auto tags = cloud::tags_of(mark);
    if (!job.empty()) tags[std::string(tag_job)] = job;
    try {
        auto sending = api_.send(account, "createTags", tagging("UserVm", id, tags));
        co_await std::move(sending);
    } catch (const std::runtime_error&) {
        // The machine is made and is found by its display name.
    }
}

asio::awaitable<std::vector<std::string>> CloudStackCloud::network_ids(const cloud::Order& order,
                                                                       const std::string& zone) {
    std::vector<std::string> ids;
    const auto wanted = cloud::list_in(setting(order.account, order.spec, "network_ids"));
    for (const std::string& name : wanted) {
        if (cloud::is_uuid(name)) {
            ids.push_back(name);
            continue;
        }
        Params params{{"zoneid", zone}};
        auto finding =
            api_.find(order.account, "listNetworks", std::move(params), "network", "network", name);
        const Named found = co_await std::move(finding);
        ids.push_back(found.id);
    }
    co_return ids;
}

asio::awaitable<std::vector<std::string>> CloudStackCloud::group_ids(const cloud::Order& order,
                                                                     bool zone_has_groups) {
    std::vector<std::string> ids;
    const auto wanted = cloud::list_in(setting(order.account, order.spec, "security_groups"));
    for (const std::string& name : wanted) {
        auto finding = api_.find(order.account, "listSecurityGroups", Params{}, "securitygroup",
                                 "security group", name);
        const Named found = co_await std::move(finding);
        cloud::refuse_own_name("security_groups", found.name);
        ids.push_back(found.id);
    }
    if (wanted.empty() && zone_has_groups) {
        auto repairing = groups_.repaired(order);
        std::string id = co_await std::move(repairing);
        ids.push_back(std::move(id));
    }
    co_return ids;
}

asio::awaitable<DeploymentIds> CloudStackCloud::ids_of(const cloud::Order& order) {
    const Account& account = order.account;
    DeploymentIds ids;
    auto zones = api_.find(account, "listZones", Params{}, "zone", "zone", order.placement.zone);
    const Named zone = co_await std::move(zones);
    ids.zone = zone.id;
    ids.offering = order.placement.flavor;
    if (!cloud::is_uuid(ids.offering)) {
        Params params{{"zoneid", zone.id}};
        auto finding = api_.find(account, "listServiceOfferings", std::move(params),
                                 "serviceoffering", "service offering", ids.offering);
        const Named offering = co_await std::move(finding);
        ids.offering = offering.id;
    }
    ids.template_id = order.spec.image;
    if (!cloud::is_uuid(ids.template_id)) {
        Params params{{"zoneid", zone.id}, {"templatefilter", "executable"}};
        auto finding = api_.find(account, "listTemplates", std::move(params), "template",
                                 "template", ids.template_id);
        const Named found = co_await std::move(finding);
        ids.template_id = found.id;
    }
    auto networks = network_ids(order, zone.id);
    ids.networks = co_await std::move(networks);
    auto groups = group_ids(order, zone.has_groups);
    ids.groups = co_await std::move(groups);
    co_return ids;
}

asio::awaitable<Machine> CloudStackCloud::make(const cloud::Order& order) {
    auto resolving = ids_of(order);
    const DeploymentIds ids = co_await std::move(resolving);
    Params params = deployment(order, ids);
    const auto data = params.find("userdata");
    if (data != params.end()) {
        cloud::check_user_data(order.account, data->second, longest_user_data, "CloudStack");
    }
    auto deploying = api_.send(order.account, "deployVirtualMachine", std::move(params));
    const http_client::Reply reply = co_await std::move(deploying);
    const Trouble trouble = trouble_in(reply);
    const bool has_own_group = setting(order.account, order.spec, "security_groups").empty();
    if (has_own_group && is_unknown_group(trouble)) {
        throw cloud::NotYet(retry_look, "the security group was deleted with another machine");
    }
    if (is_taken_name(trouble)) {
        auto looking = machine_of_that_name(order);
        Machine found = co_await std::move(looking);
        co_return found;
    }
    const base::Json answer = answer_in(reply, api_.now());
    Machine machine;
    machine.id = word_at(answer, "id");
    if (machine.id.empty()) throw cloud::Lost("the provider's answer has no id of the machine");
    auto tagging_it = tag(order.account, machine.id, order.mark, word_at(answer, "jobid"));
    co_await std::move(tagging_it);
    co_return machine;
}

asio::awaitable<Machine> CloudStackCloud::machine_of_that_name(const cloud::Order& order) {
    const std::string name = machine_name(order.account, order.mark);
    Params params{{"name", name}};
    auto listing =
        api_.list(order.account, "listVirtualMachines", std::move(params), "virtualmachine");
    const std::vector<base::Json> entries = co_await std::move(listing);
    for (const base::Json& entry : entries) {
        if (base::text_at(entry, "name") != name) continue;
        const CloudMachine found = machine_in(entry);
        if (found.mark != order.mark) {
            throw cloud::wrong("a machine that is not of this installation has the name " + name +
                               ": rename or expunge it");
        }
        if (!is_there(found)) {
            throw cloud::busy("the machine " + found.id + " of this attempt is destroyed and not " +
                              "expunged, so it keeps the name " + name);
        }
        Machine machine;
        machine.id = found.id;
        co_return machine;
    }
    throw cloud::NotYet(retry_look, "the name " + name + " is taken, and no machine is listed");
}

asio::awaitable<void> CloudStackCloud::complete(const Account& account, const MachineSpec& spec,
                                                const CloudMachine& machine) {
    const bool has_private = machine.addresses.contains("bind_v4");
    const bool waits =
        wants_static_nat(account) && has_private && !machine.details.contains("public_address");
    if (!waits) co_return;
    auto attaching = addresses_.attach(account, spec, machine);
    co_await std::move(attaching);
}

// Users may expunge only where the cloud lets them; else it expunges after a delay of its own.
asio::awaitable<void> CloudStackCloud::remove(const Account& account, const CloudMachine& machine) {
    Params params{{"id", machine.id}};
    const bool expunges = cloud::is_yes(text_of(account, "expunge"), true);
    if (expunges) params["expunge"] = "true";
    auto destroying = api_.send(account, "destroyVirtualMachine", params);
    http_client::Reply reply = co_await std::move(destroying);
    if (expunges && is_expunge_forbidden(trouble_in(reply))) {
        params.erase("expunge");
        auto again = api_.send(account, "destroyVirtualMachine", params);
        reply = co_await std::move(again);
    }
    if (is_unknown(trouble_in(reply))) co_return;
    answer_in(reply, api_.now());
}

asio::awaitable<std::vector<std::string>> CloudStackCloud::release(const Account& account,
                                                                   const Mark& mark) {
    auto releasing = addresses_.release(account, mark);
    co_await std::move(releasing);
    co_return std::vector<std::string>{};
}

asio::awaitable<std::vector<std::string>> CloudStackCloud::release_cluster(const Account& account,
                                                                           const Mark& mark) {
    auto removing = groups_.remove(account, mark);
    co_await std::move(removing);
    co_return std::vector<std::string>{};
}

asio::awaitable<std::vector<cloud::Leftover>> CloudStackCloud::leftovers(
    const Account& account, const std::vector<CloudMachine>& machines) {
    auto addresses = addresses_.leftovers(account, machines);
    std::vector<cloud::Leftover> left = co_await std::move(addresses);
    auto groups = groups_.leftovers(account, machines);
    std::vector<cloud::Leftover> others = co_await std::move(groups);
    for (cloud::Leftover& leftover : others) left.push_back(std::move(leftover));
    co_return left;
}

}  // namespace provisioner::providers::cloudstack
