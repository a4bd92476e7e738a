#pragma once

#include <array>
#include <span>
#include <string_view>

#include "provisioner/base/words.hpp"

namespace provisioner::model {

/// What one task does to one node. Stored in task.action. A new node goes through these rows:
///
///     create -> confirm -> bootstrap -> install -> configure -> initialize -> start
///
/// The first three and delete_machine concern the machine, the others one service each. Providers
/// perform create, confirm and delete_machine; automators compile the others into steps.
enum class Action {
    /// Asks the provider for the machine. Idempotent: an existing machine of the node's name is
    /// taken.
    create,
    /// Waits until the machine can be reached; reports its addresses.
    confirm,
    /// Prepares the machine for the automators of its services.
    bootstrap,
    /// Installs the service's software. A service may leave out this and any later action.
    install,
    /// Writes the service's configuration. Also run again when the configuration or the nodes
    /// change.
    configure,
    /// Prepares the service's data before its first start on a node.
    initialize,
    /// Idempotent: a start may be repeated when a service it needs was restarted.
    start,
    /// Stops the service; also run before its configuration or the nodes it needs change.
    stop,
    /// Takes the service off a node that stays.
    remove,
    /// Asks the provider to delete the machine. The word is "delete", a keyword in C++.
    delete_machine
};

/// What a person asks of a cluster; each becomes one job. Stored in job.operation.
enum class Operation {
    /// First half of a create. Done inside the request, so its job is stored as ended and has no
    /// tasks. Exists because the API shows it as a job of its own.
    solve_layout,
    /// Creates all machines, then installs and starts all services.
    cluster_create,
    /// Deletes all machines. Services are not stopped before; a complete deletion ends the cluster.
    cluster_delete,
    /// Applies a new configuration without stopping services.
    cluster_configure,
    /// The same, with services stopped before and started after.
    cluster_configure_with_restart,
    /// Also stops what depends on the services at run time.
    stop_services,
    /// Also starts what the services need at run time.
    start_services,
    /// Stops and starts; includes what depends on the services at run time.
    restart_services,
    /// Adds services to nodes that the cluster has.
    add_services,
    /// Adds nodes.
    cluster_grow,
    /// Removes nodes.
    cluster_shrink,
    /// Removes services from nodes that stay.
    remove_services,
    /// Deletes a node and adds one with the same services.
    replace_node
};

/// Whether the action concerns the machine as a whole (create, confirm, bootstrap, delete_machine).
/// Tasks of these actions have no service. Throws std::logic_error for a value outside the enum.
bool is_hardware_action(Action action);

/// Whether the action is done once when a machine is set up, and not again later: create, confirm,
/// bootstrap, install and initialize.
bool is_set_up(Action action);

/// The actions of an operation on each node, in order; empty for solve_layout. The only table of
/// what an operation does. Refers to constants. For operations that change nodes or services it is
/// an upper bound: planner/change.hpp decides which actions run on which node.
std::span<const Action> actions_of(Operation operation);

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of task.action, and of a service's actions in wire form.
template <>
inline constexpr std::array words<model::Action>{
    std::pair{model::Action::create, std::string_view("create")},
    std::pair{model::Action::confirm, std::string_view("confirm")},
    std::pair{model::Action::bootstrap, std::string_view("bootstrap")},
    std::pair{model::Action::install, std::string_view("install")},
    std::pair{model::Action::configure, std::string_view("configure")},
    std::pair{model::Action::initialize, std::string_view("initialize")},
    std::pair{model::Action::start, std::string_view("start")},
    std::pair{model::Action::stop, std::string_view("stop")},
    std::pair{model::Action::remove, std::string_view("remove")},
    std::pair{model::Action::delete_machine, std::string_view("delete")}};

/// Words of job.operation, of "action" in the API, and of the callback.*.triggers settings.
template <>
inline constexpr std::array words<model::Operation>{
    std::pair{model::Operation::solve_layout, std::string_view("solve_layout")},
    std::pair{model::Operation::cluster_create, std::string_view("cluster_create")},
    std::pair{model::Operation::cluster_delete, std::string_view("cluster_delete")},
    std::pair{model::Operation::cluster_configure, std::string_view("cluster_configure")},
    std::pair{model::Operation::cluster_configure_with_restart,
              std::string_view("cluster_configure_with_restart")},
    std::pair{model::Operation::stop_services, std::string_view("stop_services")},
    std::pair{model::Operation::start_services, std::string_view("start_services")},
    std::pair{model::Operation::restart_services, std::string_view("restart_services")},
    std::pair{model::Operation::add_services, std::string_view("add_services")},
    std::pair{model::Operation::cluster_grow, std::string_view("cluster_grow")},
    std::pair{model::Operation::cluster_shrink, std::string_view("cluster_shrink")},
    std::pair{model::Operation::remove_services, std::string_view("remove_services")},
    std::pair{model::Operation::replace_node, std::string_view("replace_node")}};

}  // namespace provisioner::base
