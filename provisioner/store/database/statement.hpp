#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

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

/// Types that can be bound to a `?`.
template <class Value>
concept Bindable = std::integral<Value> || std::convertible_to<Value, std::string_view>;

/// A statement and the values of its `?`, in order:
///
///     connection.sql("UPDATE job SET status = ? WHERE id = ?") << status << job.value << exec;
///     Rows row = connection.sql("SELECT name FROM job WHERE id = ?") << job.value;
///     Rows row = connection.sql("SELECT COUNT(*) AS jobs FROM job") << one_row;
///
/// Values are copied when they are bound. Running it throws DatabaseError or DatabaseUnavailable,
/// and TooLargeForDatabase before anything is sent. The connection must outlive it.
class Statement {
 public:
    Statement(Session& session, const std::string& text);
    ~Statement();
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&&) = delete;

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

    void operator<<(Exec) { exec(); }
    Rows operator<<(OneRow);

    /// Runs a change. Throws std::logic_error in a transaction of Database::read.
    void exec();

    /// Runs a read.
    Rows query();
    operator Rows();  // NOLINT(google-explicit-constructor): `Rows row = ... << value`

    /// Rows the change modified; rows that already had the new values do not count.
    std::int64_t affected() const { return affected_; }

    /// AUTO_INCREMENT value of the first inserted row.
    std::int64_t last_insert_id() const { return last_insert_id_; }

 private:
    template <std::integral Number>
    void bind(Number value) {
        bind_number(static_cast<std::int64_t>(value));
    }
    void bind(std::string_view value);
    void bind_number(std::int64_t value);
    void check_size() const;

    Session& session_;
    std::unique_ptr<cppdb::statement> statement_;
    /// Bytes to send: text, values and what escaping adds.
    std::size_t size_ = 0;
    std::int64_t affected_ = 0;
    std::int64_t last_insert_id_ = 0;
};

/// Result of a read, always complete: a read that fails among its rows throws, where CppDB's own
/// result would be empty. The only way to read.
class Rows {
 public:
    ~Rows();
    Rows(Rows&&) noexcept;
    Rows& operator=(Rows&&) = delete;

    /// Moves to the next row, at first to the first one. False at the end.
    bool next();

    bool is_null(const std::string& name);

    /// int, std::int64_t, long long or std::string. Throws std::logic_error where there is no row,
    /// no such column or NULL.
    template <class Value>
    Value get(const std::string& name);

    int columns();

    /// Text of a column, counted from 0. NULL: returns false and leaves `text` unchanged.
    bool fetch(int column, std::string& text);

 private:
    friend class Statement;

    explicit Rows(std::unique_ptr<cppdb::result> result);

    /// Throws std::logic_error where there is no row.
    cppdb::result& row();

    std::unique_ptr<cppdb::result> result_;
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
