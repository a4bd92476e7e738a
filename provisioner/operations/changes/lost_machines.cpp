#include "provisioner/operations/changes/lost_machines.hpp"

#include <algorithm>
#include <map>

#include "provisioner/operations/changes/change.hpp"
#include "provisioner/store/machines/sighting_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

using Lost = std::vector<model::LostMachine>;

constexpr std::chrono::minutes pause_after_refusal{10};
constexpr int most_at_once = 10'000;

std::map<model::ClusterId, Lost> by_cluster(Lost machines) {
    std::map<model::ClusterId, Lost> clusters;
    for (model::LostMachine& machine : machines) {
        clusters[machine.cluster].push_back(std::move(machine));
    }
    return clusters;
}

/// The daemon, acting for the cluster's tenant; nothing when that is deleted.
std::optional<model::Caller> caller_for(store::Database& database, const std::string& tenant_name) {
    const auto tenant = database.read(
        [&](store::Connection& connection) { return store::find_tenant(connection, tenant_name); });
    if (!tenant) return std::nullopt;
    model::Caller caller{.user = {}, .tenant = *tenant};
    caller.user.name = model::asked_by_lost_machine;
    caller.user.tenant = tenant->id;
    caller.user.role = model::Role::admin;
    return caller;
}

Result<void> replace(store::Database& database, const Lost& machines, base::Timestamp now) {
    const model::LostMachine& first = machines.front();
    const auto caller = caller_for(database, first.tenant_name);
    if (!caller) {
        return operations::refuse(Refusal::Kind::not_found, "", "Its tenant does not exist.");
    }
    ReplaceNodes wanted;
    for (const model::LostMachine& machine : machines) {
        wanted.nodes.push_back(std::to_string(machine.nodenum));
    }
    return change_cluster(database, *caller, first.cluster, {.change = wanted}, now);
}

Result<void> replace_if_allowed(store::Database& database, const Lost& machines, bool all,
                                base::Timestamp now) {
    const auto may_be_reclaimed = [](const auto& machine) { return machine.may_be_reclaimed; };
    if (!all && !std::all_of(machines.begin(), machines.end(), may_be_reclaimed)) {
        return operations::refuse(Refusal::Kind::conflict, "",
                                  "A machine is gone that its provider had no right to take back. "
                                  "A person has to replace it.");
    }
    return replace(database, machines, now);
}

void postpone(store::Database& database, const Lost& machines) {
    std::vector<model::NodeId> nodes;
    for (const model::LostMachine& machine : machines) nodes.push_back(machine.node);
    database.write([&](store::Connection& connection) {
        store::postpone_replacement(connection, nodes, pause_after_refusal);
    });
}

}  // namespace

Replacements replace_lost_machines(store::Database& database, bool all, base::Timestamp now) {
    Replacements done;
    auto lost = database.read([](store::Connection& connection) {
        return store::replaceable_machines(connection, most_at_once);
    });
    for (auto& [cluster, machines] : by_cluster(std::move(lost))) {
        std::string problem;
        try {
            const auto replaced = replace_if_allowed(database, machines, all, now);
            if (replaced) {
                std::move(machines.begin(), machines.end(), std::back_inserter(done.queued));
                continue;
            }
            problem = base::to_text(replaced.error().problems);
            postpone(database, machines);
        } catch (const store::DatabaseUnavailable& error) {
            done.problems.push_back(error.what());
            break;
        } catch (const std::exception& error) {
            problem = error.what();
        }
        done.problems.push_back("cluster " + model::wire_id(cluster) + ": " + problem);
    }
    return done;
}

}  // namespace provisioner::operations
