#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "provisioner/base/config.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/connection/order.hpp"
#include "provisioner/store/database/database_error.hpp"

namespace cppdb {
class result;
class session;
class statement;
}  // namespace cppdb

namespace provisioner::store {

/// Time limits of a program's database calls. The default is for requests of users, whose web
/// server waits for the answer.
struct Patience {
    /// To open a connection.
    std::chrono::seconds connect{3};
    /// For the answer to one statement. The client then closes the connection; the server rolls
    /// back when it notices.
    std::chrono::seconds statement{10};
    /// For a row or table lock that another transaction holds. Shorter than `statement`, so that a
    /// lock time-out is an answer of the server and not a lost connection.
    std::chrono::seconds lock{5};
    /// For retries of a transaction: no attempt starts later than this after the first one.
    std::chrono::milliseconds retries{2500};
    /// The same after a deadlock or a lock time-out, when the server is well and others were first.
    std::chrono::milliseconds conflicts{10'000};
};

/// For background programs: the daemon and cooperage-migrate. No user waits for them.
constexpr Patience patience_of_daemons{.connect = std::chrono::seconds{5},
                                       .statement = std::chrono::seconds{60},
                                       .lock = std::chrono::seconds{50},
                                       .retries = std::chrono::milliseconds{5000}};

/// A connection from the pool and its transaction. Only Session, Statement and Rows use CppDB,
/// because CppDB hides some failures (store/README.md, "Traps of CppDB") and these classes detect
/// all of them.
///
/// After a failure the server may have ended the transaction, and every further statement would
/// commit by itself. So a Session remembers its first error and throws it again at every later
/// statement. The connection returns to the pool only if nothing failed on it. For one thread at a
/// time.
class Session {
 public:
    /// Isolation of a transaction.
    enum class Isolation {
        /// One consistent snapshot for all reads; Statement::exec refuses changes.
        repeatable_read,
        /// Every statement reads the rows committed before it; no gap locks, so writers rarely
        /// deadlock.
        read_committed,
    };

    /// Rolls back an open transaction. Never throws.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Begins a transaction. Throws as Statement does. A session has at most one transaction at a
    /// time.
    void begin(Isolation isolation);

    /// Ends a transaction of repeatable_read. A failure costs the pooled connection but not the
    /// rows that were read.
    void end_read() noexcept;

    /// Refuses changes from now on, for statements outside a transaction.
    void refuse_changes() { only_reads_ = true; }

    /// Whether Statement::exec must refuse: in a transaction of repeatable_read, and after
    /// refuse_changes(). False for a new session.
    bool only_reads() const { return only_reads_; }

    /// Commits. Throws DatabaseUnavailable: repeatable if the server reports a rollback, in doubt
    /// if the outcome is unknown. Throws the session's first error instead if a statement failed
    /// before.
    void commit();

    /// Creates a statement, for class Statement. After a failed statement it throws the same error
    /// again.
    cppdb::statement prepare(const std::string& text);

    /// Largest statement the server accepts, in bytes. Read once per connection.
    std::size_t largest_statement() const;

    /// Asks the server for the cause of CppDB's `error` and throws it as DatabaseError,
    /// DatabaseUnavailable or TooLargeForDatabase. Costs one more call to the server. Throws
    /// std::logic_error for an error of CppDB itself, for example a placeholder too many.
    [[noreturn]] void fail(const std::exception& error);

    /// The same for a read that failed among its rows, which CppDB does not report.
    [[noreturn]] void fail_among_rows();

    /// Whether the server did not answer when it was asked for the cause of a failure. Database
    /// then closes the idle connections of the pool, too.
    bool is_lost() const { return is_lost_; }

 private:
    friend class Sessions;
    /// What is known of the connection; CppDB keeps it with the connection while that is in the
    /// pool.
    struct Facts;

    /// The server's answer to the question for the cause of a failure.
    struct Failure {
        /// 0: the server recorded no number.
        int code = 0;
        std::string text;
        /// False: the server did not answer, so the connection is lost.
        bool is_answered = false;
    };

    explicit Session(std::unique_ptr<cppdb::session> session);

    /// Prepares a new connection once: time zone UTC, strict SQL mode, lock time-outs, check of the
    /// driver, and of the server by `probes`.
    void set_up(const Patience& patience, const std::vector<connection::Probe>& probes);
    /// Throws DatabaseUnavailable for a server that the probe rules out.
    void ask(const connection::Probe& probe);
    /// Runs a statement without values or rows.
    void run(const std::string& statement);
    /// A failure keeps the connection out of the pool.
    void roll_back() noexcept;
    /// Records `error` as the session's first failure and throws it.
    [[noreturn]] void fail_with(std::exception_ptr error);
    /// Throws the error for the cause that the server reports; `text` if it reports none.
    [[noreturn]] void fail_saying(const std::string& text);
    /// Asks with SHOW ERRORS. Also sets is_lost_.
    Failure ask_what_failed(const std::string& text);

    std::unique_ptr<cppdb::session> session_;
    /// The first failure; null while nothing has failed.
    std::exception_ptr error_;
    /// Also true after a failed COMMIT: the destructor then tries to roll back.
    bool is_in_transaction_ = false;
    bool only_reads_ = false;
    /// False: the connection must not return to the pool.
    bool is_clean_ = true;
    bool is_lost_ = false;
};

/// The pool of connections. It keeps idle connections up to the setting database.pool and opens
/// more on demand, without a maximum. With several hosts it stays with one until a connection to it
/// fails (connection/order.hpp). Safe to use from any thread.
///
/// When the server refuses the password, its file is read again: it may have been changed while the
/// program runs. Connections that are open go on with the old one.
class Sessions {
 public:
    /// Reads the settings that Database's constructor names. Connects on first use.
    Sessions(const base::Config& config, const Patience& patience);
    ~Sessions();

    /// Takes an idle connection or opens one. A new connection is set up first: time zone, SQL
    /// mode, limits and a check of the driver. Throws DatabaseUnavailable; repeatable when there is
    /// no connection, with statements::access_denied when the password is refused: the server and
    /// the file may get a new one at two moments.
    std::unique_ptr<Session> open();

    /// Closes the idle connections. Called after one of them was lost: the server probably
    /// restarted, and the others are lost as well.
    void clear();

 private:
    /// The connections to one address. Hides CppDB's pool from the headers that include this one.
    struct Pool;

    std::unique_ptr<Session> open_at(std::size_t number);
    /// Throws DatabaseUnavailable.
    std::unique_ptr<cppdb::session> connect(std::size_t number);
    /// A connection of the pool of that number. Throws what CppDB throws.
    std::unique_ptr<cppdb::session> pooled(std::size_t number);
    /// Makes all pools anew if the password is another one than theirs; false if it is the same.
    bool take_new_password();
    void make_pools(const connection::Settings& settings);

    base::Config config_;
    std::vector<connection::Address> addresses_;
    /// Guards the two members below.
    std::mutex mutex_;
    /// One for each address.
    std::vector<Pool> pools_;
    base::Secret password_;
    Patience patience_;
};

/// The text of CppDB's `error` without the prefix that the driver puts before it.
std::string message_of(const std::exception& error);

/// Whether reading the rows of this result failed. CppDB shows such a result as empty; unlike an
/// empty one it has no column names. Needs @use_prepared=off, which Sessions sets.
bool is_broken(cppdb::result& result);

}  // namespace provisioner::store
