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
class ResultSet;
}  // namespace sql

namespace provisioner::queue {

using statements::repeated;
using statements::rows_per_statement;

/// Statements are kept to about so many bytes: servers refuse those of more than some 16 MB.
constexpr std::size_t one_packet = std::size_t{1024} * 1024;

/// Calls `work` with successive parts of `all`, none longer than rows_per_statement.
template <class Element, class Work>
void in_parts(const std::vector<Element>& all, Work&& work) {
    const std::span<const Element> rest(all);
    for (std::size_t from = 0; from < rest.size(); from += rows_per_statement) {
        work(rest.subspan(from, std::min(rows_per_statement, rest.size() - from)));
    }
}

/// A text of ids for an IN list: "1, 2, 3".
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

/// Runs a statement without parameters; returns how many rows it changed.
int execute(sql::Connection& connection, const std::string& statement);

/// Runs a statement with one parameter, a text.
void execute_with(sql::Connection& connection, const std::string& statement,
                  const std::string& text);

/// Calls `use` with JSON arrays of successive elements, none much longer than one_packet.
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

/// Runs a query without parameters.
std::unique_ptr<sql::ResultSet> select(sql::Connection& connection, const std::string& query);

}  // namespace provisioner::queue
