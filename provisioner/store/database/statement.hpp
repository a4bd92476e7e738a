#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cppdb {
class result;
class statement;
}  // namespace cppdb

namespace provisioner::store {

class Rows;
class Session;

/// `<< exec` runs a change.
struct Exec {};
constexpr Exec exec{};

/// `<< one_row` runs a read that always has a row and moves to it. Throws std::logic_error without
/// a row.
struct OneRow {};
constexpr OneRow one_row{};

/// Types that can be bound to a `?`. NULL cannot be bound: statements say NULLIF(?, '') or
/// NULLIF(?, 0).
template <class Value>
concept Bindable = std::integral<Value> || std::convertible_to<Value, std::string_view>;

/// A statement and the values of its `?`, in order:
///
///     connection.sql("UPDATE job SET status = ? WHERE id = ?") << status << job.value << exec;
///     Rows row = connection.sql("SELECT name FROM job WHERE id = ?") << job.value;
///     while (row.next()) names.push_back(row.get<std::string>("name"));
///     Rows count = connection.sql("SELECT COUNT(*) AS jobs FROM job") << one_row;
///
/// Values go into a statement only by `?`, never as a part of the text. They are copied when they
/// are bound, so temporaries may be bound. Running it throws DatabaseError or DatabaseUnavailable,
/// and TooLargeForDatabase before anything is sent. The Connection must outlive it. For one thread
/// at a time, like its Session.
class Statement {
 public:
    /// `text` has one `?` per value. Throws the session's first error after a failed statement.
    Statement(Session& session, const std::string& text);
    ~Statement();
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&&) = delete;

    /// Binds the next `?`.
    template <Bindable Value>
    Statement& operator<<(const Value& value) & {
        bind(value);
        return *this;
    }
    template <Bindable Value>
    Statement&& operator<<(const Value& value) && {
        bind(value);
        return std::move(*this);
    }

    /// For a read that usually finds nothing, after a long look, and of which nobody is harmed by a
    /// wrong "nothing" while statements are killed: it is not sent twice. Before values are bound.
    Statement&& once() && {
        is_sent_twice_ = false;
        return std::move(*this);
    }

    /// Runs a change; see exec().
    void operator<<(Exec) { exec(); }
    /// Runs a read and moves to its first row.
    Rows operator<<(OneRow);

    /// Runs a change. Throws std::logic_error in a transaction of Database::read. A DELETE that
    /// finds no rows is sent twice, see statements::is_sent_twice.
    void exec();

    /// Runs a read; one that finds no rows is sent twice, too, unless once() was said. The whole
    /// result is in memory when this returns, so limit reads of many rows.
    Rows query();
    operator Rows();  // NOLINT(google-explicit-constructor): `Rows row = ... << value`

    /// Rows the change modified; rows that already had the new values do not count. INSERT ... ON
    /// DUPLICATE KEY UPDATE counts an updated row twice.
    std::int64_t affected() const { return affected_; }

    /// AUTO_INCREMENT value of the first inserted row; valid after exec().
    std::int64_t last_insert_id() const { return last_insert_id_; }

 private:
    /// Integers of any width, sent as BIGINT.
    template <std::integral Number>
    void bind(Number value) {
        bind_number(static_cast<std::int64_t>(value));
    }
    /// Text, or bytes after `_binary` in the statement.
    void bind(std::string_view value);
    void bind_number(std::int64_t value);
    /// Throws TooLargeForDatabase when the statement exceeds max_allowed_packet.
    void check_size() const;

    /// Binds the values once more, after the statement was sent.
    void bind_again();
    /// Sends a read. Throws when it has failed among its rows.
    std::unique_ptr<cppdb::result> complete_result();

    /// Must outlive the statement.
    Session& session_;
    std::unique_ptr<cppdb::statement> statement_;
    /// Its values are kept, then.
    bool is_sent_twice_ = false;
    std::vector<std::function<void(cppdb::statement&)>> values_;
    /// Bytes to send, at most: text, values and the characters that escaping adds.
    std::size_t size_ = 0;
    /// Both are set by exec().
    std::int64_t affected_ = 0;
    std::int64_t last_insert_id_ = 0;
};

/// Result of a read, always complete: a read that fails among its rows throws, where CppDB's own
/// result would be empty. Outlives its Statement but not its Connection. The only way to read.
class Rows {
 public:
    ~Rows();
    Rows(Rows&&) noexcept;
    Rows& operator=(Rows&&) = delete;

    /// Moves to the next row, at first to the first one. False at the end. Columns can be read only
    /// after it returned true.
    bool next();

    /// Whether the column of the current row is NULL. Throws std::logic_error for an unknown
    /// column.
    bool is_null(const std::string& name);

    /// A column of the current row, by name. `Value` is int, std::int64_t, long long or
    /// std::string. Throws std::logic_error where there is no row, no such column or NULL.
    template <class Value>
    Value get(const std::string& name);

    /// The number of columns.
    int columns();

    /// Text of a column, counted from 0. NULL: returns false and leaves `text` unchanged.
    bool fetch(int column, std::string& text);

 private:
    friend class Statement;

    /// The result stands at its first row already, if it has one.
    Rows(std::unique_ptr<cppdb::result> result, bool is_at_a_row);

    /// Throws std::logic_error where there is no row.
    cppdb::result& row();

    std::unique_ptr<cppdb::result> result_;
    /// Whether there is a first row, until next() has moved to it.
    std::optional<bool> first_;
    /// Whether the last next() returned true.
    bool has_row_ = false;
};

template <>
int Rows::get<int>(const std::string& name);
template <>
long Rows::get<long>(const std::string& name);
template <>
long long Rows::get<long long>(const std::string& name);
template <>
std::string Rows::get<std::string>(const std::string& name);

}  // namespace provisioner::store
