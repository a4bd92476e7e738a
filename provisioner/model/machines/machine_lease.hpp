#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "provisioner/base/words.hpp"
#include "provisioner/model/clusters/cluster.hpp"

namespace provisioner::model {

/// Key of table machine_lease.
using MachineLeaseId = base::Id<struct MachineLeaseTag>;

/// What is done with an existing machine. A free machine has no lease at all.
///
///     (free) ──▶ leased ──▶ powered ──▶ wiping ──▶ wiped ──▶ (free)
///                                          └──▶ broken ──(a person releases it)──▶ (free)
enum class LeaseState {
    /// A node has it.
    leased,
    /// A node has it, and it was switched on for it.
    powered,
    /// No node has it any more; it is being wiped.
    wiping,
    /// It is clean, and is being switched off.
    wiped,
    /// It could not be wiped, or nobody knows how: it stays out until a person releases it.
    broken
};

/// Whether a node has the machine.
constexpr bool is_held(LeaseState state) {
    return state == LeaseState::leased || state == LeaseState::powered;
}

/// An existing machine that is not free. A row of machine_lease.
struct MachineLease {
    MachineLeaseId id{};
    /// Whose provider lists the machine.
    TenantId tenant{};
    /// Empty where the tenant is not asked for.
    std::string tenant_name{};
    std::string provider_type{};
    /// Name of the provider in the tenant's catalogue.
    std::string provider{};
    /// The name of the node that has or had it (MachineName).
    std::string node{};
    /// The cluster's wire id.
    std::string cluster{};
    /// The latest task that took it, so that an earlier one does not give it back.
    long long task = 0;
    /// The owner's name for the machine.
    std::string machine{};
    /// What nodes of a cluster are spread by; may be empty.
    std::string spread{};
    /// The machine as it was listed when it was leased, an object without secrets.
    base::Json listed = base::Json::object();
    LeaseState state = LeaseState::leased;
    /// Why it is broken, or what it waits for; may be empty.
    std::string reason{};
    base::Timestamp leased_at{};
    /// When `state` became what it is.
    base::Timestamp changed_at{};
    /// Whether a task of the node has logged in and the machine became the node's. Nothing was done
    /// on a machine where it is false.
    bool is_entered = false;
    /// Whether the machine's controller has let us in. Nothing was switched where it is false.
    bool has_controller = false;
};

/// How identities begin that no other tenant's machine has.
constexpr std::string_view own_identity = "tenant ";
/// How the identity of an address and port begins. A lease has it from the first login on.
constexpr std::string_view address_identity = "ssh ";
/// How the identity of a controller begins. A lease has it from the controller's first answer on.
constexpr std::string_view controller_identity = "bmc ";

/// A machine that a lease may be taken of.
struct LeaseCandidate {
    std::string machine{};
    std::string spread{};
    base::Json listed = base::Json::object();
    /// By what the machine is known in the whole installation: its address, its host keys, its
    /// controller. Machines that share one are the same machine. At most 255 bytes each. Those that
    /// begin with own_identity keep the machine from its own tenant alone, from the beginning; the
    /// others keep it from everybody, but only once the machine has proven them (Leases::enter).
    std::vector<std::string> identities{};
};

/// A wish for one of several machines.
struct LeaseWish {
    TenantId tenant{};
    std::string provider_type{};
    std::string provider{};
    std::string node{};
    std::string cluster{};
    long long task = 0;
    /// In the order of preference.
    std::vector<LeaseCandidate> candidates{};
};

/// All candidates have leases already: how many in which state.
struct NoneFree {
    int leased = 0;
    int wiping = 0;
    int broken = 0;

    bool operator==(const NoneFree&) const = default;
};

/// The answer to a wish.
using LeaseAnswer = std::variant<MachineLease, NoneFree>;

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of machine_lease.state.
template <>
inline constexpr std::array words<model::LeaseState>{
    std::pair{model::LeaseState::leased, std::string_view("leased")},
    std::pair{model::LeaseState::powered, std::string_view("powered")},
    std::pair{model::LeaseState::wiping, std::string_view("wiping")},
    std::pair{model::LeaseState::wiped, std::string_view("wiped")},
    std::pair{model::LeaseState::broken, std::string_view("broken")}};

}  // namespace provisioner::base
