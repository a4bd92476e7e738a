#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/expected.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/hardware_type.hpp"
#include "provisioner/model/catalogue/image_type.hpp"
#include "provisioner/model/catalogue/service.hpp"

namespace provisioner::solver {

/// Nodes with the same types and the same services. Part of a problem (present nodes) and of an
/// answer.
struct NodeGroup {
    /// Names from the catalogue, as on the cluster.
    std::string hardware_type;
    std::string image_type;
    /// In a layout from solve(): sorted by name, without repeats, never empty.
    std::vector<std::string> services;
    /// Number of such nodes; at least 1 in a layout.
    int count = 0;

    bool operator==(const NodeGroup&) const = default;
};

/// One node of an existing cluster, as add_services() and shrink() need it. Made from node rows by
/// operations/changes.
struct PresentNode {
    /// The node's nodenum, unique within its cluster. A higher number means a newer node.
    int number = 0;
    std::string hardware_type;
    std::string image_type;
    /// In any order.
    std::vector<std::string> services;
};

/// Everything a layout depends on, in one value. The operations that create, grow and repair
/// clusters build it from a catalogue snapshot. Equal problems have equal answers, so
/// operations::HardLayouts uses equality to look up kept answers.
struct LayoutProblem {
    /// Its constraints, compatibility lists, defaults and name are read; lease and links are not.
    model::ClusterTemplate cluster_template;
    /// Name of the provider the machines come from. A type is usable only with a setting for it.
    std::string provider;
    /// Number of nodes to lay out. solve() refuses numbers below 1.
    int machines = 1;
    /// Nodes that exist already and stay as they are; empty for a new cluster. They count towards
    /// the quantities of services and are not part of the answer.
    std::vector<NodeGroup> present{};
    /// Names of the services asked for, in any order, repeats ignored. Empty means the template's
    /// defaults.
    std::vector<std::string> services;
    /// Type for all new nodes. Absent or empty means the template's default; without a default, any
    /// compatible type.
    std::optional<std::string> hardware_type;
    std::optional<std::string> image_type;
    /// Definitions the names are looked up in, the newest version of each. A grown cluster takes
    /// services from its own snapshot.
    std::vector<model::HardwareType> hardware_types;
    std::vector<model::ImageType> image_types;
    std::vector<model::Service> all_services;

    bool operator==(const LayoutProblem&) const = default;
};

/// The solver's answer for the nodes it was asked to lay out.
struct ClusterLayout {
    /// In order of preference. Callers number nodes in this order, group by group.
    std::vector<NodeGroup> groups;

    bool operator==(const ClusterLayout&) const = default;
};

/// Whether the machines of both groups have the same types and run the same services.
bool are_of_a_kind(const NodeGroup& one, const NodeGroup& other);

/// The number of machines in `layout` that are of a kind with those of `group`.
int count_of(const ClusterLayout& layout, const NodeGroup& group);

/// What a rule or a change of the template is about, by content: so it can be found in another form
/// of the template, such as an editor's.
struct TemplatePart {
    /// The first six are kinds of rules.
    enum class Kind {
        /// The group `services` of must_coexist, or of cant_coexist.
        together,
        apart,
        /// The types that services.front() may run on.
        hardware,
        image,
        /// The number of nodes with services.front().
        at_most,
        at_least,
        /// The services asked for, by default the template's.
        services,
        /// The number of machines of a cluster. Changes only, with a bound.
        machines_at_least,
        machines_at_most
    };

    Kind kind = Kind::together;
    /// The whole group; the service; or for `services` of a change, what is asked for afterwards.
    std::vector<std::string> services{};
    /// Changes only: the type that is allowed as well, and the new bound. Neither: the rule goes.
    std::string type{};
    std::optional<int> bound{};

    bool operator==(const TemplatePart&) const = default;
};

/// A change that makes a refused request possible. The solver has verified it by solving again.
struct Remedy {
    /// True: the user can make the change in the request. False: the template must change.
    bool is_in_request = true;
    /// A sentence for people, for example "Ask for 3 machines."
    std::string sentence;
    /// How the template has to change, so that the request becomes possible as it is. Empty for
    /// changes of the request that a template cannot make, such as another number of machines.
    std::vector<TemplatePart> changes{};

    /// Two remedies are equal when they say the same.
    bool operator==(const Remedy& other) const {
        return is_in_request == other.is_in_request && sentence == other.sentence;
    }
};

/// A refusal: why there is no layout, or why an existing cluster cannot change as asked.
struct Unsatisfiable {
    /// Coopr's text for an unusable type or service, or the reasons of a refused change. Lines are
    /// separated by "\n". Empty when the rules clash, the budget ends, or nothing was asked for.
    std::string text;
    /// The same for people, as whole sentences. A clash names each rule that takes part.
    std::vector<std::string> reasons;
    /// Changes in the request first, then changes of the template. Only solve() fills it; may be
    /// empty.
    std::vector<Remedy> remedies{};
    /// The rules that clash, in the order of the template. Only for a clash of rules.
    std::vector<TemplatePart> clash{};
    /// The request field to blame. solve() and add_services(): "services", "hardwaretype",
    /// "imagetype" or "numMachines". shrink(): "count" or "nodes"; callers map these to their own
    /// fields.
    std::string field;
};

/// The cluster message of the wire contract: "Layout solving failed: <text>", or "Layout solving
/// failed" without a text.
std::string wire_message(const Unsatisfiable& unsatisfiable);

}  // namespace provisioner::solver
