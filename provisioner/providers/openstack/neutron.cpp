#include "provisioner/providers/openstack/neutron.hpp"

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/openstack/parts.hpp"
#include "provisioner/providers/openstack/refusals.hpp"

namespace provisioner::providers::openstack {
namespace asio = boost::asio;
using cloud::Mark;
using cloud::NotYet;
using cloud::Order;
using http_client::Reply;

namespace {

using Ids = std::vector<std::string>;
using std::chrono::milliseconds;

constexpr milliseconds soon{2000};

bool has_port_security(const base::Json& network) {
    const base::Json* enabled = base::member(network, "port_security_enabled");
    return enabled == nullptr || !enabled->is_boolean() || enabled->get<bool>();
}

std::string ports_path(const Account& account, const std::string& machine) {
    return "/ports?name=" + cloud::percent_encoded(cloud::cloud_name(account, machine));
}

Ids names_of(const std::vector<base::Json>& things) {
    Ids names;
    for (const base::Json& thing : things) names.push_back(base::text_at(thing, "name"));
    return names;
}

}  // namespace

asio::awaitable<base::Json> Neutron::change(const Account& account, std::string method,
                                            std::string path, std::string key, base::Json body) {
    Call call;
    call.method = std::move(method);
    call.service = "network";
    call.path = std::move(path);
    call.body[key] = std::move(body);
    const Reply reply = co_await api_.send(account, std::move(call));
    if (reply.status != 200 && reply.status != 201) throw_refusal(reply, "the " + key);
    const base::Json json = cloud::json_in(reply);
    co_return json.value(key, base::Json::object());
}

asio::awaitable<std::vector<base::Json>> Neutron::networks(const Account& account,
                                                           const MachineSpec& spec) {
    const std::vector<base::Json> all =
        co_await api_.list_kept(account, "network", "/networks", "networks");
    const Ids names = cloud::list_in(cloud::setting(account, spec, "network_ids"));
    std::vector<base::Json> wanted;
    for (const std::string& name : names) {
        const std::string id = id_named(all, name, "network_ids", "network");
        for (const base::Json& network : all) {
            if (base::text_at(network, "id") == id) wanted.push_back(network);
        }
    }
    if (!wanted.empty()) co_return wanted;
    std::vector<base::Json> usable = usable_networks(all);
    if (usable.size() > 1) {
        throw cloud::wrong(
            "network_ids: the project can use several networks, name those for its "
            "machines: " +
            listed(names_of(usable)));
    }
    co_return usable;
}

asio::awaitable<Ids> Neutron::ports(const Order& order, const std::vector<base::Json>& networks,
                                    const Ids& groups) {
    std::map<std::string, std::string> free = co_await free_ports(order);
    Ids ids;
    for (const base::Json& network : networks) {
        const auto found = free.find(base::text_at(network, "id"));
        if (found != free.end()) {
            ids.push_back(found->second);
            free.erase(found);
            continue;
        }
        std::string made = co_await make_port(order, network, groups);
        ids.push_back(std::move(made));
    }
    co_return ids;
}

asio::awaitable<std::map<std::string, std::string>> Neutron::free_ports(const Order& order) {
    const std::string path = ports_path(order.account, order.spec.name);
    const std::vector<base::Json> all = co_await api_.list(order.account, "network", path, "ports");
    std::map<std::string, std::string> free;
    for (const base::Json& port : all) {
        const Mark mark = mark_in_description(base::text_at(port, "description"));
        if (mark.installation != order.mark.installation) continue;
        if (!base::text_at(port, "device_id").empty()) {
            co_await free_or_wait(order.account, port);
            continue;
        }
        free.try_emplace(base::text_at(port, "network_id"), base::text_at(port, "id"));
    }
    co_return free;
}

// The server that holds a port of this machine is one whose reply was lost and that is not listed
// yet, or one that is being deleted.
asio::awaitable<void> Neutron::free_or_wait(const Account& account, const base::Json& port) {
    const std::string server = base::text_at(port, "device_id");
    Call call;
    call.path = "/servers/" + cloud::percent_encoded(server);
    const Reply reply = co_await api_.send(account, std::move(call));
    if (reply.status != 404) {
        throw NotYet(soon, "the server " + server + " still has a port of this machine");
    }
    co_await api_.remove(account, "network", "/ports/" + base::text_at(port, "id"), "the port");
}

asio::awaitable<std::string> Neutron::make_port(const Order& order, const base::Json& network,
                                                const Ids& groups) {
    base::Json port = base::Json::object();
    port["network_id"] = base::text_at(network, "id");
    port["name"] = cloud::cloud_name(order.account, order.spec.name);
    port["description"] = description_of(order.mark);
    if (has_port_security(network)) port["security_groups"] = groups;
    Call call;
    call.method = "POST";
    call.service = "network";
    call.path = "/ports";
    call.body["port"] = std::move(port);
    const Reply reply = co_await api_.send(order.account, std::move(call));
    if (is_group_gone(reply)) throw NotYet(soon, "the security group was deleted meanwhile");
    if (reply.status != 201) throw_refusal(reply, "the port");
    const base::Json made = cloud::json_in(reply);
    co_return base::text_at(made.value("port", base::Json::object()), "id");
}

asio::awaitable<std::map<std::string, std::string>> Neutron::floating_addresses(
    const Account& account) {
    const std::vector<base::Json> all =
        co_await api_.list(account, "network", "/floatingips", "floatingips");
    std::map<std::string, std::string> addresses;
    for (const base::Json& each : all) {
        const Mark mark = mark_in_description(base::text_at(each, "description"));
        const bool is_bound = !base::text_at(each, "port_id").empty();
        if (mark.installation == account.installation && is_bound) {
            addresses[mark.name] = base::text_at(each, "floating_ip_address");
        }
    }
    co_return addresses;
}

asio::awaitable<Ids> Neutron::release(const Account& account, const Mark& mark) {
    const std::vector<base::Json> addresses =
        co_await api_.list(account, "network", "/floatingips", "floatingips");
    for (const base::Json& address : addresses) {
        const Mark own = mark_in_description(base::text_at(address, "description"));
        if (belongs_to(own, mark)) co_await give_back(account, address);
    }
    const std::string path = ports_path(account, mark.name);
    const std::vector<base::Json> ports = co_await api_.list(account, "network", path, "ports");
    Ids left;
    for (const base::Json& port : ports) {
        const Mark own = mark_in_description(base::text_at(port, "description"));
        if (!belongs_to(own, mark)) continue;
        const std::string id = base::text_at(port, "id");
        const bool gone = co_await api_.remove(account, "network", "/ports/" + id, "the port");
        if (!gone) left.push_back("the port " + id + " is still in use");
    }
    co_return left;
}

asio::awaitable<Ids> Neutron::release_cluster(const Account& account, const Mark& mark) {
    const std::vector<base::Json> groups = co_await groups_described(account, description_of(mark));
    Ids left;
    for (const base::Json& group : groups) {
        const std::string id = base::text_at(group, "id");
        const bool gone =
            co_await api_.remove(account, "network", "/security-groups/" + id, "the group");
        if (!gone) left.push_back("the security group " + id + " is still in use");
    }
    co_return left;
}

asio::awaitable<std::vector<cloud::Leftover>> Neutron::parts(const Account& account) {
    const std::pair<const char*, const char*> kinds[] = {
        {"ports", "port"}, {"floatingips", "address"}, {"security_groups", "security group"}};
    std::vector<cloud::Leftover> parts;
    for (const auto& [key, kind] : kinds) {
        std::string path = std::string("/") + key;
        if (path == "/security_groups") path = "/security-groups";
        const std::vector<base::Json> all = co_await api_.list(account, "network", path, key);
        for (const base::Json& each : all) {
            cloud::Leftover part;
            part.mark = mark_in_description(base::text_at(each, "description"));
            if (part.mark.installation != account.installation) continue;
            part.id = base::text_at(each, "id");
            part.kind = kind;
            parts.push_back(std::move(part));
        }
    }
    co_return parts;
}

}  // namespace provisioner::providers::openstack
