#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "provisioner/base/config.hpp"
#include "provisioner/identity/vault.hpp"
#include "provisioner/metrics/counters.hpp"
#include "provisioner/store/database/database_error.hpp"
#include "provisioner/store/database/session.hpp"

namespace provisioner::store {

class Breaker;
class Statement;

/// One pooled connection, usually inside a transaction; every store function takes one. Database
/// makes it for one call of `work`, and it must not be kept after that call. For one thread at a
/// time.
class Connection {
 public:
    /// Both must outlive it.
    Connection(Session& session, const identity::Vault& vault) : session_(session), vault_(vault) {}

    /// A new statement. Only files of store/ use it: its type is complete only with statement.hpp.
    Statement sql(const std::string& text);

    /// The keys that seal secrets before they are stored.
    const identity::Vault& vault() const { return vault_; }

 private:
    Session& session_;
    const identity::Vault& vault_;
};

/// What a Database has done since it was made. Any thread may read it.
struct DatabaseCounters {
    /// Connections that are at work. There is no maximum, so nobody waits for one.
    metrics::Level in_use;
    /// Calls of read, look and write.
    metrics::Counter calls;
    /// Further attempts of a call after a deadlock, a lock time-out or a lost connection.
    metrics::Counter retries;
    /// Calls that threw DatabaseUnavailable, and those of them that failed at once because the
    /// server was silent and another thread was trying it.
    metrics::Counter unavailable;
    metrics::Counter turned_away;
    /// Connections on which the server stopped answering.
    metrics::Counter lost;
};

/// The database as operations and pages use it. Safe to use from any thread.
///
///     const auto job = database.read([&](store::Connection& connection) {
///         return store::find_job(connection, id);
///     });
///
/// All access goes through three functions that call `work(Connection&)` on a pooled connection.
/// They differ in the transaction around the call. A repeatable failure (deadlock, lock time-out,
/// lost connection, and for a second identity::KeysOutOfStep) makes them run the same `work` again,
/// with growing pauses, until the patience ends. So `work` may run several times in all three. It
/// must have no effect outside the database. Assign to captured variables; do not append to them.
///
/// They rethrow what `work` throws, after a rollback. They throw DatabaseError when the database
/// refuses a statement and DatabaseUnavailable when it cannot run it at present. They block the
/// calling thread. Do not nest them: the inner call takes a second connection and sees nothing of
/// the outer transaction.
class Database {
 public:
    /// Reads the settings of connection/settings.hpp, database.pool (idle connections kept, default
    /// 8) and those of the vault's keys. Connects on first use. Keeps no reference to
    /// `config`.
    explicit Database(const base::Config& config, const Patience& patience = {});
    ~Database();

    /// Runs `work(Connection&)` in one read transaction and returns its result. All statements see
    /// the same consistent snapshot. A change inside it throws std::logic_error.
    template <class Work>
    auto read(Work&& work) {
        return run(std::forward<Work>(work), Mode::snapshot);
    }

    /// Runs `work(Connection&)`, which must be one statement that reads, without a transaction.
    /// Saves the two calls to the server that a transaction costs. A change inside it throws
    /// std::logic_error: it would commit by itself.
    template <class Work>
    auto look(Work&& work) {
        return run(std::forward<Work>(work), Mode::statement);
    }

    /// Runs `work(Connection&)` in one transaction that commits when it returns and rolls back when
    /// it throws. Returns its result. A Result that is a refusal commits, too: write only after
    /// every check.
    ///
    /// Isolation is READ COMMITTED: every statement sees what was committed before it. So lock the
    /// rows that must not change (the tenant, the job, the cluster, in this order) before reading
    /// them.
    template <class Work>
    auto write(Work&& work) {
        return run(std::forward<Work>(work), Mode::change);
    }

    /// Returns when the server has answered a statement. Throws DatabaseUnavailable when it does
    /// not.
    void ping();

    /// The keys that open the stored secrets. Valid as long as this object.
    const identity::Vault& vault() const { return vault_; }

    const DatabaseCounters& counters() const { return counters_; }

    /// Whether the server did not answer when it was last asked (database/breaker.hpp).
    bool is_silent() const;

 private:
    /// statement: look; snapshot: read; change: write.
    enum class Mode { statement, snapshot, change };

    template <class Work>
    auto run(Work&& work, Mode mode) {
        using Result = std::invoke_result_t<Work, Connection&>;
        if constexpr (std::is_void_v<Result>) {
            with_connection([&](Connection& connection) { work(connection); }, mode);
        } else {
            std::optional<Result> result;
            with_connection([&](Connection& connection) { result.emplace(work(connection)); },
                            mode);
            return std::move(*result);
        }
    }

    /// Runs `work` until it succeeds, fails for good, or the patience ends.
    void with_connection(const std::function<void(Connection&)>& work, Mode mode);
    /// Runs `work` once on a fresh or pooled connection and reports the outcome to the breaker.
    void attempt(const std::function<void(Connection&)>& work, Mode mode);
    /// Takes a connection; reports to the breaker when there is none.
    std::unique_ptr<Session> open();
    /// Runs `work` inside the transaction of `mode`.
    void use(Session& session, const std::function<void(Connection&)>& work, Mode mode);

    Patience patience_;
    Sessions sessions_;
    std::unique_ptr<Breaker> breaker_;
    identity::Vault vault_;
    DatabaseCounters counters_;
};

}  // namespace provisioner::store
