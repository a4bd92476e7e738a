#include "provisioner/model/action.hpp"

#include <stdexcept>

namespace provisioner::model {

namespace {

constexpr std::array create_cluster{Action::create,  Action::confirm,   Action::bootstrap,
                                    Action::install, Action::configure, Action::initialize,
                                    Action::start};
constexpr std::array delete_cluster{Action::delete_machine};
constexpr std::array add_services{Action::bootstrap, Action::install, Action::configure,
                                  Action::initialize, Action::start};
constexpr std::array configure{Action::bootstrap, Action::configure};
constexpr std::array configure_with_restart{Action::bootstrap, Action::stop, Action::configure,
                                            Action::start};
constexpr std::array stop{Action::stop};
constexpr std::array start{Action::start};
constexpr std::array restart{Action::stop, Action::start};
constexpr std::array grow{Action::create, Action::confirm,   Action::bootstrap,  Action::install,
                          Action::stop,   Action::configure, Action::initialize, Action::start};
constexpr std::array shrink{Action::stop, Action::configure, Action::start, Action::delete_machine};
constexpr std::array remove_services{Action::stop, Action::configure, Action::start,
                                     Action::remove};
constexpr std::array replace{Action::create,     Action::confirm, Action::bootstrap,
                             Action::install,    Action::stop,    Action::configure,
                             Action::initialize, Action::start,   Action::delete_machine};

}  // namespace

bool is_hardware_action(Action action) {
    switch (action) {
        case Action::create:
        case Action::confirm:
        case Action::bootstrap:
        case Action::delete_machine:
            return true;
        case Action::install:
        case Action::configure:
        case Action::initialize:
        case Action::start:
        case Action::stop:
        case Action::remove:
            return false;
    }
    throw std::logic_error("unknown action");
}

bool is_set_up(Action action) {
    switch (action) {
        case Action::create:
        case Action::confirm:
        case Action::bootstrap:
        case Action::install:
        case Action::initialize:
            return true;
        case Action::configure:
        case Action::start:
        case Action::stop:
        case Action::remove:
        case Action::delete_machine:
            return false;
    }
    throw std::logic_error("unknown action");
}

std::span<const Action> actions_of(Operation operation) {
    switch (operation) {
        case Operation::solve_layout:
            return {};
        case Operation::cluster_create:
            return create_cluster;
        case Operation::cluster_delete:
            return delete_cluster;
        case Operation::cluster_configure:
            return configure;
        case Operation::cluster_configure_with_restart:
            return configure_with_restart;
        case Operation::stop_services:
            return stop;
        case Operation::start_services:
            return start;
        case Operation::restart_services:
            return restart;
        case Operation::add_services:
            return add_services;
        case Operation::cluster_grow:
            return grow;
        case Operation::cluster_shrink:
            return shrink;
        case Operation::remove_services:
            return remove_services;
        case Operation::replace_node:
            return replace;
    }
    throw std::logic_error("unknown operation");
}

}  // namespace provisioner::model
