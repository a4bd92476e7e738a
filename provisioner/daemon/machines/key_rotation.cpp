#include "provisioner/daemon/machines/key_rotation.hpp"

#include <algorithm>
#include <map>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "provisioner/base/utf8.hpp"
#include "provisioner/daemon/machines/key_scripts.hpp"
#include "provisioner/daemon/tasks/machine_spec.hpp"
#include "provisioner/daemon/tasks/redact.hpp"
#include "provisioner/daemon/tasks/tail.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/operations/machines/login_keys.hpp"
#include "provisioner/store/clusters/work_store.hpp"
#include "provisioner/store/machines/login_key_store.hpp"

namespace provisioner::daemon {

namespace asio = boost::asio;

namespace {

constexpr int nodes_at_once = 32;
constexpr std::chrono::milliseconds rotation_turn{100};
constexpr int most_doublings = 6;
constexpr std::size_t longest_key_message = 900;

std::chrono::seconds pause_after_tries(int tries) {
    return timing::login_key_pause * (1 << std::min(tries, most_doublings));
}

}  // namespace

struct KeyRotation::Target {
    model::NodeLogin row;
    model::Account account;
    model::Node node;
    const providers::Provider* provider = nullptr;
    /// The key that the row names, and the others that the node may have.
    LoginKey wanted{};
    std::vector<LoginKey> older{};
    /// Why there can be no try; empty if there can.
    std::string problem{};
    bool has_ended = false;

