#include "provisioner/providers/digitalocean/digitalocean_cloud.hpp"

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/looks.hpp"
#include "provisioner/providers/cloud/user_data.hpp"
#include "provisioner/providers/digitalocean/belongings.hpp"
#include "provisioner/providers/digitalocean/offers.hpp"
#include "provisioner/providers/digitalocean/refusals.hpp"
#include "provisioner/providers/digitalocean/replies.hpp"
#include "provisioner/providers/digitalocean/requests.hpp"
#include "provisioner/providers/digitalocean/type.hpp"

namespace provisioner::providers::digitalocean {
namespace asio = boost::asio;

namespace {

/// How often a droplet with an event under way is asked again.
constexpr std::chrono::seconds event_takes{2};
/// How old a look at a cluster's firewall may be when a machine is made.
constexpr std::chrono::minutes trusted_for_creation{1};

cloud::NotYet has_an_event(const std::string& id) {
    return {event_takes, "the droplet " + id + " has a pending event"};
}

}  // namespace

model::PluginType DigitalOceanCloud::type() const {
    return provider_type();
}

std::string DigitalOceanCloud::account_name(const Account& account) const {
    return account_name_of(account);
}

base::Problems DigitalOceanCloud::check(const Account& account, const MachineSpec& spec) const {
    return problems_of(account, spec);
}

base::Json DigitalOceanCloud::more_user_data(const Account& account,
                                             const MachineSpec& spec) const {
    if (volume_size(account) == 0) return base::Json::object();
    return mounts_of_volume(cloud::mark_of(account, spec));
}

asio::awaitable<std::vector<cloud::CloudMachine>> DigitalOceanCloud::list(const Account& account) {
    auto verb = api_.all(account, "/v2/droplets", "droplets", "droplet:read");
    const base::Json droplets = co_await std::move(verb);
    auto machines = machines_in(droplets, account.installation, has_public_address(account));
    co_await put_tags_on(api_, account, machines);
    co_return machines;
}

asio::awaitable<std::vector<cloud::Leftover>> DigitalOceanCloud::leftovers(
    const Account& account, const std::vector<cloud::CloudMachine>& machines) {
    return belongings_left(api_, account, machines);
}

// The firewall comes first, so that no machine is ever without it.
asio::awaitable<Machine> DigitalOceanCloud::make(const cloud::Order& order) {
    cloud::check_user_data(order.account, order.user_data, most_user_data, "DigitalOcean");
    Parts parts;
    const std::string key = cloud::text_of(order.account, "ssh_keypair");
    if (!key.empty()) parts.key = co_await key_named(api_, order.account, key);
    co_await keep_firewall(api_, order.account, order.spec, trusted_for_creation);
    parts.volume = co_await keep_volume(api_, order.account, order.mark, order.placement.zone);
    auto verb = api_.send(order.account, create_droplet(order, parts));
    const Answer answer = co_await std::move(verb);
    if (!answer.is_good()) co_await explain(api_, order, answer);
    Machine machine;
    machine.id = made_droplet(answer.body);
    co_return machine;
}

asio::awaitable<void> DigitalOceanCloud::complete(const Account& account, const MachineSpec& spec,
                                                  const cloud::CloudMachine&) {
    return keep_firewall(api_, account, spec, cloud::trusted_for_login);
}

// A droplet that is locked has an event under way; often it is its own deletion.
asio::awaitable<void> DigitalOceanCloud::remove(const Account& account,
                                                const cloud::CloudMachine& machine) {
    if (machine.details.value("locked", false)) throw has_an_event(machine.id);
    auto verb = api_.send(account, destroy_droplet(machine.id));
    const Answer answer = co_await std::move(verb);
    if (answer.is_good() || answer.status == 404) co_return;
    const std::string words = answer.message();
    if (words.find("pending event") != std::string::npos) throw has_an_event(machine.id);
    throw cloud::wrong("DigitalOcean does not delete the droplet " + machine.id + ": " + words);
}

asio::awaitable<std::vector<std::string>> DigitalOceanCloud::release(const Account& account,
                                                                     const cloud::Mark& mark) {
    return drop_volumes(api_, account, mark);
}

asio::awaitable<std::vector<std::string>> DigitalOceanCloud::release_cluster(
    const Account& account, const cloud::Mark& mark) {
    co_await drop_firewall(api_, account, mark);
    co_return std::vector<std::string>{};
}

asio::awaitable<Offer> DigitalOceanCloud::test(const Account& account) {
    return offer_of(api_, account);
}

}  // namespace provisioner::providers::digitalocean
