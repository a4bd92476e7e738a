#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace provisioner::statements {

/// Most rows that one statement inserts, or ids in one IN list. More rows do not lower the cost per
/// row, and optimizers choose other plans for long lists. Callers split longer input into parts.
constexpr std::size_t rows_per_statement = 500;

/// `row` repeated `count` times, joined by ", ". Makes the placeholders of an IN list or of a
/// multi-row insert; values are bound afterwards, never written into the text.
///
///     "... WHERE id IN (" + repeated("?", 3) + ")"     ... WHERE id IN (?, ?, ?)
///     "... VALUES " + repeated("(?, ?)", 2)            ... VALUES (?, ?), (?, ?)
///
/// Empty for 0. An empty IN list is a syntax error, so callers return early then.
inline std::string repeated(std::string_view row, std::size_t count) {
    std::string text;
    text.reserve((row.size() + 2) * count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) text += ", ";
        text += row;
    }
    return text;
}

/// A statement with a list of so many `?` in brackets in the place of each `#`. As for repeated(),
/// the list is never empty.
inline std::string with_list(std::string statement, std::size_t length) {
    const std::string list = "(" + repeated("?", length) + ")";
    for (auto at = statement.find('#'); at != std::string::npos; at = statement.find('#', at)) {
        statement.replace(at, 1, list);
    }
    return statement;
}

}  // namespace provisioner::statements
