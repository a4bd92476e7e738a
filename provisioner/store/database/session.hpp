#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>

#include "provisioner/base/config.hpp"
#include "provisioner/store/database/database_error.hpp"

namespace cppdb {
class result;
class session;
class statement;
}  // namespace cppdb

namespace provisioner::store {

/// Time limits of a program's database calls. The default is for requests of users.
struct Patience {
    /// To open a connection.
    std::chrono::seconds connect{3};
    /// For the answer to one statement.
    std::chrono::seconds statement{10};
    /// For a row or table lock that another transaction holds.
    std::chrono::seconds lock{5};
    /// For retries of a transaction: none starts later than this after the first attempt.
    std::chrono::milliseconds retries{2500};
};

/// For background programs: the daemon and cooperage-migrate.
constexpr Patience patience_of_daemons{.connect = std::chrono::seconds{5},
                                       .statement = std::chrono::seconds{60},
                                       .lock = std::chrono::seconds{50},
                                       .retries = std::chrono::milliseconds{5000}};

/// A connection from the pool and its transaction. CppDB is used here and by Statement and Rows
/// only; they detect every error. The connection returns to the pool only if nothing failed on it.
/// For one thread at a time.
class Session {
 public:
    /// Isolation of a transaction.
    enum class Isolation {
        /// One consistent snapshot for all reads.
        repeatable_read,
        /// Every statement sees what is committed; no gap locks, so writers rarely deadlock.
        read_committed,
    };

    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Begins a transaction; the destructor rolls it back unless it was committed.
    void begin(Isolation isolation);

    /// Ends a transaction of repeatable_read, which only reads.
    void end_read() noexcept;

    /// Whether the transaction must not change anything.
    bool only_reads() const { return only_reads_; }

    /// Throws DatabaseUnavailable: repeatable if the server reports a rollback, in doubt if the
    /// outcome is unknown.
    void commit();

    /// Creates a statement, for class Statement. After a failed statement it throws the same error
    /// again: the server may have ended the transaction, so further statements would be committed
    /// one by one.
    cppdb::statement prepare(const std::string& text);

    /// Largest statement the server accepts, in bytes.
    std::size_t largest_statement() const;

    /// Asks the server for the cause of CppDB's `error` and throws it as DatabaseError,
    /// DatabaseUnavailable or TooLargeForDatabase. Throws std::logic_error for an error of CppDB
    /// itself: a placeholder too many, for example.
    [[noreturn]] void fail(const std::exception& error);

    /// The same for a read that failed among its rows, which CppDB does not report.
    [[noreturn]] void fail_among_rows();

    /// Whether the server did not answer when it was asked for the cause of a failure.
    bool is_lost() const { return is_lost_; }

 private:
    friend class Sessions;
    struct Facts;

    struct Failure {
        int code = 0;
        std::string text;
        bool is_answered = false;
    };

    explicit Session(std::unique_ptr<cppdb::session> session);

    void set_up(const Patience& patience);
    void run(const std::string& statement);
    void roll_back() noexcept;
    [[noreturn]] void fail_with(std::exception_ptr error);
    [[noreturn]] void fail_saying(const std::string& text);
    Failure ask_what_failed(const std::string& text);

    std::unique_ptr<cppdb::session> session_;
    /// The first failure.
    std::exception_ptr error_;
    bool is_in_transaction_ = false;
    bool only_reads_ = false;
    bool is_clean_ = true;
    bool is_lost_ = false;
};

/// The pool of connections. Safe to use from any thread.
class Sessions {
 public:
    Sessions(const base::Config& config, const Patience& patience);
    ~Sessions();

    /// Takes an idle connection or opens one. Throws DatabaseUnavailable.
    std::unique_ptr<Session> open();

    /// Closes the idle connections, after one of them turned out to be lost.
    void clear();

 private:
    struct Pool;

    std::unique_ptr<Pool> pool_;
    Patience patience_;
};

/// Whether reading the rows of this result failed. CppDB shows such a result as empty; unlike an
/// empty one it has no column names.
bool is_broken(cppdb::result& result);

}  // namespace provisioner::store
