#pragma once

#include <string_view>

namespace provisioner::statements {

/// How a statement begins, without blanks and line ends.
constexpr std::string_view opening(std::string_view statement) {
    const std::size_t begin = statement.find_first_not_of(" \n");
    return begin == std::string_view::npos ? std::string_view() : statement.substr(begin);
}

/// Whether a statement is a DELETE of one table or a SELECT. One that finds no rows has to be sent
/// again: the server may not have looked. MariaDB (10.11) answers a DELETE, when it is killed (KILL
/// QUERY) before its first row, at times as if there were no such rows, and not with error 1317;
/// nothing else tells the two apart. To send it again is harmless, for the first one has changed
/// nothing. No other kind of change does this, nor a DELETE of several tables. Of a SELECT it is
/// suspected: two answers were empty under kills (tests/job/survives_killed_queries.py), which
/// could not be repeated. A SELECT of sums has always a row, so that this does not help it. Tests:
/// tests/integration/provisioner/store/database/failures_test.cpp.
constexpr bool is_sent_twice(std::string_view statement) {
    const std::string_view begin = opening(statement);
    return begin.starts_with("DELETE FROM") || begin.starts_with("SELECT") ||
           begin.starts_with("WITH ");
}

}  // namespace provisioner::statements
