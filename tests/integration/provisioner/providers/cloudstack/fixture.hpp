#pragma once

#include <string>

#include "provisioner/providers/provider.hpp"
#include "tests/support/clouds/cloud_site.hpp"

namespace cloudstack_tests {

/// A CloudStack with one account and a provider of it. Zone "eu-one" has security groups; "eu-two"
/// has a network behind a router.
struct Region {
    Region();

    /// The account with fields that replace or add to the usual ones; null removes one.
    provisioner::providers::Account account(
        const provisioner::base::Json& fields = provisioner::base::Json::object()) const;
    /// The same in zone eu-two, with an address for each machine.
    provisioner::providers::Account behind_router() const;
    /// The machine of a node with template "debian-12" and an offering.
    static provisioner::providers::MachineSpec spec(int number = 1001, long long task = 10);

    void set(const provisioner::base::Json& settings);
    /// Makes the machine, and demands that it was made.
    provisioner::providers::Machine made(const provisioner::providers::Account& account,
                                         const provisioner::providers::MachineSpec& spec);
    provisioner::providers::Machine made(const provisioner::providers::MachineSpec& spec);
    /// Facts of a machine as the node keeps them.
    static provisioner::base::Json results(const std::string& id);
    /// The message of a creation that is refused.
    std::string refusal(const provisioner::providers::Account& account,
                        const provisioner::providers::MachineSpec& spec);
    /// Demands that the judge refused nothing and found all answers right.
    void is_not_blamed();

    tests::CloudSite site;
};

}  // namespace cloudstack_tests
