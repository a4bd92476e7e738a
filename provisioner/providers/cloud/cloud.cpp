#include "provisioner/providers/cloud/cloud.hpp"

#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::cloud {
namespace asio = boost::asio;

base::Problems Cloud::check(const Account&, const MachineSpec&) const {
    return {};
}

std::vector<Placement> Cloud::placements(const Account& account, const MachineSpec& spec) const {
    const auto with = [](std::string first, const std::vector<std::string>& more) {
        std::vector<std::string> all{std::move(first)};
        for (const std::string& other : more) {
            if (std::find(all.begin(), all.end(), other) == all.end()) all.push_back(other);
        }
        return all;
    };
    const std::string zone = zone_field().empty() ? "" : setting(account, spec, zone_field());
    std::vector<Placement> placements;
    for (const std::string& flavor : with(spec.flavor, hardware_list(spec, "flavors"))) {
        for (const std::string& where : with(zone, hardware_list(spec, "availability_zones"))) {
            placements.push_back({.flavor = flavor, .zone = where});
        }
    }
    return placements;
}

bool Cloud::runs_cloud_init(const Account& account, const MachineSpec& spec) const {
    return has_cloud_init(account, spec);
}

std::string Cloud::login_user(const Account&, const MachineSpec& spec) const {
    return spec.ssh_user;
}

bool Cloud::may_take_back(const Account&, const MachineSpec&) const {
    return false;
}

base::Json Cloud::more_user_data(const Account&, const MachineSpec&) const {
    return base::Json::object();
}

asio::awaitable<std::vector<Leftover>> Cloud::leftovers(const Account&,
                                                        const std::vector<CloudMachine>&) {
    co_return std::vector<Leftover>{};
}

asio::awaitable<void> Cloud::complete(const Account&, const MachineSpec&, const CloudMachine&) {
    co_return;
}

asio::awaitable<std::vector<std::string>> Cloud::release(const Account&, const Mark&) {
    co_return std::vector<std::string>{};
}

asio::awaitable<std::vector<std::string>> Cloud::release_cluster(const Account&, const Mark&) {
    co_return std::vector<std::string>{};
}

asio::awaitable<std::string> Cloud::host_key_of(const Account&, const CloudMachine&) {
    co_return std::string();
}

}  // namespace provisioner::providers::cloud
