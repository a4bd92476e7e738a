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

}  // namespace provisioner::queue
