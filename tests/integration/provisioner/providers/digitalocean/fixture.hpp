#pragma once

#include <string>

#include "tests/support/clouds/cloud_site.hpp"

namespace tests {

/// The stand-in for DigitalOcean with short times, and an account there. At the end all machines
/// are taken away as the sweep does it, nothing may be left of their clusters, and every request
/// and every answer must have been as DigitalOcean's document says.
struct DigitalOceanSite {
    DigitalOceanSite();
    ~DigitalOceanSite();
    DigitalOceanSite(const DigitalOceanSite&) = delete;
    DigitalOceanSite& operator=(const DigitalOceanSite&) = delete;

    /// The machine of node `number`, made for `task`.
    static provisioner::providers::MachineSpec spec(int number = 1001, long long task = 10);

    /// The id of a machine that is made; the test fails when it is refused.
    std::string made(const provisioner::providers::MachineSpec& spec);
    /// The message of a creation that is refused; the test fails when it is not.
    std::string refusal(const provisioner::providers::MachineSpec& spec);
    /// The results that a node has of its machine.
    static provisioner::base::Json results_of(const std::string& id);
    /// Takes the machine away; the test fails when it stays.
    void take_away(const provisioner::providers::MachineSpec& spec, const std::string& id);

    void set(const char* setting, const provisioner::base::Json& value);
    /// How often an operation of the document was called.
    int calls_of(const char* operation);
    /// How many there are: "droplets", "firewalls", "volumes", "tags".
    std::size_t count(const char* kind);

    /// The machines of the account, once its calls are not used up any more.
    std::vector<provisioner::providers::SeenMachine> all_machines();
    /// Takes away what the account's installation has.
    void leave_nothing();

    CloudSite site;
    provisioner::providers::Account account;
};

/// Whether the text has those words.
bool says(std::string_view text, std::string_view words);

}  // namespace tests
