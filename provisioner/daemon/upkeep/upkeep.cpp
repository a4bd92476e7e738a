#include "provisioner/daemon/upkeep/upkeep.hpp"

#include "provisioner/contents/sweep.hpp"
#include "provisioner/daemon/machines/orphans.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/changes/lost_machines.hpp"
#include "provisioner/operations/clusters/lease.hpp"
#include "provisioner/operations/daemons/troubles.hpp"
#include "provisioner/operations/sign_in/failed_logins.hpp"
#include "provisioner/operations/sign_in/viewing.hpp"
#include "provisioner/store/machines/account_store.hpp"
#include "provisioner/store/machines/provider_test_store.hpp"

namespace provisioner::daemon {

namespace {

/// Most problems remembered, in order to log each once.
constexpr std::size_t most_told = 10'000;

/// The name by which the provider lists the machine.
std::string name_of(const model::LostMachine& lost) {
    return model::to_text(model::MachineName{lost.cluster, lost.nodenum});
}

}  // namespace

std::vector<Duty> Upkeep::duties() {
    using enum Duty::Place;
    return {
        {"expire", timing::expire_every, aside, [this] { expire_clusters(); }},
        {"prune", timing::prune_every, aside, [this] { prune(); }},
        {"sweep contents", timing::sweep_every, aside, [this] { sweep_contents(); }},
        {"remove orphans", timing::orphans_every, aside, [this] { remove_orphans(); }},
        {"follow identity providers", timing::follow_providers_every, aside,
         [this] { follow_identity_providers(); }},
        {"work out sizes", timing::sizes_every, aside, [this] { work_out_sizes(); }},
        {"test providers", timing::provider_tests_every, aside, [this] { test_providers(); }},
        {"end views", timing::views_every, aside,
         [this] {
             operations::end_views_that_are_over(database_, clock_.now(), settings_.stopping);
         }},
        {"tell troubles", timing::troubles_every, aside, [this] { tell_troubles(); }},
        {"tell failed logins", timing::failed_logins_every, aside,
         [this] { tell_failed_logins(); }},
    };
}

void Upkeep::expire_clusters() {
    const auto expired = operations::expire_clusters(database_, clock_.now());
    for (const model::ClusterId id : expired.deleted) {
        log_.info("cluster.expired", {{"cluster", model::wire_id(id)}});
    }
    for (const std::string& error : expired.errors) {
        log_.warn("cluster.not_expired", {{"error", error}});
    }
    if (!expired.deleted.empty()) settings_.ring();
}

void Upkeep::prune() {
    const auto gone =
        operations::prune(database_, settings_.retention, clock_.now(), settings_.stopping);
    for (const auto& [kind, rows] : gone)
        log_.info("pruned", {{"what", std::string(kind)}, {"rows", rows}});
}

void Upkeep::follow_identity_providers() {
    const int changed = operations::follow_providers(database_, log_, settings_.external_users_kept,
                                                     clock_.now(), settings_.stopping);
    if (changed > 0) log_.info("identity_providers.followed", {{"users", changed}});
}

void Upkeep::work_out_sizes() {
    const int count = operations::work_out_sizes(database_, sizes_to_do_, timing::sizes_patience,
                                                 settings_.stopping);
    if (count > 0) log_.info("sizes.worked_out", {{"templates", count}});
}

void Upkeep::sweep_contents() const {
    const auto swept =
        contents::sweep(database_, contents_, contents::upload_patience, settings_.stopping);
    if (swept.removed > 0) log_.info("contents.removed", {{"count", swept.removed}});
    for (const std::string& problem : swept.problems) {
        log_.warn("contents.not_removed", {{"error", problem}});
    }
}

// Runs on a thread of its own, one run at a time (aside), so accounts_due_ and reported_problems_
// need no lock. Several daemons may sweep: the database gives each account to one.
void Upkeep::remove_orphans() {
    const auto now = std::chrono::steady_clock::now();
    if (now < accounts_due_ && !database_.look(store::is_account_due)) return;
    accounts_due_ = now + timing::accounts_every;
    const Orphans orphans = daemon::remove_orphans(
        database_, providers_,
        {.installation = settings_.installation, .add_files = settings_.add_files},
        settings_.stopping);
    for (const std::string& name : orphans.removed) {
        log_.warn("machine.orphan_removed", {{"machine", name}});
        database_.write([&](store::Connection& connection) {
            operations::audit_own(connection, {.action = "machine.delete-orphan",
                                               .object = {.kind = "machine", .name = name},
                                               .chain = model::TenantId{}});
        });
    }
    for (const std::string& name : orphans.unknown) {
        log_.warn("machine.unknown", {{"machine", name}});
    }
    for (const model::LostMachine& lost : orphans.lost) {
        log_.warn("machine.lost", {{"machine", name_of(lost)}, {"id", lost.machine}});
    }
    report_problems("machine.orphan_not_removed", orphans.problems);
    replace_lost_machines();
}

void Upkeep::replace_lost_machines() {
    if (settings_.replace_machines == "none") return;
    const auto replacements = operations::replace_lost_machines(
        database_, settings_.replace_machines == "all", clock_.now());
    for (const model::LostMachine& lost : replacements.queued) {
        log_.info("machine.replaced", {{"machine", name_of(lost)}, {"id", lost.machine}});
    }
    report_problems("machine.not_replaced", replacements.problems);
    if (!replacements.queued.empty()) settings_.ring();
}

void Upkeep::report_problems(const char* event, const std::vector<std::string>& problems) {
    for (const std::string& problem : problems) {
        if (reported_problems_.size() > most_told) reported_problems_.clear();
        if (reported_problems_.insert(problem).second) log_.warn(event, {{"error", problem}});
    }
}

void Upkeep::tell_troubles() {
    if (!settings_.site_of_mails) return;
    const int told = operations::tell_troubles(database_, *settings_.site_of_mails);
    if (told > 0) log_.info("troubles.told", {{"count", told}});
}

void Upkeep::tell_failed_logins() {
    if (!settings_.site_of_mails) return;
    const int told = operations::tell_failed_logins(database_, *settings_.site_of_mails);
    if (told > 0) log_.info("failed_logins.told", {{"mails", told}});
}

void Upkeep::test_providers() {
    if (!database_.look(store::is_provider_test_due)) return;
    daemon::test_providers(database_, providers_, settings_.installation, settings_.add_files,
                           settings_.stopping);
}

}  // namespace provisioner::daemon
