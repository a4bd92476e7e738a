#include <cppdb/frontend.h>
#include <cppdb/pool.h>

#include "provisioner/connection/options_file.hpp"
#include "provisioner/store/database/session.hpp"

namespace provisioner::store {

namespace {

/// In quotes for a connection string of CppDB.
std::string quoted(const std::string& text) {
    std::string all = "'";
    for (const char c : text) all += c == '\'' ? "''" : std::string(1, c);
    return all + "'";
}

std::string connection_string(const base::Config& config, const connection::Settings& settings,
                              const connection::Address& address, const std::string& options_file,
                              const Patience& patience) {
    std::string text = "mysql:";
    if (address.is_socket()) {
        text += "unix_socket=" + quoted(address.socket) + ";";
    } else {
        text += "host=" + quoted(address.host) + ";port=" + std::to_string(address.port) + ";";
    }
    text += "database=" + quoted(settings.database) + ";user=" + quoted(settings.user) +
            ";password=" + quoted(settings.password.reveal()) +
            ";read_default_file=" + quoted(options_file) +
            ";read_default_group=" + connection::options_group + ";";
    const std::string limit = std::to_string(patience.statement.count());
    text += "opt_connect_timeout=" + std::to_string(patience.connect.count()) +
            ";opt_read_timeout=" + limit + ";opt_write_timeout=" + limit + ";";
    // Client-side escaping saves a round trip per statement. Statement and is_broken depend on it:
    // values are copied when they are bound, and a result is complete or absent.
    text += "set_charset_name=utf8mb4;@use_prepared=off;@pool_size=" +
            std::to_string(config.number_or("database.pool", 8));
    return text;
}

}  // namespace

struct Sessions::Pool {
    connection::OptionsFile options;
    cppdb::pool::pointer pool;
};

Sessions::Sessions(const base::Config& config, const Patience& patience) : patience_(patience) {
    const connection::Settings settings = connection::settings_of(config);
    addresses_ = settings.addresses;
    for (const connection::Address& address : addresses_) {
        connection::OptionsFile options(connection::options_text(settings, address));
        const std::string text =
            connection_string(config, settings, address, options.path(), patience);
        pools_.push_back({std::move(options), cppdb::pool::create(text)});
    }
}

Sessions::~Sessions() = default;

std::unique_ptr<Session> Sessions::open() {
    if (addresses_.size() == 1) return open_at(0);
    connection::Reasons reasons;
    for (const std::size_t number : connection::order_of(addresses_)) {
        try {
            auto session = open_at(number);
            connection::note_that_works(addresses_, number);
            return session;
        } catch (const DatabaseUnavailable& error) {
            reasons.add(addresses_[number], error.what());
            pools_[number].pool->clear();
        }
    }
    throw DatabaseUnavailable(reasons.text(), 0, DatabaseUnavailable::Outcome::repeatable);
}

std::unique_ptr<Session> Sessions::open_at(std::size_t number) {
    std::unique_ptr<Session> session;
    try {
        session.reset(new Session(std::make_unique<cppdb::session>(pools_[number].pool->open())));
    } catch (const cppdb::cppdb_error& error) {
        throw DatabaseUnavailable(connection::explained(message_of(error), addresses_[number]), 0,
                                  DatabaseUnavailable::Outcome::repeatable);
    }
    session->set_up(patience_, connection::probes_for(addresses_[number], addresses_.size()));
    return session;
}

void Sessions::clear() {
    for (Pool& pool : pools_) pool.pool->clear();
}

}  // namespace provisioner::store
