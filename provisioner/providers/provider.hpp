#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// After <utility>: this header of Boost 1.74 uses std::exchange without including it.
#include <boost/asio/awaitable.hpp>

#include "provisioner/base/json.hpp"
#include "provisioner/model/machines/account.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"

namespace provisioner::providers {

using model::Account;

/// The machine a node task wants, in the provider's words.
struct MachineSpec {
    /// That of the node (model::MachineName), over all attempts. A machine of this name that exists
    /// already is the one that was asked for.
    std::string name;
    /// The task that asks, by its number: they grow with time. A machine that was made for a later
    /// task is not the one this task is to take away. 0: whichever is there is.
    long long task = 0;
    /// The cluster's wire id: machines of one cluster see each other.
    std::string cluster;
    /// Full name the machine shall have.
    std::string hostname;
    std::string flavor;
    std::string image;
    std::string ssh_user = "root";
    /// Public key ("ssh-ed25519 AAAA...") that may log in as ssh_user.
    std::string authorized_key;
    /// Setting maps of the hardware and image type for this provider (flavor, image, memory_mb,
    /// cpus, ...).
    std::map<std::string, std::string> hardware;
};

/// A machine as the provider knows it: its own id, and what the node must remember of it.
struct Machine {
    std::string id;
    /// Merged into the node's results, "providerid" included.
    base::Json facts = base::Json::object();
};

/// What the provider knows the machine of a node by: "providerid" among the node's results, or the
/// name in the spec where that has not been told.
std::string provider_id(const base::Json& results, const MachineSpec& spec);

/// A machine that is there, whoever remembers it.
struct SeenMachine {
    /// The provider's own id ("providerid").
    std::string id{};
    /// The name it was made by (MachineSpec::name).
    std::string name{};
    /// By type, as in Reachable; empty where a listing does not say.
    std::map<std::string, std::string> addresses{};

    bool operator==(const SeenMachine&) const = default;
};

/// The machine answers: addresses by type ("access_v4", "bind_v4") and its host key where the
/// provider knows it.
struct Reachable {
    std::map<std::string, std::string> addresses;
    /// "ssh-ed25519 AAAA..."; empty when it has to be pinned on first contact.
    std::string host_key;
    /// Replaces the node's hostname when not empty.
    std::string hostname;
};

/// It is not there yet (or not gone yet): ask again after `poll_in`.
struct Pending {
    std::chrono::milliseconds poll_in{1000};
    std::string reason;
};

/// The provider said no.
struct Refused {
    /// A sentence with the cause: what limit, which field.
    std::string message;
    /// Whether the same call may succeed later.
    bool worth_retrying = false;
    /// Whether it is certain that no machine was made (statuses 200 to 299 of the wire contract).
    bool nothing_created = false;
};

struct Gone {};

using Created = std::variant<Machine, Refused>;
using Confirmed = std::variant<Reachable, Pending, Refused>;
using Destroyed = std::variant<Gone, Pending, Refused>;

/// A conversation with a cloud: verbs that are short and harmless to repeat. Each is told the
/// account it is about, opened, and knows nothing else of it. What verbs are given outlives them.
/// An exception means that nothing is known (connection lost); the caller asks again.
class Provider {
 public:
    virtual ~Provider() = default;

    /// The machine of that name, made if it does not exist.
    virtual boost::asio::awaitable<Created> create(const Account& account,
                                                   const MachineSpec& spec) = 0;

    /// Whether the machine can be reached. `results` are the node's facts so far.
    virtual boost::asio::awaitable<Confirmed> confirm(const Account& account,
                                                      const MachineSpec& spec,
                                                      const base::Json& results) = 0;

    /// Takes the machine away; one that does not exist is Gone, and one that was made for a later
    /// task is left alone. Finds it by `results` ("providerid") or else by name.
    virtual boost::asio::awaitable<Destroyed> destroy(const Account& account,
                                                      const MachineSpec& spec,
                                                      const base::Json& results) = 0;

    /// The machines of this installation that exist in the account, whoever remembers them.
    virtual boost::asio::awaitable<std::vector<SeenMachine>> machines(const Account& account) = 0;

    /// Where the fields lead, in words people know it by ("AKIA... in eu-central-1") and without
    /// secrets: accounts of the same words hold the same machines, whatever else their fields say.
    virtual std::string account_name(const Account& account) const = 0;

    /// Whether there is one account for the whole installation, whatever the fields say: machines
    /// on the host of the daemon belong to no tenant.
    virtual bool is_shared() const { return false; }

    /// What the catalogue's forms show and check.
    virtual model::PluginType type() const = 0;
};

}  // namespace provisioner::providers
