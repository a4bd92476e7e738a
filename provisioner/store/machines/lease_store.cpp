#include "provisioner/store/machines/lease_store.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <stdexcept>

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// All takers queue at this row: what is free is read and taken by one of them at a time. The unique
// keys would refuse a second lease all the same.
constexpr auto lock_installation = R"sql(
    SELECT id FROM installation WHERE only_one = 1 FOR UPDATE
)sql";

constexpr auto lease_columns = R"sql(
    SELECT lease.id, lease.tenant_id, COALESCE(tenant.name, '') AS tenant_name, lease.provider_type,
           lease.provider, lease.node, lease.cluster, lease.task, lease.machine, lease.spread,
           lease.listed, lease.state, lease.reason, lease.leased_at, lease.changed_at,
           EXISTS (SELECT 1 FROM machine_lease_identity AS proven
                   WHERE proven.lease_id = lease.id AND proven.identity LIKE 'ssh %') AS is_entered,
           EXISTS (SELECT 1 FROM machine_lease_identity AS proven
                   WHERE proven.lease_id = lease.id AND proven.identity LIKE 'bmc %') AS has_controller
    FROM machine_lease AS lease
    LEFT JOIN tenant ON tenant.id = lease.tenant_id
)sql";

constexpr auto held_by_node = R"sql(
    WHERE lease.held_by = ?
)sql";

constexpr auto of_node = R"sql(
    WHERE lease.node = ? ORDER BY lease.id LIMIT 10000
)sql";

constexpr auto leases_listed_by = R"sql(
    WHERE lease.tenant_id = ? AND lease.provider_type = ? AND lease.provider = ?
    ORDER BY lease.id LIMIT 1000000
)sql";

constexpr auto of_this_lease = R"sql(
    WHERE lease.id = ?
)sql";

constexpr auto leases_of_tenant = R"sql(
    WHERE ? IN (0, lease.tenant_id) AND lease.id > ? ORDER BY lease.id LIMIT ?
)sql";

constexpr auto raise_task = R"sql(
    UPDATE machine_lease SET task = ? WHERE id = ? AND task < ?
)sql";

constexpr auto select_taken = R"sql(
    SELECT taken.identity, lease.state
    FROM machine_lease_identity AS taken
    JOIN machine_lease AS lease ON lease.id = taken.lease_id
    WHERE taken.identity IN )sql";

constexpr auto select_spread = R"sql(
    SELECT spread, COUNT(*) AS machines FROM machine_lease
    WHERE cluster = ? AND held_by IS NOT NULL
    GROUP BY spread LIMIT 100000
)sql";

constexpr auto insert_lease = R"sql(
    INSERT INTO machine_lease (tenant_id, provider_type, provider, node, held_by, cluster, task,
                               machine, spread, listed, state, reason, leased_at, changed_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'leased', '', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))
)sql";

constexpr auto insert_identity = R"sql(
    INSERT INTO machine_lease_identity (identity, lease_id) VALUES (?, ?)
)sql";

constexpr auto update_state = R"sql(
    UPDATE machine_lease
    SET state = ?, reason = ?, changed_at = UTC_TIMESTAMP(6),
        held_by = IF(? IN ('leased', 'powered'), held_by, NULL)
    WHERE id = ? AND state = ?
)sql";

constexpr auto update_reason = R"sql(
    UPDATE machine_lease SET reason = ? WHERE id = ?
)sql";

constexpr auto update_listed = R"sql(
    UPDATE machine_lease SET listed = ? WHERE id = ?
)sql";

constexpr auto delete_lease = R"sql(
    DELETE FROM machine_lease WHERE id = ? AND state = ?
)sql";

constexpr auto select_entering = R"sql(
    SELECT state FROM machine_lease WHERE id = ? FOR UPDATE
)sql";

constexpr auto select_holder = R"sql(
    SELECT lease_id FROM machine_lease_identity WHERE identity = ?
)sql";

constexpr auto hand_over_own_identities = R"sql(
    UPDATE machine_lease_identity SET lease_id = ? WHERE lease_id = ? AND LEFT(identity, ?) = ?
)sql";

constexpr auto delete_shared_identities = R"sql(
    DELETE FROM machine_lease_identity WHERE lease_id = ? AND LEFT(identity, ?) <> ?
)sql";

