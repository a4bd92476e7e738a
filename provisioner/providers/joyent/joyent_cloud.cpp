#include "provisioner/providers/joyent/joyent_cloud.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <set>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/pages.hpp"
#include "provisioner/providers/joyent/requests.hpp"

namespace provisioner::providers::joyent {
namespace asio = boost::asio;

using cloud::CloudMachine;
using cloud::text_of;

namespace {

/// The most machines in one page.
constexpr int page_size = 1000;
/// A list that changed while it was read is read again so many times, and then later.
constexpr int most_readings = 3;
constexpr std::chrono::seconds retry_list{2};
/// How often a machine that cannot be deleted yet is tried again.
constexpr std::chrono::seconds retry_delete{2};
/// Coopr's words for a conflict.
constexpr std::string_view not_allocated =
    "Unable to delete a VM that has not been allocated to a server yet";

constexpr std::string_view no_passwords =
    "Provider credentials invalid/unauthorized: CloudAPI since version 7 takes no passwords. Set "
    "ssh_keypair and ssh_key_resource: the name of a key of the account, and its private half";

bool has_user_name(const MachineSpec& spec) {
    static const std::regex form("[a-z_][a-z0-9_-]{0,31}");
    return std::regex_match(spec.ssh_user, form);
}

/// Versions before 7.2 know no sub-users.
bool is_before_subusers(const std::string& version) {
    return version.starts_with("~7.0") || version.starts_with("~7.1") ||
           version.starts_with("7.0") || version.starts_with("7.1");
}

}  // namespace

std::string JoyentCloud::account_name(const Account& account) const {
    // Sub-users see the machines of their account.
    return text_of(account, "api_user") + " at " + endpoint_of(account);
}

base::Problems JoyentCloud::check(const Account& account, const MachineSpec& spec) const {
    base::Problems problems;
    if (endpoint_of(account).empty()) {
        problems.push_back({"joyent_api_url", "the region is missing"});
    }
    if (spec.flavor.empty()) problems.push_back({"flavor", "the hardware type names no package"});
    if (spec.image.empty()) problems.push_back({"image", "the image type names no image"});
    if (!has_user_name(spec)) {
        problems.push_back({"ssh_user", "must be the name of a user: a-z, 0-9, _ and -"});
    }
    const std::string version = text_of(account, "joyent_version");
    if (!text_of(account, "joyent_subuser").empty() &&
        (version.empty() || is_before_subusers(version))) {
        problems.push_back({"joyent_version", "sub-users need ~7.2 or later"});
    }
    return problems;
}

base::Json JoyentCloud::more_user_data(const Account& account, const MachineSpec& spec) const {
    const bool wanted = cloud::is_yes(cloud::setting(account, spec, "joyent_data_disk"), true);
    return wanted ? data_disk() : base::Json::object();
}

asio::awaitable<http_client::Reply> JoyentCloud::send(const Account& account, std::string method,
                                                      std::string path, base::Json body) {
    const bool creates = method == "POST" && path == "/machines";
    cloud::Lane lane =
        cloud::lane_of(account, account_name(account), rates(), creates ? "create" : "read");
    http_client::Request request = call(account, std::move(method), path, body, tools_.calls.now());
    request.at_most_once = request.method == "POST";
    auto sending = tools_.calls.send(std::move(lane), std::move(request));
    http_client::Reply reply = co_await std::move(sending);
    if (reply.status == 401 && !is_signed(account)) throw cloud::wrong(std::string(no_passwords));
    co_return reply;
}

asio::awaitable<std::vector<CloudMachine>> JoyentCloud::list(const Account& account) {
    for (int reading = 0; reading < most_readings; ++reading) {
        auto verb = read_pages(account);
        std::optional<std::vector<CloudMachine>> machines = co_await std::move(verb);
        if (!machines) continue;
        // The filter is the server's; only what has the mark may ever be taken away.
        std::erase_if(*machines, [&](const CloudMachine& machine) {
            return machine.mark.installation != account.installation;
        });
        co_return *std::move(machines);
    }
    throw cloud::NotYet(retry_list, "the list of machines changes while it is read");
}

// A server may give shorter pages than it is asked for, and says so in x-query-limit. It does not
// say how many machines there are (x-resource-count is the number in the page), so each page begins
// with the last machine of the one before.
asio::awaitable<std::optional<std::vector<CloudMachine>>> JoyentCloud::read_pages(
    const Account& account) {
    std::vector<CloudMachine> machines;
    cloud::Pages pages;
    std::set<std::string> ids;
    bool overlaps = false;
    for (int offset = 0;;) {
        auto sending = send(account, "GET", page_path(account, offset, page_size));
        const http_client::Reply reply = co_await std::move(sending);
        const base::Json answer = answer_in(reply, tools_.calls.now());
        pages.add(answer);
        std::vector<CloudMachine> page = machines_in(answer);
        base::Problems ignored;
        const auto limit =
            cloud::number_in(reply.header("x-query-limit"), "", 1, page_size, page_size, ignored);
        const int count = static_cast<int>(page.size());
        // Machines of earlier pages are gone, and later ones have moved up.
        if (overlaps && (page.empty() || !ids.contains(page.front().id))) co_return std::nullopt;
        for (CloudMachine& machine : page) {
            if (ids.insert(machine.id).second) machines.push_back(std::move(machine));
        }
        if (count < limit) co_return machines;
        overlaps = count > 1;
        offset += overlaps ? count - 1 : 1;
    }
}

asio::awaitable<std::vector<Named>> JoyentCloud::named(const Account& account, std::string path) {
    auto sending = send(account, "GET", std::move(path));
    const http_client::Reply reply = co_await std::move(sending);
    co_return named_in(answer_in(reply, tools_.calls.now()));
}

asio::awaitable<std::string> JoyentCloud::image_id(const cloud::Order& order) {
    const std::string image = order.spec.image;
    if (cloud::is_uuid(image)) co_return image;
    auto listing = named(order.account, "/images?state=active");
    const std::vector<Named> images = co_await std::move(listing);
    co_return id_of("image", image, images);
}

asio::awaitable<std::vector<std::string>> JoyentCloud::network_ids(const cloud::Order& order) {
    std::vector<std::string> wanted =
        cloud::list_in(cloud::setting(order.account, order.spec, "network_ids"));
    if (std::all_of(wanted.begin(), wanted.end(), cloud::is_uuid)) co_return wanted;
    auto listing = named(order.account, "/networks");
    const std::vector<Named> networks = co_await std::move(listing);
    for (std::string& network : wanted) network = id_of("network", network, networks);
    co_return wanted;
}

asio::awaitable<Machine> JoyentCloud::make(const cloud::Order& order) {
    auto looking = image_id(order);
    const std::string image = co_await std::move(looking);
    auto asking = network_ids(order);
    const std::vector<std::string> networks = co_await std::move(asking);
    auto keeping = keep_rules(order.account, order.spec, std::chrono::seconds{0});
    co_await std::move(keeping);
    auto creating = send(order.account, "POST", "/machines", creation(order, image, networks));
    const http_client::Reply reply = co_await std::move(creating);
    if (reply.status >= 400) {
        auto resolving = resolve(order, reply);
        Machine found = co_await std::move(resolving);
        co_return found;
    }
    Machine machine;
    machine.id = base::text_at(answer_in(reply, tools_.calls.now()), "id");
    if (machine.id.empty()) throw cloud::Lost("the provider's answer has no id of the machine");
    co_return machine;
}

asio::awaitable<Machine> JoyentCloud::resolve(const cloud::Order& order,
                                              const http_client::Reply& reply) {
    if (is_taken_name(reply)) {
        auto looking = machine_of_that_name(order);
        Machine found = co_await std::move(looking);
        co_return found;
    }
    if (is_unknown_package(reply)) {
        auto listing = named(order.account, "/packages");
        const std::vector<Named> packages = co_await std::move(listing);
        id_of("package", order.placement.flavor, packages);
    } else if (is_unknown_image(reply)) {
        auto listing = named(order.account, "/images?state=active");
        const std::vector<Named> images = co_await std::move(listing);
        id_of("image", order.spec.image, images);
    }
    refuse(reply, tools_.calls.now());
}

asio::awaitable<Machine> JoyentCloud::machine_of_that_name(const cloud::Order& order) {
    const std::string name = machine_name(order.account, order.spec.name);
    auto listing = send(order.account, "GET", "/machines?name=" + cloud::percent_encoded(name));
    const http_client::Reply reply = co_await std::move(listing);
    const auto machines = machines_in(answer_in(reply, tools_.calls.now()));
    const bool is_leaving =
        !machines.empty() && machines.front().state == CloudMachine::State::leaving;
    if (machines.empty() || is_leaving) {
        throw cloud::NotYet(retry_delete, "the name " + name + " is still taken");
    }
    const CloudMachine& found = machines.front();
    if (found.mark.installation != order.account.installation ||
        found.mark.name != order.spec.name) {
        throw cloud::wrong("the machine " + found.id + " has the name " + name +
                           " but not the tags of this installation: rename or delete it");
    }
    Machine machine;
    machine.id = found.id;
    co_return machine;
}

asio::awaitable<void> JoyentCloud::remove(const Account& account, const CloudMachine& machine) {
    const std::string id = cloud::percent_encoded(machine.id);
    auto deleting = send(account, "DELETE", "/machines/" + id);
    const http_client::Reply reply = co_await std::move(deleting);
    const bool is_gone = reply.status == 404 || reply.status == 410;
    if (is_gone || (reply.status >= 200 && reply.status <= 299)) co_return;
    const Trouble trouble = trouble_in(reply);
    const bool is_early =
        trouble.message.empty() || trouble.message.find("not been allocated") != std::string::npos;
    if (reply.status == 409 && is_early) {
        throw cloud::NotYet(retry_delete, std::string(not_allocated));
    }
    refuse(reply, tools_.calls.now());
}

}  // namespace provisioner::providers::joyent
