#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/google/api.hpp"
#include "provisioner/providers/google/disks.hpp"

namespace provisioner::providers::google {

/// Google Compute Engine, API v1. README.md says how it is used.
///
/// A machine and its disks are made by one call. It is found again by its labels and, before a
/// listing shows it or when it came to nothing, by the operations of the project. The call is
/// harmless to repeat: it has a request id, and the name is unique.
class GoogleCloud final : public cloud::Cloud {
 public:
    explicit GoogleCloud(cloud::Tools tools) : api_(tools) {}

    model::PluginType type() const override;
    /// The project: whoever has an account in it sees the same machines.
    std::string account_name(const Account& account) const override { return name_of(account); }
    cloud::Rates rates() const override { return usual_rates(); }
    base::Problems check(const Account& account, const MachineSpec& spec) const override;
    std::string zone_field() const override { return "zone_name"; }
    /// A repeated call gives the same operation.
    std::chrono::milliseconds shows_within() const override { return std::chrono::seconds{1}; }
    bool runs_cloud_init(const Account& account, const MachineSpec& spec) const override;
    /// The field `ssh_user`, else the image type's user.
    std::string login_user(const Account& account, const MachineSpec& spec) const override;
    /// Coopr's guess.
    bool may_take_back(const Account& account, const MachineSpec& spec) const override;
    std::string why_missing() const override { return "a quota may be used up"; }
    base::Json more_user_data(const Account& account, const MachineSpec& spec) const override;

    /// Two calls: the operations that are under way or failed, then the machines.
    boost::asio::awaitable<std::vector<cloud::CloudMachine>> list(const Account& account) override;
    /// Disks without a machine, and firewall rules of clusters without one.
    boost::asio::awaitable<std::vector<cloud::Leftover>> leftovers(
        const Account& account, const std::vector<cloud::CloudMachine>& machines) override;
    boost::asio::awaitable<Machine> make(const cloud::Order& order) override;
    /// Keeps the cluster's firewall rules, which the end of an earlier machine may have taken
    /// along.
    boost::asio::awaitable<void> complete(const Account& account, const MachineSpec& spec,
                                          const cloud::CloudMachine& machine) override;
    boost::asio::awaitable<void> remove(const Account& account,
                                        const cloud::CloudMachine& machine) override;
    /// Deletes disks that the machine left.
    boost::asio::awaitable<std::vector<std::string>> release(const Account& account,
                                                             const cloud::Mark& mark) override;
    /// Deletes the cluster's firewall rules.
    boost::asio::awaitable<std::vector<std::string>> release_cluster(
        const Account& account, const cloud::Mark& mark) override;
    /// What the guest agent wrote to the guest attributes. NotYet for a machine that has just
    /// started.
    boost::asio::awaitable<std::string> host_key_of(const Account& account,
                                                    const cloud::CloudMachine& machine) override;
    boost::asio::awaitable<Offer> test(const Account& account) override;

 private:
    /// Sends the request for the machine until it led to a new operation, or to a machine that is
    /// there.
    boost::asio::awaitable<void> insert(const cloud::Order& order, const std::string& name,
                                        Call call);
    /// Brings the firewall rules of the machine's cluster to what is wanted. Does not look where
    /// this daemon found them so less than `trusted` ago. NotYet while one is being deleted, or
    /// changed by somebody else.
    boost::asio::awaitable<void> keep_firewalls(const Account& account, const MachineSpec& spec,
                                                std::chrono::milliseconds trusted);
    boost::asio::awaitable<void> repair_firewalls(const Account& account,
                                                  const std::vector<base::Json>& wanted,
                                                  std::string prefix);
    /// Throws NotYet for a wanted rule that an operation deletes: it is listed until its end.
    boost::asio::awaitable<void> await_deletions(const Account& account,
                                                 const std::vector<base::Json>& wanted);
    boost::asio::awaitable<void> change_firewall(const Account& account, Call call);
    /// Names of the wanted disks that are there already. Throws Refusal for one that is another
    /// disk, NotYet for one that is being made or deleted.
    boost::asio::awaitable<std::set<std::string>> existing_disks(const cloud::Order& order,
                                                                 const std::vector<Disk>& disks);
    /// The link of the image that is wanted, as disks name it.
    boost::asio::awaitable<std::string> image_link(const cloud::Order& order);
    /// Adds machine types of the zone, and images.
    boost::asio::awaitable<void> offer_sizes_and_images(const Account& account, Offer& offer);
    /// Why the machine was refused: throws.
    boost::asio::awaitable<void> refuse(const cloud::Order& order, const ApiError& error);
    /// Names of what there is, for unknown_name(). Empty when they cannot be listed.
    boost::asio::awaitable<std::vector<std::string>> names_in(const Account& account,
                                                              std::string path,
                                                              std::string project = "");

    Api api_;
};

/// The Cloud for the table of clouds.
std::unique_ptr<cloud::Cloud> make_google(cloud::Tools tools);

}  // namespace provisioner::providers::google