using Taken = std::map<std::string, model::LeaseState>;

model::MachineLease read_lease(Rows& row) {
    return {
        .id = model::MachineLeaseId{row.get<long long>("id")},
        .tenant = model::TenantId{row.get<long long>("tenant_id")},
        .tenant_name = row.get<std::string>("tenant_name"),
        .provider_type = row.get<std::string>("provider_type"),
        .provider = row.get<std::string>("provider"),
        .node = row.get<std::string>("node"),
        .cluster = row.get<std::string>("cluster"),
        .task = row.get<long long>("task"),
        .machine = row.get<std::string>("machine"),
        .spread = row.get<std::string>("spread"),
        .listed = json_column(row, "listed"),
        .state = base::stored_word<model::LeaseState>(row.get<std::string>("state")),
        .reason = row.get<std::string>("reason"),
        .leased_at = time_column(row, "leased_at"),
        .changed_at = time_column(row, "changed_at"),
        .is_entered = row.get<int>("is_entered") == 1,
        .has_controller = row.get<int>("has_controller") == 1,
    };
}

std::vector<model::MachineLease> read_leases(Rows row) {
    std::vector<model::MachineLease> leases;
    while (row.next()) leases.push_back(read_lease(row));
    return leases;
}

std::optional<model::MachineLease> lease_held_by(Connection& connection, const std::string& node) {
    auto leases = read_leases(connection.sql(std::string(lease_columns) + held_by_node) << node);
    if (leases.empty()) return std::nullopt;
    return std::move(leases.front());
}

Taken taken_of(Connection& connection, const std::vector<model::LeaseCandidate>& candidates) {
    std::vector<std::string> identities;
    for (const model::LeaseCandidate& candidate : candidates) {
        identities.insert(identities.end(), candidate.identities.begin(),
                          candidate.identities.end());
    }
    Taken taken;
    const std::span all(identities);
    for (std::size_t at = 0; at < all.size(); at += rows_per_statement) {
        const auto some = all.subspan(at, std::min(rows_per_statement, all.size() - at));
        Statement select =
            connection.sql(std::string(select_taken) + "(" + repeated("?", some.size()) + ")");
        for (const std::string& identity : some) select << identity;
        Rows row = select.query();
        while (row.next()) {
            taken[row.get<std::string>("identity")] =
                base::stored_word<model::LeaseState>(row.get<std::string>("state"));
        }
    }
    return taken;
}

std::optional<model::LeaseState> state_of(const model::LeaseCandidate& candidate,
                                          const Taken& taken) {
    for (const std::string& identity : candidate.identities) {
        const auto found = taken.find(identity);
        if (found != taken.end()) return found->second;
    }
    return std::nullopt;
}

model::NoneFree counted(const std::vector<model::LeaseCandidate>& candidates, const Taken& taken) {
    model::NoneFree none;
    for (const model::LeaseCandidate& candidate : candidates) {
        const auto state = state_of(candidate, taken);
        if (!state) continue;
        ++(model::is_held(*state)                ? none.leased
           : *state == model::LeaseState::broken ? none.broken
                                                 : none.wiping);
    }
    return none;
}

/// The free candidate whose spread the cluster has least of; null if none is free.
const model::LeaseCandidate* best_of(Connection& connection, const model::LeaseWish& wish,
                                     const Taken& taken) {
    std::map<std::string, long long> used;
    Rows row = connection.sql(select_spread) << wish.cluster;
    while (row.next()) used[row.get<std::string>("spread")] = row.get<long long>("machines");
    const model::LeaseCandidate* best = nullptr;
    for (const model::LeaseCandidate& candidate : wish.candidates) {
        if (state_of(candidate, taken)) continue;
        if (best == nullptr || used[candidate.spread] < used[best->spread]) best = &candidate;
    }
    return best;
}

void insert(Connection& connection, const model::LeaseWish& wish,
            const model::LeaseCandidate& candidate) {
    Statement lease = connection.sql(insert_lease);
    lease << wish.tenant.value << wish.provider_type << wish.provider << wish.node << wish.node
          << wish.cluster << wish.task << candidate.machine << candidate.spread
          << base::to_text(candidate.listed);
    lease.exec();
    for (const std::string& identity : candidate.identities) {
        if (!identity.starts_with(model::own_identity)) continue;
        connection.sql(insert_identity) << identity << lease.last_insert_id() << exec;
    }
}

