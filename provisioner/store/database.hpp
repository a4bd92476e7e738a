#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "provisioner/base/config.hpp"
#include "provisioner/identity/vault.hpp"

namespace cppdb {
class session;
}

namespace provisioner::store {

/// The database failed: it is gone, a statement is wrong, a constraint was broken. The text is the
/// server's.
class DatabaseError : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// What was to be written is larger than the server takes in one statement (its
/// max_allowed_packet). Nothing was written.
class TooLargeForDatabase : public DatabaseError {
 public:
    using DatabaseError::DatabaseError;
};

/// One pooled connection inside a transaction; every store function takes one.
class Connection {
 public:
    Connection(cppdb::session& session, const identity::Vault& vault)
        : session_(session), vault_(vault) {}

    /// For the files of store/ only.
    cppdb::session& session() { return session_; }

    /// What seals secrets before they are stored.
    const identity::Vault& vault() const { return vault_; }

 private:
    cppdb::session& session_;
    const identity::Vault& vault_;
};

/// The database as operations and pages use it. Safe to use from any thread.
class Database {
 public:
    /// Reads database.socket (or database.host and database.port), database.name, database.user,
    /// database.password, database.pool (idle connections kept, default 8) and secrets.keys (the
    /// file of the vault). Connects on first use.
    explicit Database(const base::Config& config);
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
    /// it throws. It may run twice (server gone, deadlock), so it must not have effects outside the
    /// database.
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
    bool answers();

    struct Pool;
    std::unique_ptr<Pool> pool_;
    identity::Vault vault_;
};

}  // namespace provisioner::store
