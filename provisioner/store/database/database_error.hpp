#pragma once

#include <stdexcept>
#include <string>

namespace provisioner::store {

/// The database refused a statement: the statement is wrong or violates a constraint. The text is
/// the server's; do not show it to users.
class DatabaseError : public std::runtime_error {
 public:
    /// `code` is the server's error number; 0 where there is none.
    explicit DatabaseError(const std::string& text, int code = 0)
        : std::runtime_error(text), code_(code) {}

    /// The server's error number, or 0.
    int code() const { return code_; }

 private:
    int code_;
};

/// The database cannot run the transaction now: it is away, full, read-only or too busy, or the
/// statement was killed. Nothing was changed unless `is_in_doubt`.
class DatabaseUnavailable : public DatabaseError {
 public:
    /// Outcome of the transaction.
    enum class Outcome {
        /// Not committed; an immediate retry would fail again.
        undone,
        /// Not committed; an immediate retry may succeed.
        repeatable,
        /// Unknown: the commit was interrupted.
        in_doubt,
    };

    explicit DatabaseUnavailable(const std::string& text, int code = 0,
                                 Outcome outcome = Outcome::undone)
        : DatabaseError(text, code), outcome_(outcome) {}

    bool is_repeatable() const { return outcome_ == Outcome::repeatable; }

    /// Whether the change may have been committed.
    bool is_in_doubt() const { return outcome_ == Outcome::in_doubt; }

 private:
    Outcome outcome_;
};

/// What was to be written is larger than the server takes in one statement (its
/// max_allowed_packet). Nothing was written.
class TooLargeForDatabase : public DatabaseError {
 public:
    using DatabaseError::DatabaseError;
};

}  // namespace provisioner::store
