#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "provisioner/base/config.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// How long one statement of a worker may take before its connection counts as lost. The server
/// rolls back what it was about.
constexpr std::chrono::seconds statement_limit{20};

/// A connection of Connector/C++ with UTC, strict mode and READ COMMITTED, from the settings
/// store::Database reads too. One thread at a time. Throws sql::SQLException when the server cannot
/// be reached. A statement that has no answer after `limit` fails, and the connection with it.
std::unique_ptr<sql::Connection> connect(const base::Config& config,
                                         std::chrono::seconds limit = statement_limit);

/// The same without choosing the database, for the program that creates it.
std::unique_ptr<sql::Connection> connect_to_server(const base::Config& config);

}  // namespace provisioner::queue
