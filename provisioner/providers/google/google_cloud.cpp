#include "provisioner/providers/google/google_cloud.hpp"

#include <algorithm>
#include <map>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/looks.hpp"
#include "provisioner/providers/google/firewalls.hpp"
#include "provisioner/providers/google/guest.hpp"
#include "provisioner/providers/google/images.hpp"
#include "provisioner/providers/google/names.hpp"
#include "provisioner/providers/google/requests.hpp"

namespace provisioner::providers::google {
namespace asio = boost::asio;

using base::Json;
using base::text_at;
using cloud::CloudMachine;
using cloud::NotYet;
using cloud::Order;

namespace {

constexpr std::chrono::seconds look_again{2};
/// Operations of machines that were deleted since, by request ids of the same attempt.
constexpr int most_replays = 4;
/// Within this time after its start the guest agent of a machine publishes its host keys.
constexpr std::chrono::seconds agent_patience{120};

std::string instances_in(const std::string& zone) {
    return "zones/" + cloud::percent_encoded(zone) + "/instances";
}

/// What list() makes of the operations: the last word about each machine.
std::map<std::string, CloudMachine> told_by(const Account& account,
                                            const std::vector<Json>& operations) {
    struct Last {
        std::string at{};
        CloudMachine machine{};
    };
    std::map<std::string, Last> last;
    for (const Json& operation : operations) {
        auto machine = machine_of_operation(account, operation);
        if (!machine) continue;
        std::string at = text_at(operation, "insertTime");
        Last& known = last[machine->id];
        if (known.at.empty() || known.at < at) known = {std::move(at), *std::move(machine)};
    }
    std::map<std::string, CloudMachine> told;
    for (auto& [id, entry] : last) told.emplace(id, std::move(entry.machine));
    return told;
}

Call instance_call(std::string method, const CloudMachine& machine) {
    Call call;
    call.method = std::move(method);
    call.path =
        instances_in(text_at(machine.details, "zone")) + "/" + cloud::percent_encoded(machine.id);
    return call;
}

/// Throws for an operation that is done and failed.
void check_operation(const Json& operation) {
    const auto failure = failure_in(operation);
    if (!failure) return;
    if (is_no_capacity(failure->code)) throw cloud::NoCapacity(failure->words);
    const bool is_quota = failure->code == "QUOTA_EXCEEDED";
    throw is_quota ? cloud::busy(failure->words) : cloud::wrong(failure->words);
}

}  // namespace

std::unique_ptr<cloud::Cloud> make_google(cloud::Tools tools) {
    return std::make_unique<GoogleCloud>(tools);
}

bool GoogleCloud::runs_cloud_init(const Account& account, const MachineSpec& spec) const {
    return image_runs_cloud_init(account, spec);
}

std::string GoogleCloud::login_user(const Account& account, const MachineSpec& spec) const {
    const std::string user = cloud::text_of(account, "ssh_user");
    return user.empty() ? spec.ssh_user : user;
}

Json GoogleCloud::more_user_data(const Account& account, const MachineSpec& spec) const {
    return disk_config(disks_of(account, spec, ""));
}

asio::awaitable<std::vector<CloudMachine>> GoogleCloud::list(const Account& account) {
    // The operations come first: one that ends in between is then seen by its machine.
    Call operations;
    operations.path = "aggregated/operations";
    operations.query = {{"filter",
                         "(status != \"DONE\") OR (httpErrorStatusCode >= 400) OR "
                         "(operationType = \"compute.instances.preempted\")"}};
    const auto told = co_await api_.all(account, operations, true, "operations");
    Call instances;
    instances.path = "aggregated/instances";
    instances.query = {{"filter", label_filter(account)}};
    const auto found = co_await api_.all(account, instances, true, "instances");
    std::vector<CloudMachine> machines;
    std::map<std::string, CloudMachine> unseen = told_by(account, told);
    for (const Json& instance : found) {
        machines.push_back(machine_in(account, instance));
        unseen.erase(machines.back().id);
    }
    for (auto& [id, machine] : unseen) machines.push_back(std::move(machine));
    co_return machines;
}

asio::awaitable<Machine> GoogleCloud::make(const Order& order) {
    co_await keep_firewalls(order.account, order.spec, std::chrono::seconds{0});
    const std::string name = machine_name(order.account, order.mark);
    const auto disks = disks_of(order.account, order.spec, name);
    const auto existing = co_await existing_disks(order, disks);
    Call call;
    call.method = "POST";
    call.path = instances_in(order.placement.zone);
    call.body = instance_body(order, name, disks, existing);
    call.lane = "create";
    co_await insert(order, name, std::move(call));
    Machine machine;
    machine.id = name;
    machine.facts["google"] = {{"zone", order.placement.zone}};
    for (const Disk& disk : disks) machine.facts["disks"].push_back(disk.name);
    co_return machine;
}

asio::awaitable<void> GoogleCloud::complete(const Account& account, const MachineSpec& spec,
                                            const CloudMachine&) {
    return keep_firewalls(account, spec, cloud::trusted_for_login);
}

// A request id gives the operation of the first request, whatever became of its machine since. So
// an operation that is done at once is looked into: its machine may have been deleted.
asio::awaitable<void> GoogleCloud::insert(const Order& order, const std::string& name, Call call) {
    std::string part = order.part;
    for (int turn = 0; turn < most_replays; ++turn) {
        Call request = call;
        request.query = {{"requestId", cloud::uuid_of(order.account, order.spec, part)}};
        const Answer answer = co_await api_.call(order.account, std::move(request));
        // Somebody else of ours made it since the listing.
        const bool is_made =
            answer.is_conflict() && answer.error->message.find("/instances/") != std::string::npos;
        if (is_made) co_return;
        if (answer.error) co_await refuse(order, *answer.error);
        check_operation(answer.body);
        if (text_at(answer.body, "status") != "DONE") co_return;
        Call look;
        look.path = call.path + "/" + name;
        const Answer found = co_await api_.call(order.account, std::move(look));
        if (!found.error) co_return;
        // The last one is new in any case. The machine's name still keeps it from a double.
        const bool is_last = turn + 2 == most_replays;
        part = order.part + " after " +
               (is_last ? base::to_rfc3339(api_.now()) : text_at(answer.body, "name"));
    }
    throw NotYet(look_again, "Google does not show the machine " + name + " yet");
}

asio::awaitable<void> GoogleCloud::remove(const Account& account, const CloudMachine& machine) {
    Call call = instance_call("DELETE", machine);
    const Answer answer = co_await api_.call(account, std::move(call));
    if (!answer.error || answer.is_not_found()) co_return;
    const std::string& words = answer.error->message;
    if (answer.has_reason("resourceNotReady")) {
        throw NotYet(look_again, "Google still makes the machine " + machine.id + ": " + words);
    }
    throw cloud::wrong("Google does not delete the machine " + machine.id + ": " + words);
}

asio::awaitable<std::string> GoogleCloud::host_key_of(const Account& account,
                                                      const CloudMachine& machine) {
    Call call = instance_call("GET", machine);
    call.path += "/getGuestAttributes";
    call.query = {{"queryPath", "hostkeys/"}};
    const Answer answer = co_await api_.call(account, std::move(call));
    std::string key = answer.error ? "" : host_key_in(answer.body);
    if (!key.empty()) co_return key;
    const auto started = moment_in(text_at(machine.details, "started"));
    if (started && api_.now() - *started < agent_patience) {
        throw NotYet(look_again, "the guest agent has not published the host key yet");
    }
    co_return key;
}

}  // namespace provisioner::providers::google
