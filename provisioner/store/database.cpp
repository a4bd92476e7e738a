#include "provisioner/store/database.hpp"

#include <cppdb/backend.h>
#include <cppdb/frontend.h>
#include <cppdb/pool.h>

namespace provisioner::store {

namespace {

std::string connection_string(const base::Config& config) {
    std::string text = "mysql:";
    if (const std::string socket = config.get_or("database.socket", ""); !socket.empty()) {
        text += "unix_socket='" + socket + "';";
    } else {
        text += "host='" + config.get("database.host") +
                "';port=" + std::to_string(config.number_or("database.port", 3306)) + ";";
    }
    text += "database='" + config.get("database.name") + "';user='" + config.get("database.user") +
            "';password='" + config.get_or("database.password", "") + "';";
    // Client-side escaping saves a round trip per statement.
    text += "set_charset_name=utf8mb4;@use_prepared=off;@pool_size=" +
            std::to_string(config.number_or("database.pool", 8));
    return text;
}

void prepare_session(cppdb::session& session) {
    session << "SET time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'"
            << cppdb::exec;
}

// CppDB gives text only. These two are retried because their transaction certainly did not commit:
// the first fails on the first statement of a connection that had been idle, the second was rolled
// back by the server.
bool is_stale_connection(const std::string& message) {
    return message.find("gone away") != std::string::npos;
}
bool is_too_large(const std::string& message) {
    return message.find("max_allowed_packet") != std::string::npos;
}
bool is_deadlock(const std::string& message) {
    return message.find("Deadlock found") != std::string::npos;
}

constexpr int max_tries = 4;

}  // namespace

struct Database::Pool {
    cppdb::pool::pointer sessions;
};

Database::Database(const base::Config& config)
    : pool_(std::make_unique<Pool>()), vault_(config.get_or("secrets.keys", "")) {
    pool_->sessions = cppdb::pool::create(connection_string(config));
}

Database::~Database() = default;

bool Database::answers() {
    try {
        cppdb::session session(pool_->sessions->open());
        cppdb::result one = session << "SELECT 1";
        return one.next();
    } catch (const cppdb::cppdb_error&) {
        return false;
    }
}

void Database::with_connection(const std::function<void(Connection&)>& work, Mode mode) {
    for (int tries = 1;; ++tries) {
        try {
            cppdb::session session(pool_->sessions->open());
            session.once(prepare_session);
            Connection connection(session, vault_);
            if (mode == Mode::statement) {
                work(connection);
                return;
            }
            cppdb::transaction transaction(session);
            work(connection);
            if (mode == Mode::change) transaction.commit();
            return;
        } catch (const cppdb::cppdb_error& error) {
            const std::string message = error.what();
            if (is_stale_connection(message)) pool_->sessions->clear();
            const bool retry = is_stale_connection(message) || is_deadlock(message);
            if (retry && tries < max_tries) continue;
            // A server that gets too much mostly hangs up without a word.
            const bool hung_up = is_stale_connection(message) && mode == Mode::change && answers();
            if (is_too_large(message) || hung_up) throw TooLargeForDatabase(message);
            throw DatabaseError(message);
        }
    }
}

}  // namespace provisioner::store
