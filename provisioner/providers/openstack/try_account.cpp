#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/openstack/openstack_cloud.hpp"
#include "provisioner/providers/openstack/parts.hpp"

namespace provisioner::providers::openstack {
namespace asio = boost::asio;
using cloud::text_of;

namespace {

using Things = std::vector<base::Json>;

/// Choices by name: people read names, and names are what catalogues keep.
void offer(Offer& offered, const std::string& field, const Things& things,
           const std::string& key = "name") {
    auto& choices = offered.choices[field];
    for (const base::Json& thing : things) {
        const std::string name = base::text_at(thing, key);
        const std::string id = base::text_at(thing, "id");
        if (!name.empty()) choices.push_back({.value = name, .label = id});
    }
}

void check_names(const Account& account, const std::string& field, const Things& things,
                 const std::string& what, base::Problems& problems) {
    for (const std::string& name : cloud::list_in(text_of(account, field))) {
        try {
            id_named(things, name, field, what);
        } catch (const cloud::Refusal& refusal) {
            problems.push_back({"", refusal.refused().message});
        }
    }
}

/// Lists give zones and key pairs in forms of their own.
Things named(const Things& things, const char* inside, const char* key) {
    Things plain;
    for (const base::Json& thing : things) {
        const base::Json inner = *inside == 0 ? thing : thing.value(inside, base::Json::object());
        plain.push_back({{"id", base::text_at(inner, key)}, {"name", base::text_at(inner, key)}});
    }
    return plain;
}

void add_notes(const Account& account, const Things& usable, Offer& offered) {
    if (text_of(account, "openstack_ssl_verify_peer") == "false") {
        offered.notes.emplace_back(
            "openstack_ssl_verify_peer is off, but certificates are always verified: give the "
            "cloud's own authority in ca_certificates");
    }
    if (text_of(account, "network_ids").empty() && usable.size() > 1) {
        offered.notes.emplace_back(
            "network_ids is empty and the project can use several networks: name one");
    }
}

}  // namespace

asio::awaitable<Offer> OpenStackCloud::test(const Account& account) {
    base::Problems problems = check_login(account);
    if (!problems.empty()) throw cloud::wrong(base::to_text(problems));
    Offer offered;
    const Things flavors = co_await api_.list(account, "compute", "/flavors", "flavors");
    offer(offered, "flavor", flavors);
    const Things images = co_await api_.list(account, "image", "/images", "images");
    offer(offered, "image", images);
    const Things zones_listed =
        co_await api_.list(account, "compute", "/os-availability-zone", "availabilityZoneInfo");
    const Things zones = named(zones_listed, "", "zoneName");
    offer(offered, "availability_zone", zones);
    const Things keys_listed = co_await api_.list(account, "compute", "/os-keypairs", "keypairs");
    const Things keys = named(keys_listed, "keypair", "name");
    offer(offered, "ssh_keypair", keys);
    const Things server_groups =
        co_await api_.list(account, "compute", "/os-server-groups", "server_groups");
    offer(offered, "server_group", server_groups);
    const Things networks = co_await api_.list(account, "network", "/networks", "networks");
    offer(offered, "network_ids", usable_networks(networks));
    offer(offered, "floating_network", external_networks(networks));
    const Things groups =
        co_await api_.list(account, "network", "/security-groups", "security_groups");
    offer(offered, "security_groups", groups);
    check_names(account, "availability_zone", zones, "availability zone", problems);
    check_names(account, "ssh_keypair", keys, "key pair", problems);
    check_names(account, "server_group", server_groups, "server group", problems);
    check_names(account, "network_ids", networks, "network", problems);
    check_names(account, "floating_network", networks, "network", problems);
    check_names(account, "security_groups", groups, "security group", problems);
    if (!problems.empty()) throw cloud::wrong(base::to_text(problems));
    add_notes(account, usable_networks(networks), offered);
    co_return offered;
}

}  // namespace provisioner::providers::openstack
