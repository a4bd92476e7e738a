#include "provisioner/daemon/tasks/machine_spec.hpp"

#include "provisioner/daemon/tasks/host_key_facts.hpp"
#include "provisioner/daemon/tasks/own_host_key.hpp"

namespace provisioner::daemon {

namespace {

/// The ports that services of the cluster open to clients.
std::vector<std::string> open_ports(const model::Cluster& cluster) {
    std::vector<std::string> ports;
    for (const model::Service& service : cluster.snapshot.services) {
        ports.insert(ports.end(), service.ports.begin(), service.ports.end());
    }
    return ports;
}

/// Who logs in: the user that the provider prepared (its result "ssh-auth"), else the image type's.
std::string login_user(const model::Node& node) {
    const base::Json* login = base::member(node.results, "ssh-auth");
    const std::string user = login == nullptr ? "" : base::text_at(*login, "user");
    return user.empty() ? node.ssh_user : user;
}

/// The port of sshd, where the provider has told another one than 22 (the same result).
int login_port(const model::Node& node) {
    const base::Json* login = base::member(node.results, "ssh-auth");
    const base::Json* port = login == nullptr ? nullptr : base::member(*login, "port");
    return port != nullptr && port->is_number_integer() ? port->get<int>() : 22;
}

}  // namespace

providers::MachineSpec spec_of(const Work& work, const LoginKeys& keys,
                               const providers::Provider& provider) {
    const model::Node& node = *work.node;
    providers::MachineSpec spec;
    spec.name = model::to_text(model::MachineName{work.claim.cluster, node.nodenum});
    spec.task = work.claim.task.value;
    spec.attempt = work.claim.attempt;
    spec.asked_for = work.claim.attempt_age;
    spec.cluster = model::wire_id(work.claim.cluster);
    spec.tenant = std::to_string(work.cluster->cluster->tenant.value);
    spec.hostname = node.hostname;
    spec.flavor = node.flavor;
    spec.image = node.image;
    spec.ssh_user = node.ssh_user;
    spec.authorized_key = keys.of(*work.account, provider.is_shared()).public_key;
    spec.host_key_seed = keys.host_key_seed(*work.account, spec.name);
    spec.hardware = node.settings;
    spec.open_ports = open_ports(*work.cluster->cluster);
    return spec;
}

remote::Endpoint endpoint_of(const Work& work, const model::Node& node, const LoginKeys& keys,
                             const providers::Provider& provider) {
    return endpoint_of(*work.account, node, keys, provider);
}

remote::Endpoint endpoint_of(const model::Account& account, const model::Node& node,
                             const LoginKeys& keys, const providers::Provider& provider) {
    const auto address = node.addresses.find("access_v4");
    if (address == node.addresses.end()) {
        throw std::invalid_argument("node " + node.hostname + " has no address to reach it by");
    }
    remote::Endpoint endpoint;
    endpoint.address = address->second;
    endpoint.user = login_user(node);
    endpoint.port = login_port(node);
    auto all = keys.all_of(account, provider.is_shared());
    endpoint.private_key = std::move(all.front().private_key);
    for (std::size_t i = 1; i < all.size(); ++i) {
        endpoint.other_keys.push_back(std::move(all[i].private_key));
    }
    endpoint.host_key = known_host_key(node.results);
    const std::string next = next_host_key(node.results);
    if (!next.empty()) endpoint.host_key += "\n" + next;
    return endpoint;
}

}  // namespace provisioner::daemon
