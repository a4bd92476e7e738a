#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace provisioner::statements {

/// How many rows one statement is about at most: beyond that it gets no cheaper for a row, and
/// servers begin to plan lists of ids in other ways.
constexpr std::size_t rows_per_statement = 500;

/// `row` so often, separated by commas: "?, ?, ?", or the VALUES of an insert of many rows.
inline std::string repeated(std::string_view row, std::size_t count) {
    std::string text;
    text.reserve((row.size() + 2) * count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) text += ", ";
        text += row;
    }
    return text;
}

}  // namespace provisioner::statements
