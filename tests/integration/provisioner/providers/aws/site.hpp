#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/aws/credentials.hpp"
#include "tests/support/clouds/cloud_site.hpp"

namespace tests {

/// The EC2 stand-in (ec2_stand_in.py) and the provider "aws" that talks to it.
class AwsSite : public CloudSite {
 public:
    /// `policy`: the path of an IAM policy; then the key may do what it says and no more.
    explicit AwsSite(const std::string& policy = "", bool has_profile = true);

    /// An account whose key is the stand-in's, without groups; `more` replaces fields.
    provisioner::providers::Account account(
        const provisioner::base::Json& more = provisioner::base::Json::object()) const;
    /// A machine of node `number` with an image and a type that exist.
    provisioner::providers::MachineSpec spec(int number = 1001, long long task = 10);

    /// POST /-/<what>: "seed", "console" ...
    provisioner::base::Json ask(const std::string& what, const provisioner::base::Json& given =
                                                             provisioner::base::Json::object());
    /// Members of the stand-in's settings: boot_seconds ...
    void set(const provisioner::base::Json& settings);
    /// What exists in us-east-1, by kind: "instances", "volumes" ...
    provisioner::base::Json things(const std::string& kind);
    /// The instances that are not terminated.
    std::vector<provisioner::base::Json> living();
    /// The parameters of RunInstances that made the only instance.
    provisioner::base::Json request();
    /// Everything that is ours and still costs or counts: instances, disks, interfaces, groups,
    /// keys.
    int left();
    /// What the judge refused so far; tests expect nothing.
    provisioner::base::Json refused_by_judge();

    /// make() that must succeed; the id.
    std::string made(const provisioner::providers::Account& account,
                     const provisioner::providers::MachineSpec& spec);
    /// The message of a make() that must be refused.
    provisioner::providers::Refused refusal(const provisioner::providers::Account& account,
                                            const provisioner::providers::MachineSpec& spec);
    /// take_away() that must end with Gone.
    void removed(const provisioner::providers::Account& account,
                 const provisioner::providers::MachineSpec& spec);

 private:
    std::string image_;
};

/// One site for all cases, with a cloud in which nothing has happened.
AwsSite& fresh_site();

/// {"providerid": id}, as a node keeps it.
provisioner::base::Json results_of(const std::string& id);

}  // namespace tests
