// What belongs to machines and clusters: disks and firewall rules.

#include <algorithm>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/looks.hpp"
#include "provisioner/providers/google/firewalls.hpp"
#include "provisioner/providers/google/google_cloud.hpp"
#include "provisioner/providers/google/images.hpp"
#include "provisioner/providers/google/names.hpp"
#include "provisioner/providers/google/requests.hpp"

namespace provisioner::providers::google {
namespace asio = boost::asio;

using base::Json;
using base::text_at;
using cloud::CloudMachine;
using cloud::Leftover;
using cloud::Mark;
using cloud::NotYet;
using cloud::Order;

namespace {

constexpr std::chrono::seconds look_at_disk_again{2};
constexpr std::chrono::seconds look_at_rule_again{2};

/// The name of the machine that has the disk; empty if none has.
std::string user_of(const Json& disk) {
    const auto users = base::strings_of(base::member(disk, "users"));
    return users.empty() ? "" : last_part(users.front());
}

bool is_made_later(const Json& disk, const Mark& mark) {
    return mark.task > 0 && mark_in_labels(disk).task > mark.task;
}

Call firewall_list(const std::string& prefix) {
    Call call;
    call.path = "global/firewalls";
    call.query = {{"filter", firewall_filter(prefix)}};
    return call;
}

/// Under which it is remembered when the cluster's rules were as they should be.
std::string rules_key(const Account& account, const std::string& cluster) {
    return "google firewalls " + name_of(account) + " " + cluster_tag(account, cluster);
}

Call firewall_call(std::string method, const std::string& name, Json body = nullptr) {
    Call call;
    call.method = std::move(method);
    call.path = "global/firewalls" + (name.empty() ? "" : "/" + cloud::percent_encoded(name));
    call.body = std::move(body);
    return call;
}

Call disk_deletion(const Json& disk) {
    Call call;
    call.method = "DELETE";
    call.path = "zones/" + cloud::percent_encoded(last_part(text_at(disk, "zone"))) + "/disks/" +
                cloud::percent_encoded(text_at(disk, "name"));
    return call;
}

Call disk_list(const Account& account, const std::string& machine) {
    Call call;
    call.path = "aggregated/disks";
    call.query = {{"filter", label_filter(account, machine)}};
    return call;
}

}  // namespace

asio::awaitable<std::string> GoogleCloud::image_link(const Order& order) {
    const std::string project = cloud::text_of(order.account, "google_project");
    const ImagePlace place = image_place(order.spec.image, project);
    if (!place.is_family) co_return place.link();
    Call call;
    call.project = place.project;
    call.path = "global/images/family/" + cloud::percent_encoded(place.name);
    const Answer answer = co_await api_.call(order.account, std::move(call));
    if (answer.error) co_await refuse(order, *answer.error);
    const ImagePlace newest{.project = place.project, .name = text_at(answer.body, "name")};
    co_return newest.link();
}

asio::awaitable<std::set<std::string>> GoogleCloud::existing_disks(const Order& order,
                                                                   const std::vector<Disk>& disks) {
    Call call;
    call.path = "zones/" + cloud::percent_encoded(order.placement.zone) + "/disks";
    call.query = {{"filter", "name eq '" + disks.front().name + "(-data[0-9]*)?'"}};
    const Answer answer = co_await api_.call(order.account, std::move(call));
    if (answer.error) co_await refuse(order, *answer.error);
    std::set<std::string> existing;
    const Json* items = base::member(answer.body, "items");
    if (items == nullptr) co_return existing;
    for (const Json& there : *items) {
        const std::string name = text_at(there, "name");
        const auto wanted = std::find_if(disks.begin(), disks.end(),
                                         [&](const Disk& disk) { return disk.name == name; });
        if (wanted == disks.end()) continue;
        const std::string status = text_at(there, "status");
        if (status != "READY") {
            throw NotYet(look_at_disk_again, "the disk " + name + " is " + status);
        }
        std::string image;
        if (wanted->is_boot()) image = co_await image_link(order);
        if (!is_same_disk(*wanted, there, image)) {
            throw cloud::wrong("Disk " + name + " already exists with different specifications");
        }
        existing.insert(name);
    }
    co_return existing;
}

asio::awaitable<void> GoogleCloud::change_firewall(const Account& account, Call call) {
    const std::string what = text_at(call.body, "name");
    const std::string method = call.method;
    const Answer answer = co_await api_.call(account, std::move(call));
    if (!answer.error) co_return;
    const bool is_busy = answer.is_conflict() || answer.has_reason("resourceNotReady");
    // Another machine of the cluster may do the same at this moment, or delete what is there. A
    // network that does not exist is told with the machine.
    if (method == "DELETE" ? is_busy || answer.is_not_found()
                           : method == "POST" && answer.is_not_found()) {
        co_return;
    }
    if (is_busy || answer.is_not_found()) {
        throw NotYet(look_at_rule_again,
                     "the firewall rule " + what + " is changing: " + answer.error->message);
    }
    throw cloud::wrong("Google does not take the firewall rule " + what + ": " +
                       answer.error->message);
}

asio::awaitable<void> GoogleCloud::keep_firewalls(const Account& account, const MachineSpec& spec,
                                                  std::chrono::milliseconds trusted) {
    if (!makes_firewalls(account, spec)) co_return;
    const auto wanted = wanted_firewalls(account, spec);
    const std::string key = rules_key(account, spec.cluster);
    const std::string rules = base::to_text(Json(wanted));
    if (cloud::was_good_lately(api_.tools(), key, rules, trusted)) co_return;
    // The operations come first: a rule whose deletion ends in between is then not listed.
    co_await await_deletions(account, wanted);
    co_await repair_firewalls(account, wanted, cluster_tag(account, spec.cluster) + "-");
    cloud::note_good(api_.tools(), key, rules);
}

asio::awaitable<void> GoogleCloud::await_deletions(const Account& account,
                                                   const std::vector<Json>& wanted) {
    Call call;
    call.path = "global/operations";
    call.query = {{"filter", "(operationType = \"delete\") AND (status != \"DONE\")"}};
    const auto operations = co_await api_.all(account, std::move(call));
    for (const Json& operation : operations) {
        const std::string target = text_at(operation, "targetLink");
        if (target.find("/global/firewalls/") == std::string::npos) continue;
        const std::string name = last_part(target);
        const bool is_wanted = std::any_of(wanted.begin(), wanted.end(), [&](const Json& rule) {
            return text_at(rule, "name") == name;
        });
        if (is_wanted) {
            throw NotYet(look_at_rule_again, "the firewall rule " + name + " is being deleted");
        }
    }
}

asio::awaitable<void> GoogleCloud::repair_firewalls(const Account& account,
                                                    const std::vector<Json>& wanted,
                                                    std::string prefix) {
    Call list = firewall_list(prefix);
    const auto there = co_await api_.all(account, std::move(list));
    const FirewallChanges changes = firewall_changes(there, wanted);
    for (const std::string& name : changes.surplus) {
        Call call = firewall_call("DELETE", name);
        co_await change_firewall(account, std::move(call));
    }
    for (const Json& rule : changes.different) {
        Call call = firewall_call("PATCH", text_at(rule, "name"), rule);
        co_await change_firewall(account, std::move(call));
    }
    for (const Json& rule : changes.missing) {
        Call call = firewall_call("POST", "", rule);
        co_await change_firewall(account, std::move(call));
    }
}

asio::awaitable<std::vector<Leftover>> GoogleCloud::leftovers(
    const Account& account, const std::vector<CloudMachine>& machines) {
    std::set<std::string> names;
    std::set<std::string> clusters;
    for (const CloudMachine& machine : machines) {
        if (machine.state == CloudMachine::State::gone) continue;
        names.insert(machine.mark.name);
        clusters.insert(machine.mark.cluster);
    }
    std::vector<Leftover> left;
    Call disk_call = disk_list(account, "");
    const auto disks = co_await api_.all(account, std::move(disk_call), true, "disks");
    for (const Json& disk : disks) {
        const Mark mark = mark_in_labels(disk);
        if (!user_of(disk).empty() || names.contains(mark.name)) continue;
        left.push_back({.id = text_at(disk, "name"),
                        .kind = "disk",
                        .mark = mark,
                        .size_gb = cloud::gigabytes_in(disk, "sizeGb")});
    }
    Call firewall_call_all = firewall_list(installation_prefix(account));
    const auto rules = co_await api_.all(account, std::move(firewall_call_all));
    for (const Json& rule : rules) {
        Mark mark;
        mark.installation = account.installation;
        mark.cluster = cluster_of_firewall(account, text_at(rule, "name"));
        if (mark.cluster.empty() || clusters.contains(mark.cluster)) continue;
        left.push_back({.id = text_at(rule, "name"), .kind = "firewall rule", .mark = mark});
    }
    co_return left;
}

asio::awaitable<std::vector<std::string>> GoogleCloud::release(const Account& account,
                                                               const Mark& mark) {
    std::vector<std::string> left;
    Call call = disk_list(account, mark.name);
    const auto disks = co_await api_.all(account, std::move(call), true, "disks");
    for (const Json& disk : disks) {
        if (is_made_later(disk, mark)) continue;
        const std::string name = text_at(disk, "name");
        const std::string user = user_of(disk);
        if (!user.empty()) {
            left.push_back("the disk " + name + " is still in use by " + user);
            continue;
        }
        left.push_back("the disk " + name + " is being deleted");
        if (text_at(disk, "status") == "DELETING") continue;
        Call deletion = disk_deletion(disk);
        const Answer answer = co_await api_.call(account, std::move(deletion));
        if (answer.error && !answer.is_not_found()) left.back() += ": " + answer.error->message;
    }
    co_return left;
}

asio::awaitable<std::vector<std::string>> GoogleCloud::release_cluster(const Account& account,
                                                                       const Mark& mark) {
    std::vector<std::string> left;
    cloud::forget_look(api_.tools(), rules_key(account, mark.cluster));
    Call list = firewall_list(cluster_tag(account, mark.cluster) + "-");
    const auto rules = co_await api_.all(account, std::move(list));
    for (const Json& rule : rules) {
        const std::string name = text_at(rule, "name");
        left.push_back("the firewall rule " + name + " is being deleted");
        Call deletion = firewall_call("DELETE", name);
        co_await change_firewall(account, std::move(deletion));
    }
    co_return left;
}

}  // namespace provisioner::providers::google
