#include "provisioner/daemon/machines/orphans.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "provisioner/base/utf8.hpp"
#include "provisioner/daemon/machines/one_call.hpp"
#include "provisioner/daemon/machines/swept_accounts.hpp"
#include "provisioner/daemon/redaction/redact.hpp"
#include "provisioner/store/clusters/node_store.hpp"
#include "provisioner/store/machines/account_store.hpp"
#include "provisioner/store/machines/sighting_store.hpp"
#include "provisioner/store/machines/unknown_machine_store.hpp"

namespace provisioner::daemon {

namespace {

using Clock = std::chrono::steady_clock;
using Machines = std::vector<providers::SeenMachine>;
using NamedNodes = std::map<model::MachineName, store::NamedNode>;

constexpr std::size_t accounts_at_once = 4;
/// Most unknown machines stored for one account.
constexpr std::size_t most_unknown = 10'000;
constexpr std::size_t longest_text = 255;
constexpr std::size_t longest_part = 32;

std::string fitting(std::string_view bytes) {
    const std::string text = base::to_utf8(bytes);
    return std::string(base::utf8_prefix(text, longest_text));
}

/// Doubles with each failure, up to timing::longest_account_pause: a person who repairs the account
/// sees the effect within that time.
std::chrono::seconds pause_after(int failures, std::chrono::seconds every) {
    const auto pause = every * (1 << std::min(failures, 10));
    return std::min<std::chrono::seconds>(pause, std::max(every, timing::longest_account_pause));
}

/// Results of a sweep and the look at one account. look_at() is called by several threads, for
/// different accounts; the mutex guards orphans_, and all else is read-only.
class Sweep {
 public:
    Sweep(store::Database& database, const SweepSettings& settings,
          const std::function<bool()>& stopping)
        : database_(database), settings_(settings), stopping_(stopping) {}

    void look_at(const SweptAccount& swept) {
        try {
            look(swept);
        } catch (const std::exception& error) {
            note_problem(words_for(swept) + ": " + error.what());
        }
    }

    void note_problem(std::string problem) {
        const std::lock_guard lock(mutex_);
        orphans_.problems.push_back(std::move(problem));
    }

    Orphans& orphans() { return orphans_; }

 private:
    static std::string words_for(const SweptAccount& swept) {
        return "machines of " + swept.account.provider_type + " in " + swept.account.name;
    }

    void look(const SweptAccount& swept) {
        std::string reason;
        const auto until = Clock::now() + settings_.patience;
        for (const model::Account& opening : swept.openings) {
            Machines machines;
            try {
                // Machines are listed before nodes are read: a machine is only created after its
                // node was stored, so no new machine can look like an orphan.
                machines = result_of(swept.provider->machines(opening), until, stopping_);
            } catch (const std::exception& error) {
                reason = redacted(error.what(), opening.secrets);
                continue;
            }
            go_through(swept, opening, machines);
            return;
        }
        if (stopping_()) return;
        settle_failure(swept, reason);
    }

    void settle_failure(const SweptAccount& swept, const std::string& reason) {
        const int failures = swept.account.failures + 1;
        database_.write([&](store::Connection& connection) {
            store::settle_failed_look(connection, swept.account.id, failures, base::to_utf8(reason),
                                      pause_after(failures, settings_.every));
        });
        note_problem(words_for(swept) + ": " + reason);
    }

    void go_through(const SweptAccount& swept, const model::Account& opening,
                    const Machines& machines) {
        const NamedNodes nodes = nodes_of(machines);
        const auto clusters = clusters_of(machines);
        // Orphans that this time does not suffice for are deleted by the next sweep.
        const auto until = Clock::now() + settings_.patience;
        std::vector<model::UnknownMachine> unknown;
        store::Look seen;
        for (const providers::SeenMachine& machine : machines) {
            seen.listed.insert(machine.id);
            const auto cluster = model::cluster_named(machine.name);
            const auto terminated = cluster ? clusters.find(*cluster) : clusters.end();
            const auto name = model::machine_name_in(machine.name);
            const auto node = name ? nodes.find(*name) : nodes.end();
            const store::NamedNode* known = node == nodes.end() ? nullptr : &node->second;
            if (terminated != clusters.end()) {
                if (terminated->second) remove(swept, opening, "", *cluster, machine.id, until);
            } else if (known != nullptr && known->gone) {
                remove(swept, opening, machine.name, name->cluster, machine.id, until);
            } else if (!has(known, machine)) {
                unknown.push_back(unknown_machine(swept, machine, known));
            } else if (known->machine == machine.id && is_of(swept, *known)) {
                seen.of_nodes[known->id] = machine.id;
            }
        }
        if (!stopping_()) settle(swept, std::move(unknown), seen);
    }

    NamedNodes nodes_of(const Machines& machines) {
        std::set<model::MachineName> names;
        for (const providers::SeenMachine& machine : machines) {
            if (const auto name = model::machine_name_in(machine.name)) names.insert(*name);
        }
        return database_.read(
            [&](store::Connection& connection) { return store::named_nodes(connection, names); });
    }

