#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "provisioner/base/config.hpp"
#include "provisioner/identity/vault.hpp"
#include "provisioner/store/database/database_error.hpp"
#include "provisioner/store/database/session.hpp"

namespace provisioner::store {

class Breaker;
class Statement;

/// One pooled connection inside a transaction; every store function takes one.
class Connection {
 public:
    Connection(Session& session, const identity::Vault& vault) : session_(session), vault_(vault) {}

    /// A statement, for the files of store/ (statement.hpp).
    Statement sql(const std::string& text);

    /// What seals secrets before they are stored.
    const identity::Vault& vault() const { return vault_; }

 private:
    Session& session_;
    const identity::Vault& vault_;
};

/// The database as operations and pages use it. Safe to use from any thread.
///
/// Rethrows what `work` throws, after a rollback. Throws DatabaseError when the database refuses a
/// statement and DatabaseUnavailable when it cannot run it now.
class Database {
 public:
    /// Reads database.socket (or database.host and database.port), database.name, database.user,
    /// database.password, database.pool (idle connections kept, default 8) and secrets.keys (the
    /// file of the vault). Connects on first use.
    explicit Database(const base::Config& config, const Patience& patience = {});
    ~Database();

    /// Runs `work(Connection&)` in one read transaction: a consistent snapshot. Returns what it
    /// returns.
    template <class Work>
    auto read(Work&& work) {
        return run(std::forward<Work>(work), Mode::snapshot);
    }

    /// Runs `work(Connection&)`, which is one statement that reads: without the two calls to the
    /// server that a transaction costs.
    template <class Work>
    auto look(Work&& work) {
        return run(std::forward<Work>(work), Mode::statement);
    }

    /// Runs `work(Connection&)` in one transaction that commits when it returns and rolls back when
    /// it throws. Isolation is READ COMMITTED: every statement sees what was committed before it,
    /// so lock the rows that must not change. May run several times (lost connection, deadlock), so
    /// it must not have effects outside the database.
    template <class Work>
    auto write(Work&& work) {
        return run(std::forward<Work>(work), Mode::change);
    }

    /// What opens the secrets it keeps.
    const identity::Vault& vault() const { return vault_; }

 private:
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

    void with_connection(const std::function<void(Connection&)>& work, Mode mode);
    void attempt(const std::function<void(Connection&)>& work, Mode mode);
    std::unique_ptr<Session> open();
    void use(Session& session, const std::function<void(Connection&)>& work, Mode mode);

    Patience patience_;
    Sessions sessions_;
    std::unique_ptr<Breaker> breaker_;
    identity::Vault vault_;
};

}  // namespace provisioner::store
