#include "provisioner/providers/openstack/openstack_cloud.hpp"

#include <algorithm>
#include <set>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/openstack/parts.hpp"
#include "provisioner/providers/openstack/refusals.hpp"
#include "provisioner/providers/openstack/servers.hpp"

namespace provisioner::providers::openstack {
namespace asio = boost::asio;
using cloud::CloudMachine;
using cloud::Mark;
using cloud::Order;
using http_client::Reply;

namespace {

/// Pike, 2017: tags at creation. Networks must be named since 2.37.
constexpr auto microversion = "2.52";
constexpr long long largest_volume = 16'384;

std::string tag_filter(const Account& account) {
    Mark mark;
    mark.installation = account.installation;
    return cloud::percent_encoded(server_tags(mark).front());
}

bool is_marked(const base::Json& volume, const std::string& installation) {
    return mark_of_server(volume).installation == installation;
}

bool wants_floating(const Account& account, const MachineSpec& spec) {
    return cloud::is_yes(cloud::setting(account, spec, "floating_ip"), false);
}

}  // namespace

OpenStackCloud::OpenStackCloud(cloud::Tools tools)
    : api_(tools, keystone_, rates(), microversion), neutron_(api_) {}

model::PluginType OpenStackCloud::type() const {
    return openstack_type();
}

std::string OpenStackCloud::account_name(const Account& account) const {
    return keystone_.account_name(account);
}

cloud::Rates OpenStackCloud::rates() const {
    return {.reads = 20, .read_burst = 40, .creations = 5, .creation_burst = 10};
}

base::Problems OpenStackCloud::check(const Account& account, const MachineSpec& spec) const {
    base::Problems problems = check_login(account);
    if (spec.flavor.empty()) problems.push_back({"flavor", "is required (hardware type)"});
    if (spec.image.empty()) problems.push_back({"image", "is required (image type)"});
    cloud::number_in(cloud::setting(account, spec, "boot_volume_size"), "boot_volume_size", 1,
                     largest_volume, 0, problems);
    const std::string policy = cloud::setting(account, spec, "anti_affinity");
    if (!policy.empty() && policy != "anti-affinity" && policy != "soft-anti-affinity") {
        problems.push_back({"anti_affinity", "must be anti-affinity or soft-anti-affinity"});
    }
    if (!policy.empty() && !cloud::setting(account, spec, "server_group").empty()) {
        problems.push_back({"anti_affinity",
                            "the server_group has a policy of its own: give one of "
                            "both"});
    }
    for (auto& problem : cloud::check_files(account)) problems.push_back(std::move(problem));
    return problems;
}

asio::awaitable<std::vector<CloudMachine>> OpenStackCloud::list(const Account& account) {
    const std::string path = "/servers/detail?tags=" + tag_filter(account);
    const std::vector<base::Json> servers = co_await api_.list(account, "compute", path, "servers");
    std::vector<CloudMachine> machines;
    for (const base::Json& server : servers) {
        CloudMachine machine = machine_in(server);
        // Nova's listings leave out the fault of a server that no host has taken.
        const bool lacks_fault =
            machine.state == CloudMachine::State::failed && machine.reason.empty();
        if (lacks_fault) machine.reason = co_await fault_of(account, machine.id);
        // A cloud that ignores the filter must not make others' machines ours.
        if (machine.mark.installation != account.installation) continue;
        machines.push_back(std::move(machine));
    }
    co_await find_floating(account, machines);
    co_return machines;
}

// Nova shows floating addresses late, or never where Neutron does not notify it.
asio::awaitable<void> OpenStackCloud::find_floating(const Account& account,
                                                    std::vector<CloudMachine>& machines) {
    // Machines that were made before this was kept with them.
    const bool usually = cloud::is_yes(cloud::text_of(account, "floating_ip"), false);
    const auto floats = [&](const CloudMachine& machine) {
        return machine.details.value("floating", usually);
    };
    if (std::none_of(machines.begin(), machines.end(), floats)) co_return;
    const auto floating = co_await neutron_.floating_addresses(account);
    for (CloudMachine& machine : machines) {
        if (!floats(machine)) continue;
        const auto own = floating.find(machine.mark.name);
        if (own != floating.end()) {
            machine.addresses["access_v4"] = own->second;
        } else {
            machine.addresses.erase("access_v4");
        }
    }
}

asio::awaitable<std::string> OpenStackCloud::fault_of(const Account& account, std::string id) {
    Call call;
    call.path = "/servers/" + cloud::percent_encoded(id);
    const Reply reply = co_await api_.send(account, std::move(call));
    if (reply.status != 200) co_return std::string();
    const base::Json json = cloud::json_in(reply);
    co_return fault_in(json.value("server", base::Json::object()));
}

asio::awaitable<std::vector<cloud::Leftover>> OpenStackCloud::leftovers(
    const Account& account, const std::vector<CloudMachine>& machines) {
    std::set<std::string> names;
    std::set<std::string> clusters;
    for (const CloudMachine& machine : machines) {
        names.insert(machine.mark.name);
        clusters.insert(machine.mark.cluster);
    }
    std::vector<cloud::Leftover> parts = co_await neutron_.parts(account);
    const std::vector<base::Json> disks = co_await volumes(account);
    for (const base::Json& disk : disks) {
        cloud::Leftover part;
        part.id = base::text_at(disk, "id");
        part.kind = "disk";
        part.mark = mark_of_server(disk);
        part.size_gb = cloud::gigabytes_in(disk, "size");
        parts.push_back(std::move(part));
    }
    std::erase_if(parts, [&](const cloud::Leftover& part) {
        return part.mark.name.empty() ? clusters.contains(part.mark.cluster)
                                      : names.contains(part.mark.name);
    });
    co_return parts;
}

// Parts are made before the server. When the server is refused, they are taken away at once:
// nobody deletes a machine that was never made.
asio::awaitable<Machine> OpenStackCloud::make(const Order& order) {
    std::optional<cloud::Refusal> refusal;
    try {
        Machine machine = co_await make_server(order);
        co_return machine;
    } catch (const cloud::Refusal& refused) {
        refusal = refused;
    }
    co_await neutron_.release(order.account, order.mark);
    throw *refusal;
}

asio::awaitable<Machine> OpenStackCloud::make_server(const Order& order) {
    const Account& account = order.account;
    ServerParts parts;
    parts.flavor_id = co_await flavor_id(account, order.placement.flavor);
    parts.image_id = co_await image_id(account, order.spec.image);
    parts.zone = order.placement.zone;
    parts.key_pair = cloud::setting(account, order.spec, "ssh_keypair");
    parts.config_drive = cloud::is_yes(cloud::setting(account, order.spec, "config_drive"), false);
    base::Problems ignored;
    parts.volume_size = cloud::number_in(cloud::setting(account, order.spec, "boot_volume_size"),
                                         "boot_volume_size", 1, largest_volume, 0, ignored);
    parts.server_group = co_await server_group(account, order.spec);
    const std::vector<base::Json> networks = co_await neutron_.networks(account, order.spec);
    std::vector<std::string> groups = co_await neutron_.groups(account, order.spec);
    parts.auto_network = networks.empty();
    parts.floating = wants_floating(account, order.spec);
    if (networks.empty() && *parts.floating) {
        throw cloud::wrong(
            "floating_ip: the project has no network that could be joined to an "
            "external one; make one and name it in network_ids");
    }
    if (networks.empty())
        parts.security_groups = std::move(groups);
    else
        parts.ports = co_await neutron_.ports(order, networks, groups);
    if (*parts.floating) co_await neutron_.bind_address(order, parts.ports.front());
    Call call;
    call.method = "POST";
    call.path = "/servers";
    call.lane = "create";
    call.body = server_body(order, parts);
    Reply reply = co_await api_.send(account, std::move(call));
    if (reply.status != 202) co_await explain(order, reply);
    const base::Json made = cloud::json_in(reply);
    Machine machine;
    machine.id = base::text_at(made.value("server", base::Json::object()), "id");
    if (machine.id.empty()) throw cloud::Lost("the answer to POST /servers has no id");
    co_return machine;
}

asio::awaitable<void> OpenStackCloud::remove(const Account& account, const CloudMachine& machine) {
    co_await mark_volumes(account, machine);
    co_await api_.remove(account, "compute", "/servers/" + cloud::percent_encoded(machine.id),
                         "deleting the server");
}

asio::awaitable<std::vector<std::string>> OpenStackCloud::release(const Account& account,
                                                                  const Mark& mark) {
    std::vector<std::string> left = co_await neutron_.release(account, mark);
    const std::vector<base::Json> disks = co_await volumes(account);
    for (const base::Json& disk : disks) {
        if (!belongs_to(mark_of_server(disk), mark)) continue;
        const std::string id = base::text_at(disk, "id");
        const std::string status = base::text_at(disk, "status");
        if (status != "deleting") {
            co_await api_.remove(account, "volume", "/volumes/" + id, "the volume");
        }
        left.push_back("the volume " + id + " is being deleted (" + status + ")");
    }
    co_return left;
}

asio::awaitable<std::vector<std::string>> OpenStackCloud::release_cluster(const Account& account,
                                                                          const Mark& mark) {
    std::vector<std::string> left = co_await neutron_.release_cluster(account, mark);
    const std::string name = cloud::cloud_name(account, mark.cluster);
    const std::vector<base::Json> groups =
        co_await api_.list(account, "compute", "/os-server-groups", "server_groups");
    for (const base::Json& group : groups) {
        if (base::text_at(group, "name") != name) continue;
        const std::string id = base::text_at(group, "id");
        co_await api_.remove(account, "compute", "/os-server-groups/" + id, "the server group");
    }
    co_return left;
}

asio::awaitable<std::vector<base::Json>> OpenStackCloud::volumes(const Account& account) {
    std::vector<base::Json> marked;
    const bool has_cinder = co_await api_.has_service(account, "volume");
    if (!has_cinder) co_return marked;
    const std::vector<base::Json> all =
        co_await api_.list(account, "volume", "/volumes/detail", "volumes");
    for (const base::Json& volume : all) {
        if (is_marked(volume, account.installation)) marked.push_back(volume);
    }
    co_return marked;
}

asio::awaitable<void> OpenStackCloud::mark_volumes(const Account& account,
                                                   const CloudMachine& machine) {
    const base::Json ids = machine.details.value("volumes", base::Json::array());
    if (ids.empty()) co_return;
    const bool has_cinder = co_await api_.has_service(account, "volume");
    if (!has_cinder) co_return;
    for (const base::Json& id : ids) {
        Call call;
        call.method = "POST";
        call.service = "volume";
        call.path = "/volumes/" + id.get<std::string>() + "/metadata";
        call.body["metadata"] = metadata_of(machine.mark);
        const Reply reply = co_await api_.send(account, std::move(call));
        // A volume that may not be marked goes with its server none the less.
        if (reply.status >= 500) throw_refusal(reply, "marking a volume");
    }
}

}  // namespace provisioner::providers::openstack
