#pragma once

#include <array>
#include <span>
#include <string_view>

#include "provisioner/base/words.hpp"

namespace provisioner::model {

/// What one task does to one node.
enum class Action {
    create,
    confirm,
    bootstrap,
    install,
    configure,
    initialize,
    start,
    stop,
    remove,
    delete_machine
};

/// What a person asks of a cluster. `solve_layout` is the first half of a create, kept as a job of
/// its own because the API shows it as one.
enum class Operation {
    solve_layout,
    cluster_create,
    cluster_delete,
    cluster_configure,
    cluster_configure_with_restart,
    stop_services,
    start_services,
    restart_services,
    add_services,
    cluster_grow,
    cluster_shrink,
    remove_services,
    replace_node
};

/// Whether the action concerns the machine as a whole (create, confirm, bootstrap, delete) and not
/// one service on it.
bool is_hardware_action(Action action);

/// The actions an operation walks on each node, in order. The one table of what an operation does.
/// Those that change which nodes or services there are do not walk all of them on every node:
/// planner/change.hpp says which where.
std::span<const Action> actions_of(Operation operation);

}  // namespace provisioner::model

namespace provisioner::base {

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
