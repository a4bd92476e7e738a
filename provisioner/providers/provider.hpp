#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// After <utility>: this header of Boost 1.74 uses std::exchange without including it.
#include <boost/asio/awaitable.hpp>

#include "provisioner/base/json.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/model/machines/account.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"

namespace provisioner::providers {

using model::Account;

/// The machine that a node task needs, in the provider's terms. The daemon makes it from the node
/// for each verb. The sweep of orphans sets only `name` and `cluster`.
struct MachineSpec {
    /// The name of the node (model::MachineName, "<cluster>-<node number>"), the same in all
    /// attempts. An existing machine of this name is the wanted one, so create() can be repeated.
    /// Names are the same in every installation. Empty in the sweep's destroy() of what a cluster
    /// without machines left over (a security group).
    std::string name;
    /// Number of the task that asks; numbers grow with time. destroy() leaves a machine alone that
    /// was made for a later task. 0: any machine of this name is meant.
    long long task = 0;
    /// The cluster's wire id, "00000001". Machines of one cluster must reach each other.
    std::string cluster;
    /// The number of the cluster's tenant; empty where nobody's machine is meant. Machines of one
    /// tenant trust each other, those of two do not.
    std::string tenant{};
    /// Fully qualified name that the machine gets.
    std::string hostname;
    /// The provider's word for the size, from the hardware type.
    std::string flavor;
    /// The provider's word for the system, from the image type.
    std::string image;
    /// The user who may log in with `authorized_key`; not necessarily root.
    std::string ssh_user = "root";
    /// Public key that may log in, "ssh-ed25519 AAAA...": the tenant's own, or the installation's
    /// on machines of the daemon's own host.
    std::string authorized_key;
    /// Number of the attempt at the task, from 1. A machine that failed is replaced in the next
    /// one.
    int attempt = 1;
    /// How long ago this attempt began.
    std::chrono::milliseconds asked_for{0};
    /// From which the host key of a new machine is derived (identity/ssh_keys.hpp), so that it is
    /// known before the first contact, also after a crash. Differs from machine to machine; the
    /// same in all daemons. Empty: none.
    base::Secret host_key_seed;
    /// Ports that services of the cluster open to clients: "80/tcp".
    std::vector<std::string> open_ports;
    /// Settings of the hardware type and the image type for this provider: flavor, image,
    /// memory_mb, cpus, and others that the provider defines. Values are as administrators wrote
    /// them, so providers check them.
    std::map<std::string, std::string> hardware;
};

/// A machine that create() made or found.
struct Machine {
    /// The provider's own id; not empty. The node keeps it as "providerid".
    std::string id;
    /// An object that is merged into the node's results and so reaches later tasks. Holds no
    /// secrets.
    base::Json facts = base::Json::object();
};

/// The provider's id of a node's machine: "providerid" among the node's results. If that is
/// missing, the name in the spec: a lost answer to create() leaves no id.
std::string provider_id(const base::Json& results, const MachineSpec& spec);

/// A machine that a listing of the account shows, whether a node has it or not.
struct SeenMachine {
    /// The provider's own id ("providerid"); unique in the account.
    std::string id{};
    /// The name it was made with (MachineSpec::name). A text in another form belongs to no node.
    /// What was left over of a machine that is gone (a disk, an address) has the machine's name;
    /// what was left over of a cluster (a security group) has the cluster's wire id.
    std::string name{};
    /// By type, as in Reachable; empty where a listing does not show addresses.
    std::map<std::string, std::string> addresses{};
    /// "disk", "address", "security group" ... for what was left over; empty for a machine.
    std::string part{};
    /// Of a disk; 0: not known.
    int size_gb = 0;

    bool operator==(const SeenMachine&) const = default;
};

/// The machine exists and answers.
struct Reachable {
    /// By type: "access_v4" is where the daemon logs in and must be there; "bind_v4" is where
    /// services listen.
    std::map<std::string, std::string> addresses;
    /// The machine's public key, "ssh-ed25519 AAAA...". Empty: the first login pins the key that
    /// the machine shows.
    std::string host_key;
    /// Replaces the node's hostname if not empty.
    std::string hostname;
    /// Whether others could read the private half of `host_key`, because it travelled in user data.
    /// The daemon then has the machine make another one (daemon/tasks/own_host_key.hpp).
    bool host_key_travelled = false;
};

/// The machine is not there yet, or not gone yet. The task goes back to the queue, uses up no
/// attempt and is claimed again after `poll_in`. The daemon gives up after timing::confirm_patience
/// or timing::delete_patience.
struct Pending {
    std::chrono::milliseconds poll_in{1000};
    /// Text for people, for example "sshd does not answer yet".
    std::string reason;
};

/// The provider gave a definite negative answer.
struct Refused {
    /// A sentence with the cause: which limit, which field. The daemon redacts secrets in it.
    std::string message;
    /// Whether the same call may succeed later: a limit that others use up, not a wrong field.
    bool worth_retrying = false;
    /// Whether it is certain that no machine was made (statuses 200 to 299 of the wire contract).
    bool nothing_created = false;
};

/// The machine does not exist any more, or belongs to a later task.
struct Gone {};

/// The answer of create(). Pending: a part was made or the account's calls are used up for now; the
/// next turn goes on.
using Created = std::variant<Machine, Pending, Refused>;
/// What an account offers, for forms and for a person who tries a provider.
struct Choice {
    /// What the field takes.
    std::string value;
    /// What people read; may be empty.
    std::string label{};