    std::vector<std::string> older_public_keys() const {
        std::vector<std::string> keys;
        for (const LoginKey& key : older) keys.push_back(key.public_key);
        return keys;
    }
};

KeyRotation::KeyRotation(Settings settings, store::Database& database,
                         const providers::Registry& providers, remote::Connector& connector,
                         const LoginKeys& keys, const base::Log& log)
    : settings_(std::move(settings)),
      database_(database),
      providers_(providers),
      connector_(connector),
      keys_(keys),
      log_(log) {
    for (const model::PluginType& type : providers.types()) {
        if (type.login_keys) types_.push_back(type.header.name);
    }
}

std::vector<KeyRotation::Target> KeyRotation::take() {
    return database_.write([&](store::Connection& connection) {
        std::vector<Target> targets;
        std::map<model::ClusterId, std::optional<store::ClusterWork>> clusters;
        for (model::NodeLogin& row :
             store::take_node_logins(connection, types_, nodes_at_once, timing::login_key_hold)) {
            Target target;
            target.row = std::move(row);
            const auto [cluster, is_new] = clusters.try_emplace(target.row.cluster);
            if (is_new) cluster->second = store::find_work(connection, target.row.cluster);
            if (!cluster->second) continue;
            const auto& nodes = cluster->second->nodes;
            const auto node = std::find_if(nodes.begin(), nodes.end(), [&](const auto& one) {
                return one.id == target.row.node;
            });
            if (node == nodes.end()) continue;
            target.node = *node;
            try {
                target.account =
                    operations::opened_account(connection.vault(), cluster->second->cluster);
                target.account.installation = settings_.installation;
                settings_.add_files(connection, target.account);
            } catch (const identity::VaultError& error) {
                target.problem = error.what();
            }
            target.provider = providers_.find(target.account.provider_type);
            targets.push_back(std::move(target));
        }
        return targets;
    });
}

// The targets do not move while coroutines refer to them. The loop is destroyed before them, and
// unfinished tries with it, when the daemon ends or the time is over.
void KeyRotation::run() {
    if (!database_.look(store::is_login_key_due)) return;
    std::vector<Target> targets = take();
    const auto until = std::chrono::steady_clock::now() + timing::login_key_patience;
    {
        asio::io_context loop{1};
        for (Target& target : targets) {
            asio::co_spawn(loop, bring(target), [](const std::exception_ptr& broken) {
                if (broken) std::rethrow_exception(broken);
            });
        }
        while (!loop.stopped() && !settings_.stopping() &&
               std::chrono::steady_clock::now() < until) {
            loop.run_for(rotation_turn);
        }
    }
    if (settings_.stopping()) return;
    for (Target& target : targets) {
        if (!target.has_ended) note_failure(target, "the node did not answer in time");
    }
    settle();
}

void KeyRotation::settle() {
    for (const model::LoginKeyRow& key : operations::settle_login_keys(database_)) {
        const bool is_retired = key.state == model::LoginKeyState::retired;
        log_.info(
            is_retired ? "login_key.retired" : "login_key.spread",
            {{"key", key.id.value}, {"tenant", key.tenant.value}, {"provider", key.provider}});
    }
}

asio::awaitable<void> KeyRotation::bring(Target& target) {
    std::string failure = target.problem;
    try {
        if (failure.empty() && target.provider == nullptr) {
            failure = "this daemon has no provider of type " + target.account.provider_type;
        }
        if (failure.empty()) {
            for (LoginKey& key : keys_.all_of(target.account, target.provider->is_shared())) {
                target.older.push_back(std::move(key));
            }
            target.wanted = std::move(target.older.front());
            target.older.erase(target.older.begin());
            const auto& known = target.account.login_keys;
            const bool is_wanted = std::any_of(known.begin(), known.end(), [&](const auto& key) {
                return key.id == target.row.key && key.public_key == target.wanted.public_key;
            });
            if (!is_wanted) failure = "another key is wanted meanwhile";
        }
        if (failure.empty()) co_await add_key(target);
    } catch (const std::exception& error) {
        failure = error.what();
    }
    if (!failure.empty()) note_failure(target, failure);
}

asio::awaitable<std::shared_ptr<remote::Session>> KeyRotation::connect(const Target& target,
                                                                       bool with_new,
                                                                       bool with_older) {
    remote::Endpoint endpoint = endpoint_of(target.account, target.node, keys_, *target.provider);
    std::vector<base::Secret> keys;
    if (with_new) keys.push_back(target.wanted.private_key);
    if (with_older) {
        for (const LoginKey& key : target.older) keys.push_back(key.private_key);
    }
    endpoint.private_key = keys.front();
    keys.erase(keys.begin());
    endpoint.other_keys = std::move(keys);
    auto connecting = connector_.connect(endpoint, timing::connect_patience);
    auto session = co_await std::move(connecting);
    co_return session;
}

asio::awaitable<void> KeyRotation::add_key(Target& target) {
    const KeyChange change{
        .user = endpoint_of(target.account, target.node, keys_, *target.provider).user,
        .key = target.wanted.public_key,
        .older = target.older_public_keys()};
    std::shared_ptr<remote::Session> session;
    try {
        auto trying = connect(target, true, false);
        session = co_await std::move(trying);
    } catch (const remote::LoginRefused&) {
        // It has an older one.
    }
    if (!session) {
        if (target.older.empty()) throw remote::LoginRefused("the node refuses the key");
        auto opening = connect(target, false, true);
        session = co_await std::move(opening);
        std::string script = add_key_script(change);
        auto adding = run_script(target, *session, "add the new login key", std::move(script), 0);
        co_await std::move(adding);
        note(target, model::LoginStep::added);
        auto trying = connect(target, true, false);
        session = co_await std::move(trying);
    }
    note(target, model::LoginStep::tried);
    if (!target.older.empty()) {
        std::string script = remove_keys_script(change);
        auto removing =
            run_script(target, *session, "take older login keys away", std::move(script), 1);
        co_await std::move(removing);
        bool is_refused = false;
        try {
            auto trying = connect(target, false, true);
            co_await std::move(trying);
        } catch (const remote::LoginRefused&) {
            is_refused = true;
        }
        if (!is_refused) throw std::runtime_error("the node still takes an older key");
    }
    note(target, model::LoginStep::done);
    target.has_ended = true;
}

asio::awaitable<void> KeyRotation::run_script(const Target& target, remote::Session& session,
                                              std::string label, std::string script, int number) {
    remote::Run step;
    step.label = std::move(label);
    step.script = std::move(script);
    step.limit = timing::login_key_step;
    remote::StepKey key;
    key.name = "login_key_" + std::to_string(target.row.key.value) + "-" +
               std::to_string(target.row.tries + 1) + "-" + std::to_string(number);
    key.fence = 1;
    Tail err;
    const remote::OutputSink sink = [&err](remote::Stream stream, std::string_view text) {
        if (stream == remote::Stream::err) err.add(text);
    };
    auto running = session.run(step, key, sink);
    const remote::RunResult result = co_await std::move(running);
    if (result.exit_code != 0) {
        throw std::runtime_error(step.label + " ended with exit code " +
                                 std::to_string(result.exit_code) + ": " + err.last_line());
    }
}

void KeyRotation::note(Target& target, model::LoginStep step) {
    target.row.step = step;
    database_.write(
        [&](store::Connection& connection) { store::save_login_step(connection, target.row); });
}

void KeyRotation::note_failure(Target& target, const std::string& reason) {
    target.has_ended = true;
    target.row.message = std::string(base::utf8_prefix(
        base::to_utf8(redacted(reason, target.account.secrets)), longest_key_message));
    const auto pause = pause_after_tries(target.row.tries);
    database_.write([&](store::Connection& connection) {
        store::save_login_failure(connection, target.row, pause);
    });
    log_.warn("login_key.node_failed", {{"key", target.row.key.value},
                                        {"node", target.row.hostname},
                                        {"cluster", model::wire_id(target.row.cluster)},
                                        {"reason", target.row.message},
                                        {"again_in_s", pause.count()}});
}

}  // namespace provisioner::daemon