void queue_up(Connection& connection) {
    Rows installation = connection.sql(lock_installation).query();
    if (!installation.next()) throw std::logic_error("leases need the id of the installation");
}

}  // namespace

model::LeaseAnswer take_machine(Connection& connection, const model::LeaseWish& wish) {
    queue_up(connection);
    if (auto held = lease_held_by(connection, wish.node)) {
        connection.sql(raise_task) << wish.task << held->id.value << wish.task << exec;
        return *std::move(held);
    }
    const Taken taken = taken_of(connection, wish.candidates);
    const model::LeaseCandidate* best = best_of(connection, wish, taken);
    if (best == nullptr) return counted(wish.candidates, taken);
    insert(connection, wish, *best);
    return *lease_held_by(connection, wish.node);
}

std::vector<model::MachineLease> leases_of_node(Connection& connection, const std::string& node) {
    return read_leases(connection.sql(std::string(lease_columns) + of_node) << node);
}

std::vector<model::MachineLease> leases_of_provider(Connection& connection, model::TenantId tenant,
                                                    const std::string& provider_type,
                                                    const std::string& provider) {
    return read_leases(connection.sql(std::string(lease_columns) + leases_listed_by)
                       << tenant.value << provider_type << provider);
}

bool change_lease(Connection& connection, model::MachineLeaseId lease, model::LeaseState from,
                  model::LeaseState to, const std::string& reason) {
    Statement update = connection.sql(update_state);
    update << base::to_word(to) << fitting_text(reason) << base::to_word(to) << lease.value
           << base::to_word(from);
    update.exec();
    return update.affected() == 1;
}

void note_lease(Connection& connection, model::MachineLeaseId lease, const std::string& reason) {
    connection.sql(update_reason) << fitting_text(reason) << lease.value << exec;
}

void relist_machine(Connection& connection, model::MachineLeaseId lease, const base::Json& listed) {
    connection.sql(update_listed) << base::to_text(listed) << lease.value << exec;
}

bool enter_machine(Connection& connection, model::MachineLeaseId lease,
                   const std::vector<std::string>& identities) {
    queue_up(connection);
    Rows entering = connection.sql(select_entering) << lease.value;
    if (!entering.next()) return false;
    const auto state = base::stored_word<model::LeaseState>(entering.get<std::string>("state"));
    if (!model::is_held(state)) return false;
    std::vector<std::string> fresh;
    for (const std::string& identity : identities) {
        Rows holder = connection.sql(select_holder) << identity;
        if (!holder.next()) {
            fresh.push_back(identity);
        } else if (holder.get<long long>("lease_id") != lease.value) {
            connection.sql(hand_over_own_identities)
                << holder.get<long long>("lease_id") << lease.value
                << static_cast<long long>(model::own_identity.size())
                << std::string(model::own_identity) << exec;
            connection.sql(delete_lease) << lease.value << base::to_word(state) << exec;
            return false;
        }
    }
    for (const std::string& identity : fresh) {
        connection.sql(insert_identity) << identity << lease.value << exec;
    }
    return true;
}

void disown_machine(Connection& connection, model::MachineLeaseId lease) {
    const std::string own(model::own_identity);
    connection.sql(delete_shared_identities)
        << lease.value << static_cast<long long>(own.size()) << own << exec;
}

bool free_machine(Connection& connection, model::MachineLeaseId lease, model::LeaseState in) {
    Statement remove = connection.sql(delete_lease);
    remove << lease.value << base::to_word(in);
    remove.exec();
    return remove.affected() == 1;
}

std::optional<model::MachineLease> find_lease(Connection& connection, model::TenantId tenant,
                                              model::MachineLeaseId lease) {
    auto leases =
        read_leases(connection.sql(std::string(lease_columns) + of_this_lease) << lease.value);
    if (leases.empty() || (tenant.value != 0 && leases.front().tenant != tenant)) {
        return std::nullopt;
    }
    return std::move(leases.front());
}

std::vector<model::MachineLease> list_leases(Connection& connection, model::TenantId tenant,
                                             std::int64_t after, int limit) {
    return read_leases(connection.sql(std::string(lease_columns) + leases_of_tenant)
                       << tenant.value << after << limit);
}

}  // namespace provisioner::store
