#pragma once

#include <string>

#include "provisioner/providers/cloud/mark.hpp"
#include "provisioner/providers/openstack/openstack_cloud.hpp"
#include "tests/support/clouds/cloud_site.hpp"

namespace tests {

/// The OpenStack of openstack_stand_in.py with the provider that talks to it.
class OpenStackSite : public CloudSite {
 public:
    OpenStackSite()
        : CloudSite(
              {"tests/support/clouds/openstack_stand_in.py"},
              [](provisioner::providers::cloud::Tools tools) {
                  return std::make_unique<provisioner::providers::openstack::OpenStackCloud>(tools);
              }) {}

    /// The user demo in the project demo of the first region, with `more` fields.
    provisioner::providers::Account account(provisioner::base::Json more = {}) const {
        provisioner::base::Json fields = {{"openstack_auth_url", url() + "/identity/v2.0/tokens"},
                                          {"api_user", "demo"},
                                          {"api_password", "secret"},
                                          {"openstack_tenant", "demo"},
                                          {"openstack_region", "RegionOne"},
                                          {"calls_per_second", "1000"},
                                          {"creations_per_second", "1000"}};
        if (more.is_object()) fields.update(more);
        return CloudSite::account("openstack", std::move(fields));
    }

    static provisioner::providers::MachineSpec spec(int number = 1001, long long task = 10) {
        auto spec = CloudSite::spec(number, task);
        spec.flavor = "m1.small";
        spec.image = "debian12";
        return spec;
    }

    void settings(const provisioner::base::Json& settings) {
        control("POST", "/-/settings", provisioner::base::to_text(settings));
    }

    /// What the stand-in does beside its API, such as "revoke".
    provisioner::base::Json stand_in(const std::string& what,
                                     const provisioner::base::Json& arguments) {
        return control("POST", "/-/do/" + what, provisioner::base::to_text(arguments));
    }

    /// How many things of the kind there are: "servers", "ports", "addresses".
    std::size_t count(const std::string& kind) { return state().at(kind).size(); }

    /// Servers, ports, addresses, groups, server groups and volumes that are there, in words.
    std::string left() {
        const auto all = state();
        std::string text;
        for (const char* kind :
             {"servers", "ports", "addresses", "groups", "server_groups", "volumes", "keys"}) {
            for (const auto& each : all.at(kind)) {
                text += std::string(kind) + ": " + provisioner::base::to_text(each) + "\n";
            }
        }
        return text;
    }

    /// Requests that Nova's schemas or Neutron's attributes refuse, and calls nobody knows.
    std::string misfits() {
        const auto all = calls();
        return all.at("refused").empty() && all.at("unknown").empty()
                   ? ""
                   : provisioner::base::to_text(all.at("refused")) +
                         provisioner::base::to_text(all.at("unknown"));
    }
};

/// The facts that the daemon keeps of a machine.
inline provisioner::base::Json results_of(const provisioner::providers::Machine& machine) {
    return {{"providerid", machine.id}};
}

}  // namespace tests
