#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/statements/many_rows.hpp"

namespace sql {
class Connection;
class PreparedStatement;
class ResultSet;
}  // namespace sql

/// Helpers of Connector/C++ for statements about many rows. All of them run inside whatever
/// transaction is open and throw sql::SQLException; none of them retries.
namespace provisioner::queue {

using statements::repeated;
using statements::rows_per_statement;

/// Bytes from which a statement's values are split. Servers refuse packets above
/// max_allowed_packet, 16 MiB or more by default.
constexpr std::size_t one_packet = std::size_t{1024} * 1024;

/// Calls `work` with successive spans of `all`, in order, each of 1 to rows_per_statement elements;
/// not at all when `all` is empty. The spans point into `all`.
template <class Element, class Work>
void in_parts(const std::vector<Element>& all, Work&& work) {
    const std::span<const Element> rest(all);
    for (std::size_t from = 0; from < rest.size(); from += rows_per_statement) {
        work(rest.subspan(from, std::min(rows_per_statement, rest.size() - from)));
    }
}

/// Text of ids for an IN list: "1, 2, 3". `id_of` returns the number of an element. Empty for no
/// ids: "IN ()" is no valid SQL, so callers check first.
template <class Ids, class Project>
std::string id_list(const Ids& ids, Project&& id_of) {
    std::string text;
    for (const auto& element : ids) {
        if (!text.empty()) text += ", ";
        text += std::to_string(id_of(element));
    }
    return text;
}

/// The same for plain numbers.
inline std::string id_list(std::span<const long long> ids) {
    return id_list(ids, [](long long id) { return id; });
}

/// Runs a statement without parameters. Returns the server's count of affected rows: an UPDATE may
/// not count rows it left as they were. A DELETE that finds no rows is sent twice here and in
/// execute_with, see statements::is_sent_twice.
int execute(sql::Connection& connection, const std::string& statement);

/// Runs a statement whose only parameter is `text`, as a prepared statement: text from outside
/// never becomes part of the SQL.
void execute_with(sql::Connection& connection, const std::string& statement,
                  const std::string& text);

/// Runs a DELETE of one table whose parameters are bound. Sent twice as well when it finds no rows.
/// Returns the rows that it deleted.
int execute_deletion(sql::PreparedStatement& deletion);

/// Calls `use` with the elements as JSON arrays, in order, for JSON_TABLE. An array ends with the
/// element that brings it to one_packet bytes, so a large element makes a longer one. The number of
/// elements is not limited; not called when there are none.
template <class Use>
void in_packets(const std::vector<base::Json>& elements, Use&& use) {
    std::string text;
    for (const base::Json& element : elements) {
        text += (text.empty() ? "[" : ",") + base::to_text(element);
        if (text.size() < one_packet) continue;
        use(text + "]");
        text.clear();
    }
    if (!text.empty()) use(text + "]");
}

/// Runs a query without parameters. The rows are buffered in memory and do not need the connection
/// any more. Sent twice when it finds no rows, see statements::is_sent_twice.
std::unique_ptr<sql::ResultSet> select(sql::Connection& connection, const std::string& query);
/// The same for a prepared statement whose parameters are bound.
std::unique_ptr<sql::ResultSet> select(sql::PreparedStatement& query);

}  // namespace provisioner::queue