    bool operator==(const Choice&) const = default;
};

/// What a test of an account found.
struct Offer {
    /// By name of a provider's field ("availability_zone"), or "flavor" and "image" for hardware
    /// and image types.
    std::map<std::string, std::vector<Choice>> choices;
    /// Sentences for a person: what works only in part.
    std::vector<std::string> notes;
};

/// The answer of test().
using Tested = std::variant<Offer, Refused>;
/// The answer of confirm().
using Confirmed = std::variant<Reachable, Pending, Refused>;
/// The answer of destroy().
using Destroyed = std::variant<Gone, Pending, Refused>;

/// One provider type: a few verbs, each short and harmless to repeat. A verb makes few API calls
/// and never waits for a machine: it answers Pending, and the queue holds the task.
///
/// A provider keeps nothing about an account between calls. Each verb gets the opened account,
/// whose fields say which cloud and which login. An exception means that the result is unknown, for
/// example because the connection broke; the caller asks again.
///
/// One object serves all event loops and the sweep of orphans, so several threads may call it at
/// once. Each coroutine runs on its caller's executor and must not block it. Arguments passed by
/// reference live until the awaitable has completed.
///
/// The daemon counts calls by daemon/metrics/measured_provider.hpp, which passes every function on:
/// a new one, even with a default, needs its line there.
class Provider {
 public:
    virtual ~Provider() = default;

    /// The machine named `spec.name`: the existing one, else a new one. Does not wait until it has
    /// booted. Marks a new machine with the account's installation and with `spec.task`.
    virtual boost::asio::awaitable<Created> create(const Account& account,
                                                   const MachineSpec& spec) = 0;

    /// Whether the machine can be reached, and where. `results` are the node's results so far,
    /// those of create() included.
    virtual boost::asio::awaitable<Confirmed> confirm(const Account& account,
                                                      const MachineSpec& spec,
                                                      const base::Json& results) = 0;

    /// Called after the first login of each confirm, before anything is done on the machine. A
    /// refusal says that the machine is not the node's. `results` are the node's before the login;
    /// `host_key` is what the login was shown, in the form of known_hosts.
    virtual boost::asio::awaitable<std::optional<Refused>> entered(const Account& account,
                                                                   const MachineSpec& spec,
                                                                   const base::Json& results,
                                                                   const std::string& host_key);

    /// Removes the machine that `results` ("providerid") or else the name identifies. A machine
    /// that does not exist is Gone. One that was made for a later task is left alone and is Gone
    /// too: a worker that was cut off must not delete its successor's machine.
    virtual boost::asio::awaitable<Destroyed> destroy(const Account& account,
                                                      const MachineSpec& spec,
                                                      const base::Json& results) = 0;

    /// All machines in the account that carry this installation's mark, in any order; may be empty.
    /// The sweep destroys those whose nodes are gone, so machines of others must not be among them.
    virtual boost::asio::awaitable<std::vector<SeenMachine>> machines(const Account& account) = 0;

    /// Where the account's fields lead, in words that people use ("AKIA... in eu-central-1"),
    /// without secrets. Accounts with equal names hold the same machines, whatever else their
    /// fields say; the sweep lists each name once. Does no I/O.
    virtual std::string account_name(const Account& account) const = 0;

    /// Whether the whole installation has one account, whatever the fields say. Machines on the
    /// daemon's own host belong to no tenant.
    virtual bool is_shared() const { return false; }

    /// Tries the account: whether its login is valid and its fields name things that exist, and
    /// what may be chosen. Changes nothing there.
    virtual boost::asio::awaitable<Tested> test(const Account& account);

    /// Whether machines of a cluster know each other's names by themselves. Where not, the daemon
    /// keeps a block in their /etc/hosts.
    virtual bool gives_names() const { return true; }

    /// Name, label and fields of this type; the web draws and checks its forms from them. The
    /// daemon publishes it once at start.
    virtual model::PluginType type() const = 0;
};

}  // namespace provisioner::providers
