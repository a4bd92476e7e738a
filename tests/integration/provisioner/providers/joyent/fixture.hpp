#pragma once

#include <string>

#include "provisioner/providers/provider.hpp"
#include "tests/support/clouds/cloud_site.hpp"

namespace joyent_tests {

/// Where keys for signing are made: a folder of the process that is removed at its end.
std::string key_folder();
/// The path of a private key of that kind ("rsa-pem", "rsa-openssh", "ed25519"), made at first use;
/// its public half has ".pub" at the end.
std::string key_file(const std::string& kind);
std::string content_of(const std::string& path);

/// A data centre whose account "joe" has one key, named "laptop", and a provider of it.
struct DataCentre {
    explicit DataCentre(std::string kind = "rsa-pem");

    /// The account with fields that replace or add to the usual ones; null removes one.
    provisioner::providers::Account account(
        const provisioner::base::Json& fields = provisioner::base::Json::object()) const;
    /// The machine of a node with image "debian-12" and a package.
    static provisioner::providers::MachineSpec spec(int number = 1001, long long task = 10);

    void set(const provisioner::base::Json& settings);
    /// Makes the machine, and demands that it was made.
    provisioner::providers::Machine made(const provisioner::providers::MachineSpec& spec);
    /// Facts of a machine as the node keeps them.
    static provisioner::base::Json results(const std::string& id);
    /// The message of a creation that is refused.
    std::string refusal(const provisioner::providers::Account& account,
                        const provisioner::providers::MachineSpec& spec);

    tests::CloudSite site;
    std::string kind;
};

}  // namespace joyent_tests
