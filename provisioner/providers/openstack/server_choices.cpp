#include <algorithm>
#include <set>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/openstack/openstack_cloud.hpp"
#include "provisioner/providers/openstack/parts.hpp"
#include "provisioner/providers/openstack/refusals.hpp"

namespace provisioner::providers::openstack {
namespace asio = boost::asio;
using cloud::Order;
using http_client::Reply;

namespace {

constexpr std::chrono::milliseconds group_settles{2000};
constexpr std::chrono::milliseconds port_settles{1000};

std::vector<std::string> texts_at(const std::vector<base::Json>& things, const char* key) {
    std::vector<std::string> texts;
    for (const base::Json& thing : things) texts.push_back(base::text_at(thing, key));
    return texts;
}

std::size_t members_of(const base::Json& group) {
    return group.value("members", base::Json::array()).size();
}

/// The one that is used already; equal ones by id. Groups of one name are made when two machines
/// of a cluster find none at the same time.
const base::Json* chosen_group(const std::vector<base::Json>& groups, const std::string& name) {
    const base::Json* chosen = nullptr;
    const auto key = [](const base::Json& group) {
        return std::pair(-static_cast<long long>(members_of(group)), base::text_at(group, "id"));
    };
    for (const base::Json& group : groups) {
        if (base::text_at(group, "name") != name) continue;
        if (chosen == nullptr || key(group) < key(*chosen)) chosen = &group;
    }
    return chosen;
}

}  // namespace

asio::awaitable<std::string> OpenStackCloud::flavor_id(const Account& account, std::string name) {
    const std::vector<base::Json> flavors =
        co_await api_.list_kept(account, "compute", "/flavors", "flavors");
    co_return id_named(flavors, name, "flavor", "flavor");
}

asio::awaitable<std::string> OpenStackCloud::image_id(const Account& account, std::string name) {
    // An image of another project that was shared with this one is not in the listing.
    // Nova shows ids of images as UUIDs, so any other text is a name.
    if (cloud::is_uuid(name)) co_return name;
    const std::string path = "/images?name=" + cloud::percent_encoded(name);
    std::vector<base::Json> images = co_await api_.list_kept(account, "image", path, "images");
    if (images.empty()) images = co_await api_.list_kept(account, "image", "/images", "images");
    co_return id_named(images, name, "image", "image");
}

asio::awaitable<std::string> OpenStackCloud::server_group(const Account& account,
                                                          const MachineSpec& spec) {
    const std::string named = cloud::setting(account, spec, "server_group");
    const std::string policy = cloud::setting(account, spec, "anti_affinity");
    if (named.empty() && policy.empty()) co_return std::string();
    if (named.empty()) {
        std::string own = co_await own_server_group(account, spec, policy);
        co_return own;
    }
    const std::vector<base::Json> groups =
        co_await api_.list_kept(account, "compute", "/os-server-groups", "server_groups");
    co_return id_named(groups, named, "server_group", "server group");
}

asio::awaitable<std::string> OpenStackCloud::own_server_group(const Account& account,
                                                              const MachineSpec& spec,
                                                              std::string policy) {
    const std::string name = cloud::cloud_name(account, spec.cluster);
    const std::vector<base::Json> groups =
        co_await api_.list(account, "compute", "/os-server-groups", "server_groups");
    const base::Json* chosen = chosen_group(groups, name);
    if (chosen != nullptr) co_return base::text_at(*chosen, "id");
    Call call;
    call.method = "POST";
    call.path = "/os-server-groups";
    call.body["server_group"] = {{"name", name}, {"policies", base::Json::array({policy})}};
    const Reply reply = co_await api_.send(account, std::move(call));
    if (reply.status != 200) throw_refusal(reply, "the server group");
    throw cloud::NotYet(group_settles, "the server group of the cluster has been made");
}

asio::awaitable<void> OpenStackCloud::explain(const Order& order, Reply reply) {
    const std::string words = said(reply);
    const Account& account = order.account;
    const bool is_ports = contains(words, "Port ") || contains(words, "Port id");
    if (is_ports && (contains(words, "could not be found") || contains(words, "still in use"))) {
        throw cloud::NotYet(port_settles, "the machine's port is not ready: " + words);
    }
    if (is_group_gone(reply)) {
        throw cloud::NotYet(group_settles, "the security group was deleted meanwhile");
    }
    if (reply.status == 400 && contains(words, "key_name")) {
        const base::Json keys = co_await api_.get(account, "compute", "/os-keypairs", "key pairs");
        const base::Json pairs = keys.value("keypairs", base::Json::array());
        std::vector<std::string> names;
        for (const base::Json& pair : pairs) {
            names.push_back(base::text_at(pair.value("keypair", base::Json::object()), "name"));
        }
        const std::string wanted = cloud::setting(account, order.spec, "ssh_keypair");
        throw cloud::wrong("ssh_keypair: " + cloud::unknown_name("key pair", wanted, names));
    }
    if (reply.status == 400 && contains(words, "availability zone")) {
        const std::vector<base::Json> zones = co_await api_.list_kept(
            account, "compute", "/os-availability-zone", "availabilityZoneInfo");
        throw cloud::wrong("availability_zone: " +
                           cloud::unknown_name("availability zone", order.placement.zone,
                                               texts_at(zones, "zoneName")));
    }
    if (reply.status == 400 && contains(words, "requested image")) {
        const std::vector<base::Json> images =
            co_await api_.list_kept(account, "image", "/images", "images");
        throw cloud::wrong(
            "image: " + cloud::unknown_name("image", order.spec.image, texts_at(images, "name")));
    }
    throw_refusal(reply, "the server");
}

}  // namespace provisioner::providers::openstack
