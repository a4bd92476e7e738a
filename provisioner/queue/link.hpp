#pragma once

#include <memory>
#include <string>

#include "provisioner/base/config.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// A connection of Connector/C++ with UTC, strict mode and READ COMMITTED, from the settings
/// store::Database reads too. One thread at a time. Throws sql::SQLException when the server cannot
/// be reached.
std::unique_ptr<sql::Connection> connect(const base::Config& config);

/// The same without choosing the database, for the program that creates it.
std::unique_ptr<sql::Connection> connect_to_server(const base::Config& config);

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

}  // namespace provisioner::queue
