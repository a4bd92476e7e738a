#include "provisioner/providers/rackspace/rackspace_cloud.hpp"

#include <algorithm>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/openstack/parts.hpp"
#include "provisioner/providers/openstack/refusals.hpp"

namespace provisioner::providers::rackspace {
namespace asio = boost::asio;
using cloud::CloudMachine;
using cloud::Order;
using cloud::text_of;
using http_client::Reply;
using openstack::Call;
using openstack::said;

namespace {

constexpr int status_accepted = 202;
constexpr int longest_page = 1000;

/// Names of key pairs; their listing is of another form than others.
std::vector<std::string> key_names(const base::Json& listing) {
    std::vector<std::string> names;
    const base::Json pairs = listing.value("keypairs", base::Json::array());
    for (const base::Json& pair : pairs) {
        names.push_back(base::text_at(pair.value("keypair", base::Json::object()), "name"));
    }
    return names;
}

bool waits_for_rackconnect(const Account& account) {
    return cloud::is_yes(text_of(account, "rackconnect_wait"), false);
}

}  // namespace

RackspaceCloud::RackspaceCloud(cloud::Tools tools) : api_(tools, identity_, rates(), "") {}

model::PluginType RackspaceCloud::type() const {
    return rackspace_type();
}

std::string RackspaceCloud::account_name(const Account& account) const {
    return identity_.account_name(account);
}

// Rackspace documents 1,000 reads and 25 creations a minute.
cloud::Rates RackspaceCloud::rates() const {
    return {.reads = 10, .read_burst = 20, .creations = 0.4, .creation_burst = 5};
}

base::Problems RackspaceCloud::check(const Account& account, const MachineSpec& spec) const {
    base::Problems problems;
    for (const char* name : {"api_user", "api_password", "rackspace_region"}) {
        if (text_of(account, name).empty()) problems.push_back({name, "is required"});
    }
    if (spec.flavor.empty()) problems.push_back({"flavor", "is required (hardware type)"});
    if (spec.image.empty()) problems.push_back({"image", "is required (image type)"});
    own_metadata(account, problems);
    own_files(account, problems);
    return problems;
}

asio::awaitable<std::vector<CloudMachine>> RackspaceCloud::list(const Account& account) {
    const std::string path = "/servers/detail?limit=" + std::to_string(longest_page);
    const std::vector<base::Json> servers = co_await api_.list(account, "compute", path, "servers");
    std::vector<CloudMachine> machines;
    for (const base::Json& server : servers) {
        CloudMachine machine = machine_of(server, waits_for_rackconnect(account));
        if (machine.mark.installation == account.installation) {
            machines.push_back(std::move(machine));
        }
    }
    co_return machines;
}

asio::awaitable<std::string> RackspaceCloud::id_of(const Account& account, std::string kind,
                                                   std::string name) {
    const std::string key = kind + "s";
    const std::vector<base::Json> all = co_await api_.list_kept(account, "compute", "/" + key, key);
    co_return openstack::id_named(all, name, kind, kind);
}

asio::awaitable<Machine> RackspaceCloud::make(const Order& order) {
    openstack::ServerParts parts;
    parts.flavor_id = co_await id_of(order.account, "flavor", order.placement.flavor);
    parts.image_id = co_await id_of(order.account, "image", order.spec.image);
    parts.key_pair = cloud::setting(order.account, order.spec, "ssh_keypair");
    parts.has_tags = false;
    // User data reach a server by its config drive only.
    parts.config_drive = !order.user_data.empty() ||
                         cloud::is_yes(text_of(order.account, "rackspace_config_drive"), false);
    Call call;
    call.method = "POST";
    call.path = "/servers";
    call.lane = "create";
    call.body = body_of(order, parts);
    const Reply reply = co_await api_.send(order.account, std::move(call));
    if (reply.status == 400 && openstack::contains(said(reply), "key_name")) {
        const base::Json keys =
            co_await api_.get(order.account, "compute", "/os-keypairs", "listing key pairs");
        throw cloud::wrong("ssh_keypair: " +
                           cloud::unknown_name("key pair", parts.key_pair, key_names(keys)));
    }
    if (reply.status != status_accepted) openstack::throw_refusal(reply, "the server");
    // The answer has a root password, too ("adminPass"). It is not kept: logins are by key.
    const base::Json made = cloud::json_in(reply);
    Machine machine;
    machine.id = base::text_at(made.value("server", base::Json::object()), "id");
    if (machine.id.empty()) throw cloud::Lost("the answer to POST /servers has no id");
    co_return machine;
}

asio::awaitable<void> RackspaceCloud::remove(const Account& account, const CloudMachine& machine) {
    co_await api_.remove(account, "compute", "/servers/" + cloud::percent_encoded(machine.id),
                         "deleting the server");
}

asio::awaitable<Offer> RackspaceCloud::test(const Account& account) {
    base::Problems problems;
    own_metadata(account, problems);
    own_files(account, problems);
    if (!problems.empty()) throw cloud::wrong(base::to_text(problems));
    Offer offer;
    for (const char* kind : {"flavor", "image"}) {
        const std::string key = std::string(kind) + "s";
        const std::vector<base::Json> things =
            co_await api_.list(account, "compute", "/" + key, key);
        for (const base::Json& thing : things) {
            offer.choices[kind].push_back(
                {.value = base::text_at(thing, "id"), .label = base::text_at(thing, "name")});
        }
    }
    const base::Json keys =
        co_await api_.get(account, "compute", "/os-keypairs", "listing key pairs");
    const std::vector<std::string> names = key_names(keys);
    for (const std::string& name : names) offer.choices["ssh_keypair"].push_back({.value = name});
    const std::string wanted = text_of(account, "ssh_keypair");
    if (!wanted.empty() && std::find(names.begin(), names.end(), wanted) == names.end()) {
        throw cloud::wrong("ssh_keypair: " + cloud::unknown_name("key pair", wanted, names));
    }
    co_return offer;
}

}  // namespace provisioner::providers::rackspace
