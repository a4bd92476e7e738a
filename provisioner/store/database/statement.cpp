#include "provisioner/store/database/statement.hpp"

#include <cppdb/frontend.h>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <optional>
#include <stdexcept>

#include "provisioner/statements/sent_twice.hpp"
#include "provisioner/store/database/session.hpp"

namespace provisioner::store {

namespace {

/// Bytes of a value in quotes after escaping, by the rules of mysql_real_escape_string.
std::size_t size_of_quoted(std::string_view value) {
    constexpr std::string_view escaped("\0\n\r\\'\"\x1a", 7);
    const auto more = std::count_if(value.begin(), value.end(), [&](char c) {
        return escaped.find(c) != std::string_view::npos;
    });
    return value.size() + static_cast<std::size_t>(more) + 2;
}

/// Runs `work` and translates what CppDB throws.
template <class Work>
auto run_on(Session& session, Work&& work) {
    try {
        return work();
    } catch (const cppdb::cppdb_error& error) {
        session.fail(error);
    }
}

/// The number that a text is as a whole; nothing for another one.
template <std::integral Number>
std::optional<Number> number_in(const std::string& text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [behind, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || behind != end) return std::nullopt;
    return number;
}

/// Value of a column; an error of CppDB is a bug here. CppDB reads numbers through a stream, which
/// costs more than all else that is done with a row.
template <class Value>
Value column_of(cppdb::result& row, const std::string& name) {
    try {
        if constexpr (std::integral<Value>) {
            if (const auto number = number_in<Value>(row.get<std::string>(name))) return *number;
        }
        return row.get<Value>(name);
    } catch (const cppdb::cppdb_error& error) {
        throw std::logic_error("column " + name + ": " + error.what());
    }
}

}  // namespace

Statement::Statement(Session& session, const std::string& text)
    : session_(session),
      statement_(std::make_unique<cppdb::statement>(session.prepare(text))),
      is_sent_twice_(statements::is_sent_twice(text)),
      size_(text.size()) {}

Statement::~Statement() = default;
Statement::Statement(Statement&& other) noexcept = default;

void Statement::bind(std::string_view value) {
    run_on(session_, [&] { statement_->bind(value.data(), value.data() + value.size()); });
    size_ += size_of_quoted(value);
    if (!is_sent_twice_) return;
    values_.emplace_back([kept = std::string(value)](cppdb::statement& statement) {
        statement.bind(kept.data(), kept.data() + kept.size());
    });
}

void Statement::bind_number(std::int64_t value) {
    constexpr std::size_t longest_number = 20;
    run_on(session_, [&] { statement_->bind(static_cast<long long>(value)); });
    size_ += longest_number;
    if (!is_sent_twice_) return;
    values_.emplace_back(
        [value](cppdb::statement& statement) { statement.bind(static_cast<long long>(value)); });
}

// The server closes the connection when a statement is too large, which looks like an outage.
void Statement::check_size() const {
    if (size_ <= session_.largest_statement()) return;
    throw TooLargeForDatabase("a statement of " + std::to_string(size_) +
                              " bytes; max_allowed_packet allows " +
                              std::to_string(session_.largest_statement()));
}

void Statement::exec() {
    if (session_.only_reads()) throw std::logic_error("a change where only reads are allowed");
    check_size();
    run_on(session_, [&] {
        statement_->exec();
        if (is_sent_twice_ && statement_->affected() == 0) {
            bind_again();
            statement_->exec();
        }
        affected_ = static_cast<std::int64_t>(statement_->affected());
        last_insert_id_ = statement_->last_insert_id();
    });
}

void Statement::bind_again() {
    statement_->reset();
    for (const auto& bind_value : values_) bind_value(*statement_);
}

std::unique_ptr<cppdb::result> Statement::complete_result() {
    auto result = std::make_unique<cppdb::result>(statement_->query());
    if (is_broken(*result)) session_.fail_among_rows();
    return result;
}

Rows Statement::query() {
    check_size();
    return run_on(session_, [&] {
        auto result = complete_result();
        bool has_row = result->next();
        if (is_sent_twice_ && !has_row) {
            bind_again();
            result = complete_result();
            has_row = result->next();
        }
        return Rows(std::move(result), has_row);
    });
}

Statement::operator Rows() {
    return query();
}

Rows Statement::operator<<(OneRow) {
    Rows rows = query();
    if (!rows.next()) throw std::logic_error("no row where there is always one");
    return rows;
}

Rows::Rows(std::unique_ptr<cppdb::result> result, bool is_at_a_row)
    : result_(std::move(result)), first_(is_at_a_row) {}
Rows::~Rows() = default;
Rows::Rows(Rows&&) noexcept = default;

bool Rows::next() {
    has_row_ = first_ ? *first_ : result_->next();
    first_.reset();
    return has_row_;
}

cppdb::result& Rows::row() {
    if (!has_row_) throw std::logic_error("a column of no row");
    return *result_;
}

bool Rows::is_null(const std::string& name) {
    try {
        return row().is_null(name);
    } catch (const cppdb::cppdb_error& error) {
        throw std::logic_error("column " + name + ": " + error.what());
    }
}

int Rows::columns() {
    return result_->cols();
}

bool Rows::fetch(int column, std::string& text) {
    return row().fetch(column, text);
}

template <>
int Rows::get<int>(const std::string& name) {
    return column_of<int>(row(), name);
}

template <>
long Rows::get<long>(const std::string& name) {
    return column_of<long>(row(), name);
}

template <>
long long Rows::get<long long>(const std::string& name) {
    return column_of<long long>(row(), name);
}

template <>
std::string Rows::get<std::string>(const std::string& name) {
    return column_of<std::string>(row(), name);
}

}  // namespace provisioner::store
