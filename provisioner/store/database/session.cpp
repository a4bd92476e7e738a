#include "provisioner/store/database/session.hpp"

#include <cppdb/backend.h>
#include <cppdb/connection_specific.h>
#include <cppdb/frontend.h>

#include <atomic>
#include <string_view>
#include <utility>

#include "provisioner/connection/order.hpp"
#include "provisioner/statements/database_errors.hpp"
#include "provisioner/statements/optimizer.hpp"

namespace provisioner::store {

namespace {

using statements::ErrorKind;

constexpr int packet_too_large = 1153;

/// Its error follows the column header, as when a statement is killed or meets a deadlock.
constexpr auto fails_among_its_rows = "SELECT (SELECT 1 UNION SELECT 2) AS one";

/// Refuses a driver with which a failed read looks like an empty one. The result holds for the
/// whole process, so one check is enough; two threads may both do the first.
void check_driver(cppdb::session& session) {
    static std::atomic<bool> is_checked = false;
    if (is_checked) return;
    try {
        cppdb::result result = session << fails_among_its_rows;
        if (!is_broken(result)) throw std::logic_error("this CppDB does not tell when reads fail");
    } catch (const cppdb::cppdb_error&) {
        // The driver throws by itself. CppDB would not reuse the connection after that.
        session.recyclable(true);
    }
    is_checked = true;
}

/// Prefix of messages from the server or the client library.
constexpr std::string_view told_by_database = "cppdb::mysql::";

/// Whether the cause is the state of the server and not the statement.
bool is_transient(int code) {
    const ErrorKind kind = statements::kind_of(code);
    return kind == ErrorKind::rolled_back || kind == ErrorKind::unavailable;
}

/// The exception for an error number. The server records no number when it is out of memory.
std::exception_ptr error_of(int code, const std::string& text) {
    using Outcome = DatabaseUnavailable::Outcome;
    if (code == packet_too_large) return std::make_exception_ptr(TooLargeForDatabase(text, code));
    switch (statements::kind_of(code)) {
        case ErrorKind::rolled_back:
            return std::make_exception_ptr(DatabaseUnavailable(text, code, Outcome::repeatable));
        case ErrorKind::unavailable:
            return std::make_exception_ptr(DatabaseUnavailable(text, code));
        case ErrorKind::broken:
            if (code == 0) return std::make_exception_ptr(DatabaseUnavailable(text));
            [[fallthrough]];
        case ErrorKind::refused_data:
            return std::make_exception_ptr(DatabaseError(text, code));
    }
    throw std::logic_error("an error of no kind");
}

}  // namespace

std::string message_of(const std::exception& error) {
    std::string text = error.what();
    if (text.starts_with(told_by_database)) text.erase(0, told_by_database.size());
    return text;
}

bool is_broken(cppdb::result& result) {
    try {
        result.name(0);
        return false;
    } catch (const cppdb::empty_row_access&) {
        return true;
    }
}

struct Session::Facts : cppdb::connection_specific_data {
    std::size_t largest_statement = 0;
};

Session::Session(std::unique_ptr<cppdb::session> session) : session_(std::move(session)) {}

Session::~Session() {
    if (is_in_transaction_) roll_back();
    if (!is_clean_) session_->recyclable(false);
}

void Session::set_up(const Patience& patience, const std::vector<connection::Probe>& probes) {
    if (session_->once_called()) return;
    // max_statement_time is not set: MariaDB wakes its timer thread for it, which costs a third of
    // the reads per second. MySQL lets nobody but administrators set max_error_count; 1024 there.
    const auto lock = std::to_string(patience.lock.count());
    run("SET time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', "
        "lock_wait_timeout = " +
        lock + ", innodb_lock_wait_timeout = " + lock + " /*M!100300 , max_error_count = 64 */" +
        statements::without_crashes);
    run("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    try {
        check_driver(*session_);
        cppdb::result row = *session_ << "SELECT @@max_allowed_packet AS largest";
        if (is_broken(row) || !row.next()) fail_among_rows();
        auto facts = std::make_unique<Facts>();
        // As measured: statement and one byte of command must be less than the setting.
        facts->largest_statement = static_cast<std::size_t>(row.get<long long>("largest")) - 2;
        session_->reset_specific<Facts>(facts.release());
    } catch (const cppdb::cppdb_error& error) {
        fail(error);
    }
    for (const connection::Probe& probe : probes) ask(probe);
    session_->once_called(true);
}

void Session::ask(const connection::Probe& probe) {
    try {
        cppdb::result row = *session_ << probe.query;
        if (is_broken(row) || !row.next()) fail_among_rows();
        if (row.get<std::string>("Value") != probe.refused_value) return;
    } catch (const cppdb::cppdb_error& error) {
        fail(error);
    }
    fail_with(std::make_exception_ptr(DatabaseUnavailable(probe.reason)));
}

void Session::run(const std::string& statement) {
    try {
        *session_ << statement << cppdb::exec;
    } catch (const cppdb::cppdb_error& error) {
        fail(error);
    }
}

void Session::begin(Isolation isolation) {
    if (isolation == Isolation::read_committed) {
        run("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }
    try {
        session_->begin();
        is_in_transaction_ = true;
        only_reads_ = isolation == Isolation::repeatable_read;
    } catch (const cppdb::cppdb_error& error) {
        fail(error);
    }
}

// By COMMIT, because CppDB hides a failed ROLLBACK: a ROLLBACK that is killed leaves the
// transaction open. There is nothing to commit, see Statement::exec. A failure costs the
// connection, not the result.
void Session::end_read() noexcept {
    is_in_transaction_ = false;
    try {
        session_->commit();
    } catch (...) {
        is_clean_ = false;
    }
}

/// Only an error number of the kind rolled_back proves that nothing was stored. Any other failure,
/// and no answer at all, may have come after the server stored the change. A retry could then store
/// it twice.
void Session::commit() {
    if (error_) std::rethrow_exception(error_);
    try {
        session_->commit();
        is_in_transaction_ = false;
    } catch (const cppdb::cppdb_error& error) {
        using Outcome = DatabaseUnavailable::Outcome;
        const Failure failure = ask_what_failed(message_of(error));
        const bool is_undone =
            failure.is_answered && statements::kind_of(failure.code) == ErrorKind::rolled_back;
        fail_with(std::make_exception_ptr(
            DatabaseUnavailable("while committing: " + failure.text, failure.code,
                                is_undone ? Outcome::repeatable : Outcome::in_doubt)));
    }
}

// Sent as a statement because CppDB's rollback() hides a failure: the next BEGIN on that connection
// would commit the rest of this transaction.
void Session::roll_back() noexcept {
    try {
        *session_ << "ROLLBACK" << cppdb::exec;
    } catch (...) {
        is_clean_ = false;
    }
}

cppdb::statement Session::prepare(const std::string& text) {
    if (error_) std::rethrow_exception(error_);
    return *session_ << text;
}

std::size_t Session::largest_statement() const {
    return session_->get_specific<Facts>()->largest_statement;
}

void Session::fail(const std::exception& error) {
    if (!std::string_view(error.what()).starts_with(told_by_database)) {
        throw std::logic_error(error.what());
    }
    fail_saying(message_of(error));
}

void Session::fail_among_rows() {
    fail_saying("");
}

void Session::fail_saying(const std::string& text) {
    using Outcome = DatabaseUnavailable::Outcome;
    const Failure failure = ask_what_failed(text);
    if (!failure.is_answered) {
        fail_with(
            std::make_exception_ptr(DatabaseUnavailable(failure.text, 0, Outcome::repeatable)));
    }
    fail_with(error_of(failure.code, failure.text));
}

void Session::fail_with(std::exception_ptr error) {
    is_clean_ = false;
    error_ = std::move(error);
    std::rethrow_exception(error_);
}

// CppDB has no error numbers. The server keeps them until the next statement other than SHOW, so
// this must be the first statement after the failure. The first recorded error is the cause, unless
// a later one is transient.
Session::Failure Session::ask_what_failed(const std::string& text) {
    Failure failure{.text = text};
    try {
        cppdb::result row = *session_ << "SHOW ERRORS";
        failure.is_answered = !is_broken(row);
        while (failure.is_answered && row.next()) {
            const int code = row.get<int>("Code");
            const bool is_cause =
                failure.code == 0 || (is_transient(code) && !is_transient(failure.code));
            if (!is_cause) continue;
            failure.code = code;
            failure.text = row.get<std::string>("Message");
        }
    } catch (const cppdb::cppdb_error&) {
        failure.is_answered = false;
    }
    is_lost_ = !failure.is_answered;
    if (failure.text.empty()) failure.text = "the connection to the database was lost";
    return failure;
}

}  // namespace provisioner::store
