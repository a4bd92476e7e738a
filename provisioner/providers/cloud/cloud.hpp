#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "provisioner/base/problem.hpp"
#include "provisioner/providers/cloud/calls.hpp"
#include "provisioner/providers/cloud/failures.hpp"
#include "provisioner/providers/cloud/mark.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::cloud {

/// A machine as a listing of its account shows it.
struct CloudMachine {
    enum class State {
        /// It is being made or boots.
        starting,
        /// The cloud says that it runs; sshd may not answer yet.
        running,
        /// It came to nothing: `reason` says why. It still has to be removed.
        failed,
        /// It is being deleted.
        leaving,
        /// It is gone, although it is still listed (EC2 does that). `reason`: reclaimed, say.
        gone,
    };

    /// The cloud's own id.
    std::string id{};
    Mark mark{};
    State state = State::starting;
    /// The cloud's words about the state; may be empty.
    std::string reason{};
    /// As in Reachable. Without "access_v4" it cannot be reached yet.
    std::map<std::string, std::string> addresses{};
    /// The name the cloud gave it, if the account's fields ask for it (provider_hostname).
    std::string hostname{};
    /// What the cloud's other functions need to know: disks, zone.
    base::Json details = base::Json::object();
};

/// Something that belongs to a machine or a cluster and is left over.
struct Leftover {
    /// The cloud's own id.
    std::string id{};
    /// "disk", "address", "port", "security group", "key pair".
    std::string kind{};
    Mark mark{};
    /// Of a disk; 0: not known.
    int size_gb = 0;
};

/// Where a machine may be made. The first is what the hardware type and the provider say; others
/// are alternatives (Cloud::placements()).
struct Placement {
    std::string flavor{};
    /// Availability zone; empty: the cloud chooses.
    std::string zone{};

    bool operator==(const Placement&) const = default;
};

/// What make() makes. Refers to the arguments of create(), which live until it has completed.
struct Order {
    const Account& account;
    const MachineSpec& spec;
    /// Use this instead of `spec.flavor` and the zone in fields.
    Placement placement{};
    Mark mark{};
    /// For tokens of this order (token_of(), uuid_of()): differs by placement.
    std::string part{};
    /// Plain text of the user data, "#cloud-config" or MIME; empty for images without cloud-init.
    std::string user_data{};
};

/// Calls a second that an account allows by default; fields `calls_per_second` and
/// `creations_per_second` override them.
struct Rates {
    double reads = 10;
    int read_burst = 20;
    double creations = 2;
    int creation_burst = 5;
};

/// One cloud, as far as it differs from others. CloudProvider makes a Provider of it.
///
/// All functions are short and harmless to repeat. They throw what failures.hpp has, and nothing is
/// kept between two calls except in Tools. Any thread; a coroutine runs on its caller's executor.
class Cloud {
 public:
    virtual ~Cloud() = default;

    virtual model::PluginType type() const = 0;
    /// As Provider::account_name().
    virtual std::string account_name(const Account& account) const = 0;
    virtual Rates rates() const { return {}; }

    /// Problems of fields and spec that are found without a call, all of them.
    virtual base::Problems check(const Account& account, const MachineSpec& spec) const;
    /// Where the machine may be made, the first choice first; at least one. The default reads the
    /// lists `flavors` and `availability_zones` of the hardware type beside `flavor` and the field
    /// `zone_field()`.
    virtual std::vector<Placement> placements(const Account& account,
                                              const MachineSpec& spec) const;
    /// The field that names the zone; empty: there is none.
    virtual std::string zone_field() const { return "availability_zone"; }
    /// How soon after a lost reply a machine shows up in list(). After that it is made again. 0 for
    /// clouds whose tokens or unique names make that harmless.
    virtual std::chrono::milliseconds shows_within() const { return std::chrono::seconds{10}; }
    /// How long after its creation a machine may be missing in list().
    virtual std::chrono::seconds listed_within() const { return std::chrono::seconds{60}; }
    /// Whether the machine's image runs cloud-init, so that user data work. The default is
    /// has_cloud_init(); a cloud that knows its images may know better.
    virtual bool runs_cloud_init(const Account& account, const MachineSpec& spec) const;
    /// The user who logs in. The default is `spec.ssh_user`; a field of the provider may name
    /// another one.
    virtual std::string login_user(const Account& account, const MachineSpec& spec) const;
    /// What is likely when a machine that was asked for is missing without a word, as a part of a
    /// sentence; empty: nothing special.
    virtual std::string why_missing() const { return ""; }
    /// Whether the cloud may take the machine back at any time (spot machines). The daemon replaces
    /// such machines when they are gone.
    virtual bool may_take_back(const Account& account, const MachineSpec& spec) const;
    /// More members of the machine's cloud-config, an object: disks, say.
    virtual base::Json more_user_data(const Account& account, const MachineSpec& spec) const;

    /// All machines with the mark of the account's installation, and no others.
    virtual boost::asio::awaitable<std::vector<CloudMachine>> list(const Account& account) = 0;
    /// What is left over: marked, and without a machine in `machines`.
    virtual boost::asio::awaitable<std::vector<Leftover>> leftovers(
        const Account& account, const std::vector<CloudMachine>& machines);
    /// Makes a machine; there is none of that name. Returns once the cloud has accepted it. Throws
    /// NotYet between steps that take time.
    virtual boost::asio::awaitable<Machine> make(const Order& order) = 0;
    /// Attaches to a machine that runs what could not be asked for with it: a public address, say.
    /// Called by confirm() whenever the machine runs and is not reachable yet, so it must be cheap
    /// when nothing is to be done. Throws NotYet between steps that take time.
    virtual boost::asio::awaitable<void> complete(const Account& account, const MachineSpec& spec,
                                                  const CloudMachine& machine);
    /// Begins to delete a machine; CloudProvider asks again until it is gone. A machine that does
    /// not exist, or is being deleted, is no failure.
    virtual boost::asio::awaitable<void> remove(const Account& account,
                                                const CloudMachine& machine) = 0;
    /// Deletes what a machine that is gone left behind, by its mark (`name` is set). Returns what
    /// is still there, in words; empty when nothing is.
    virtual boost::asio::awaitable<std::vector<std::string>> release(const Account& account,
                                                                     const Mark& mark);
    /// Deletes what belongs to a cluster that has no machine any more. Returns as release().
    virtual boost::asio::awaitable<std::vector<std::string>> release_cluster(const Account& account,
                                                                             const Mark& mark);
    /// The machine's public host key by a channel of the cloud's own (console, guest attributes).
    /// Empty when there is none, or not yet: then it is asked again until `listed_within`. Only
    /// called for machines whose user data did not carry one.
    virtual boost::asio::awaitable<std::string> host_key_of(const Account& account,
                                                            const CloudMachine& machine);
    /// As Provider::test().
    virtual boost::asio::awaitable<Offer> test(const Account& account) = 0;
};

}  // namespace provisioner::providers::cloud
