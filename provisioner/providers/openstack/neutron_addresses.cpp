#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/openstack/neutron.hpp"
#include "provisioner/providers/openstack/parts.hpp"
#include "provisioner/providers/openstack/refusals.hpp"

namespace provisioner::providers::openstack {
namespace asio = boost::asio;
using cloud::Mark;
using cloud::NotYet;
using cloud::Order;
using http_client::Reply;

namespace {

using std::chrono::milliseconds;

/// Others took the address in between.
constexpr milliseconds at_once{200};

std::string external_network(const Account& account, const MachineSpec& spec,
                             const std::vector<base::Json>& all) {
    const std::vector<base::Json> external = external_networks(all);
    const std::string name = cloud::setting(account, spec, "floating_network");
    if (!name.empty()) return id_named(external, name, "floating_network", "external network");
    if (external.size() == 1) return base::text_at(external.front(), "id");
    if (external.empty()) {
        throw cloud::wrong(
            "floating_ip: the project sees no external network, so there are no "
            "floating addresses");
    }
    std::vector<std::string> names;
    for (const base::Json& network : external) names.push_back(base::text_at(network, "name"));
    throw cloud::wrong("floating_network: there are several external networks, name one: " +
                       listed(names));
}

/// An address that nobody uses, as far as can be seen: without port, router and mark.
bool is_free(const base::Json& address, const std::string& network) {
    return base::text_at(address, "port_id").empty() &&
           base::text_at(address, "router_id").empty() &&
           base::text_at(address, "floating_network_id") == network &&
           mark_in_description(base::text_at(address, "description")).installation.empty();
}

/// A second change is refused if somebody else changed the address in between (Neutron's extension
/// "revision-if-match"). Without the extension the header is ignored.
http_client::Headers if_unchanged(const base::Json& address) {
    const base::Json* revision = base::member(address, "revision_number");
    if (revision == nullptr || !revision->is_number_integer()) return {};
    return {{"If-Match", "revision_number=" + base::to_text(*revision)}};
}

/// What binding an address came to: the port may be bound already, or its network has no router.
void check_bound(const Reply& reply) {
    if (reply.status == 200 || reply.status == 201) return;
    const std::string words = said(reply);
    if (reply.status == 412) throw NotYet(at_once, "somebody else took the free floating address");
    if (reply.status == 404 && words.find("not reachable") != std::string::npos) {
        throw cloud::wrong(
            "floating_ip: no router joins the machine's network to the external one: " + words);
    }
    if (reply.status == 404) throw NotYet(at_once, "the port or address is gone: " + words);
    throw_refusal(reply, "the floating address");
}

}  // namespace

asio::awaitable<void> Neutron::bind_address(const Order& order, const std::string& port) {
    const std::vector<base::Json> all =
        co_await api_.list(order.account, "network", "/floatingips", "floatingips");
    for (const base::Json& address : all) {
        const Mark own = mark_in_description(base::text_at(address, "description"));
        const bool is_ours =
            own.installation == order.mark.installation && own.name == order.mark.name;
        if (!is_ours) continue;
        if (base::text_at(address, "port_id") != port) co_await take_address(order, address, port);
        co_return;
    }
    const std::vector<base::Json> networks =
        co_await api_.list_kept(order.account, "network", "/networks", "networks");
    const std::string network = external_network(order.account, order.spec, networks);
    for (const base::Json& address : all) {
        if (!is_free(address, network)) continue;
        co_await take_address(order, address, port);
        co_return;
    }
    co_await make_address(order, port);
}

asio::awaitable<void> Neutron::take_address(const Order& order, const base::Json& address,
                                            const std::string& port) {
    const std::string before = base::text_at(address, "description");
    const bool was_ours = !mark_in_description(before).installation.empty();
    const auto earlier = description_before(before);
    std::string description = description_of_taken(order.mark, before);
    if (was_ours)
        description =
            earlier ? description_of_taken(order.mark, *earlier) : description_of(order.mark);
    Call call;
    call.method = "PUT";
    call.service = "network";
    call.path = "/floatingips/" + base::text_at(address, "id");
    call.headers = if_unchanged(address);
    call.body["floatingip"] = {{"port_id", port}, {"description", description}};
    const Reply reply = co_await api_.send(order.account, std::move(call));
    check_bound(reply);
}

asio::awaitable<void> Neutron::make_address(const Order& order, const std::string& port) {
    const std::vector<base::Json> networks =
        co_await api_.list_kept(order.account, "network", "/networks", "networks");
    const std::string network = external_network(order.account, order.spec, networks);
    Call call;
    call.method = "POST";
    call.service = "network";
    call.path = "/floatingips";
    call.body["floatingip"] = {{"floating_network_id", network},
                               {"port_id", port},
                               {"description", description_of(order.mark)}};
    const Reply reply = co_await api_.send(order.account, std::move(call));
    check_bound(reply);
}

asio::awaitable<void> Neutron::give_back(const Account& account, const base::Json& address) {
    const std::string path = "/floatingips/" + base::text_at(address, "id");
    const auto before = description_before(base::text_at(address, "description"));
    if (!before) {
        co_await api_.remove(account, "network", path, "the floating address");
        co_return;
    }
    Call call;
    call.method = "PUT";
    call.service = "network";
    call.path = path;
    call.body["floatingip"] = {{"port_id", nullptr}, {"description", *before}};
    const Reply reply = co_await api_.send(account, std::move(call));
    if (reply.status != 200 && reply.status != 404) throw_refusal(reply, "the floating address");
}

}  // namespace provisioner::providers::openstack
