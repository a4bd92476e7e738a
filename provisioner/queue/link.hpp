#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "provisioner/base/config.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// How long one statement may take before its connection counts as lost. The server then rolls the
/// open transaction back, at once or when it notices that the client is gone.
constexpr std::chrono::seconds statement_limit{20};

/// Opens a connection of Connector/C++ to the installation's database: UTC, strict SQL mode, READ
/// COMMITTED, utf8mb4. Reads the settings of connection/settings.hpp, as store::Database does.
/// Hosts are tried in the order of connection/order.hpp; each costs at most its time to open.
///
/// `limit` is the longest time for the answer to one statement. After it the statement fails and
/// the connection is unusable. A row lock is waited for half as long, but 1 to 10 s. Opening may
/// take `limit`, but 1 to 5 s. MariaDB also ends a transaction that is idle for 20 s, so that a
/// stopped daemon does not keep its locks.
///
/// Any thread may call this; the connection is for one thread at a time. Throws sql::SQLException
/// when no server can be reached or each refuses the user, with the reason of each, and
/// std::runtime_error for settings that are missing or wrong.
std::unique_ptr<sql::Connection> connect(const base::Config& config,
                                         std::chrono::seconds limit = statement_limit);

/// Like connect(), but selects no database: for cooperage-migrate, which creates it.
std::unique_ptr<sql::Connection> connect_to_server(const base::Config& config);

}  // namespace provisioner::queue
