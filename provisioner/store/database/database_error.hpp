#pragma once

#include <stdexcept>
#include <string>

namespace provisioner::store {

/// The database refused a statement: the statement is wrong or violates a constraint. Repeating it
/// fails again. The text is the server's and may name tables and values; do not show it to users.
///
/// fcgi/http answers 500 for it. Its subclasses have answers of their own (store/README.md has the
/// table).
class DatabaseError : public std::runtime_error {
 public:
    /// `text` is the server's message.
    explicit DatabaseError(const std::string& text, int code = 0)
        : std::runtime_error(text), code_(code) {}

    /// The server's error number (statements/database_errors.hpp lists those we know); 0 where
    /// there is none, for example after a lost connection.
    int code() const { return code_; }

 private:
    int code_;
};

/// The database cannot run the transaction at present: it is away, full, read-only or too busy, or
/// the statement was killed. Nothing was changed unless `is_in_doubt`. Database has already retried
/// a repeatable one until the program's patience ended. fcgi/http answers 503.
class DatabaseUnavailable : public DatabaseError {
 public:
    /// Outcome of the transaction.
    enum class Outcome {
        /// Not committed; an immediate retry would fail again.
        undone,
        /// Not committed; an immediate retry may succeed: a deadlock, a lock time-out or a lost
        /// connection.
        repeatable,
        /// Unknown: the connection broke, or the statement was killed, during COMMIT. Database does
        /// not retry, because the change may be stored already.
        in_doubt,
    };

    explicit DatabaseUnavailable(const std::string& text, int code = 0,
                                 Outcome outcome = Outcome::undone)
        : DatabaseError(text, code), outcome_(outcome) {}

    /// Whether Database may run the same transaction again at once.
    bool is_repeatable() const { return outcome_ == Outcome::repeatable; }

    /// Whether the change may have been committed.
    bool is_in_doubt() const { return outcome_ == Outcome::in_doubt; }

 private:
    Outcome outcome_;
};

/// A value is larger than the server takes in one statement (its max_allowed_packet). Thrown before
/// the statement is sent, because the server would close the connection. fcgi/http answers 413.
class TooLargeForDatabase : public DatabaseError {
 public:
    using DatabaseError::DatabaseError;
};

}  // namespace provisioner::store