    /// The clusters that something is left of, with whether each is terminated.
    std::map<model::ClusterId, bool> clusters_of(const Machines& machines) {
        std::set<model::ClusterId> clusters;
        for (const providers::SeenMachine& machine : machines) {
            if (const auto cluster = model::cluster_named(machine.name)) clusters.insert(*cluster);
        }
        if (clusters.empty()) return {};
        return database_.read([&](store::Connection& connection) {
            return store::terminated_clusters(connection, clusters);
        });
    }

    /// Whether the machine is the node's, or may become it: a job under way, or a node whose facts
    /// are not stored yet, gets the benefit of the doubt.
    static bool has(const store::NamedNode* node, const providers::SeenMachine& machine) {
        if (node == nullptr || !node->existed) return false;
        return node->in_work || node->machine.empty() || node->machine == machine.id;
    }

    /// Whether the node's machine may be in this account: names say nothing about tenants.
    static bool is_of(const SweptAccount& swept, const store::NamedNode& node) {
        return swept.provider->is_shared() || swept.account.tenant == node.tenant;
    }

    static model::UnknownMachine unknown_machine(const SweptAccount& swept,
                                                 const providers::SeenMachine& machine,
                                                 const store::NamedNode* node) {
        model::UnknownMachine unknown;
        unknown.tenant = swept.account.tenant;
        // A machine in the installation's own account belongs to the tenant of its cluster.
        if (swept.provider->is_shared() && node != nullptr) unknown.tenant = node->tenant;
        unknown.machine = fitting(machine.id);
        unknown.name = fitting(machine.name);
        unknown.part = std::string(base::utf8_prefix(machine.part, longest_part));
        unknown.size_gb = machine.size_gb;
        for (const auto& [type, address] : machine.addresses) {
            unknown.addresses[fitting(type)] = fitting(address);
        }
        return unknown;
    }

    /// Deletes one orphan: the machine `name`, or without a name what is left of `cluster`. While
    /// the provider says Pending, later sweeps ask again; it is reported as removed once it is
    /// gone. Before: its node or cluster is gone for good, so no task needs it.
    void remove(const SweptAccount& swept, const model::Account& opening, const std::string& name,
                model::ClusterId cluster, const std::string& id, Clock::time_point until) {
        if (stopping_() || Clock::now() >= until) return;
        providers::MachineSpec spec;
        spec.name = name;
        spec.cluster = model::wire_id(cluster);
        const std::string words = name.empty() ? id + " of cluster " + spec.cluster : name;
        const base::Json results{{"providerid", id}};
        try {
            const auto destroyed =
                result_of(swept.provider->destroy(opening, spec, results), until, stopping_);
            if (std::holds_alternative<providers::Gone>(destroyed)) {
                const std::lock_guard lock(mutex_);
                orphans_.removed.push_back(words);
            } else if (const auto* refused = std::get_if<providers::Refused>(&destroyed)) {
                note_problem(words + ": " + redacted(refused->message, opening.secrets));
            }
        } catch (const std::exception& error) {
            note_problem(words + ": " + redacted(error.what(), opening.secrets));
        }
    }

    void settle(const SweptAccount& swept, std::vector<model::UnknownMachine> unknown,
                const store::Look& seen) {
        if (unknown.size() > most_unknown) {
            note_problem(words_for(swept) + ": " + std::to_string(unknown.size()) +
                         " are unknown; the first " + std::to_string(most_unknown) + " are kept");
            unknown.resize(most_unknown);
        }
        std::vector<model::UnknownMachine> fresh;
        std::vector<model::LostMachine> lost;
        database_.write([&](store::Connection& connection) {
            store::settle_look(connection, swept.account.id, settings_.every);
            fresh = store::save_unknown_machines(connection, swept.account.id, unknown);
            lost = store::save_sightings(connection, swept.account.id, seen);
        });
        const std::lock_guard lock(mutex_);
        for (const model::UnknownMachine& machine : fresh) orphans_.unknown.push_back(machine.name);
        std::move(lost.begin(), lost.end(), std::back_inserter(orphans_.lost));
    }

    store::Database& database_;
    const SweepSettings& settings_;
    const std::function<bool()>& stopping_;
    std::mutex mutex_;
    Orphans orphans_;
};

}  // namespace

Orphans remove_orphans(store::Database& database, const providers::Registry& providers,
                       const SweepSettings& settings, const std::function<bool()>& stopping) {
    Sweep sweep(database, settings, stopping);
    auto found =
        find_accounts(database, providers, settings.installation, sweep.orphans().problems);
    auto due = take_due(database, std::move(found));
    database.read([&](store::Connection& connection) {
        for (SweptAccount& swept : due) {
            for (model::Account& opening : swept.openings) {
                if (settings.add_files) settings.add_files(connection, opening);
            }
        }
        return 0;
    });
    std::atomic<std::size_t> next{0};
    const auto look_at_accounts = [&] {
        for (auto at = next++; at < due.size() && !stopping(); at = next++) sweep.look_at(due[at]);
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < std::min(accounts_at_once, due.size()); ++i) {
            threads.emplace_back(look_at_accounts);
        }
    }
    return std::move(sweep.orphans());
}

}  // namespace provisioner::daemon
