#include <cppdb/frontend.h>
#include <cppdb/pool.h>

#include "provisioner/connection/options_file.hpp"
#include "provisioner/statements/database_errors.hpp"
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

/// CppDB has no error numbers.
bool is_access_denied(const cppdb::cppdb_error& error) {
    return std::string_view(error.what()).find("Access denied for user") != std::string_view::npos;
}

}  // namespace

struct Sessions::Pool {
    std::shared_ptr<connection::OptionsFile> options;
    cppdb::pool::pointer pool;
};

Sessions::Sessions(const base::Config& config, const Patience& patience)
    : config_(config), patience_(patience) {
    const connection::Settings settings = connection::settings_of(config);
    addresses_ = settings.addresses;
    make_pools(settings);
}

Sessions::~Sessions() = default;

void Sessions::make_pools(const connection::Settings& settings) {
    std::vector<Pool> pools;
    for (const connection::Address& address : addresses_) {
        auto options =
            std::make_shared<connection::OptionsFile>(connection::options_text(settings, address));
        const std::string text =
            connection_string(config_, settings, address, options->path(), patience_);
        pools.push_back({std::move(options), cppdb::pool::create(text)});
    }
    pools_ = std::move(pools);
    password_ = settings.password;
}

std::unique_ptr<Session> Sessions::open() {
    if (addresses_.size() == 1) return open_at(0);
    connection::Reasons reasons;
    int code = 0;
    for (const std::size_t number : connection::order_of(addresses_)) {
        try {
            auto session = open_at(number);
            connection::note_that_works(addresses_, number);
            return session;
        } catch (const DatabaseUnavailable& error) {
            reasons.add(addresses_[number], error.what());
            if (error.code() == statements::access_denied) code = error.code();
            const std::lock_guard lock(mutex_);
            pools_[number].pool->clear();
        }
    }
    throw DatabaseUnavailable(reasons.text(), code, DatabaseUnavailable::Outcome::repeatable);
}

std::unique_ptr<Session> Sessions::open_at(std::size_t number) {
    std::unique_ptr<Session> session(new Session(connect(number)));
    session->set_up(patience_, connection::probes_for(addresses_[number], addresses_.size()));
    return session;
}

std::unique_ptr<cppdb::session> Sessions::connect(std::size_t number) {
    const auto unavailable = [&](const cppdb::cppdb_error& error, int code) {
        return DatabaseUnavailable(connection::explained(message_of(error), addresses_[number]),
                                   code, DatabaseUnavailable::Outcome::repeatable);
    };
    try {
        return pooled(number);
    } catch (const cppdb::cppdb_error& error) {
        if (!is_access_denied(error)) throw unavailable(error, 0);
        if (!take_new_password()) throw unavailable(error, statements::access_denied);
    }
    try {
        return pooled(number);
    } catch (const cppdb::cppdb_error& error) {
        throw unavailable(error, is_access_denied(error) ? statements::access_denied : 0);
    }
}

// The pool's memory file must not be closed while it connects, so it is kept beside the pointer.
std::unique_ptr<cppdb::session> Sessions::pooled(std::size_t number) {
    cppdb::pool::pointer pool;
    std::shared_ptr<connection::OptionsFile> options;
    {
        const std::lock_guard lock(mutex_);
        pool = pools_[number].pool;
        options = pools_[number].options;
    }
    return std::make_unique<cppdb::session>(pool->open());
}

// Several threads may be refused at once: the second finds the password that the first has taken.
bool Sessions::take_new_password() {
    const std::lock_guard lock(mutex_);
    try {
        const connection::Settings settings = connection::settings_of(config_);
        if (settings.password == password_) return false;
        make_pools(settings);
        return true;
    } catch (const std::runtime_error&) {
        // The file is just being replaced, or cannot be read: the caller tries again.
        return false;
    }
}

void Sessions::clear() {
    const std::lock_guard lock(mutex_);
    for (Pool& pool : pools_) pool.pool->clear();
}

}  // namespace provisioner::store
