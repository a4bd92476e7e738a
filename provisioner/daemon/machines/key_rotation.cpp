#include "provisioner/daemon/machines/key_rotation.hpp"

#include <algorithm>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "provisioner/base/utf8.hpp"
#include "provisioner/daemon/machines/fair_slots.hpp"
#include "provisioner/daemon/machines/key_scripts.hpp"
#include "provisioner/daemon/redaction/redact.hpp"
#include "provisioner/daemon/tasks/machine_spec.hpp"
#include "provisioner/daemon/tasks/tail.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/operations/machines/login_keys.hpp"
#include "provisioner/store/clusters/work_store.hpp"
#include "provisioner/store/database/database_error.hpp"
#include "provisioner/store/machines/login_key_store.hpp"
#include "provisioner/store/machines/node_login_store.hpp"

namespace provisioner::daemon {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds rotation_turn{100};
/// How often other nodes are looked for while tries go on, and keys are settled.
constexpr std::chrono::seconds looking_turn{1};
/// Candidates that are looked at: with one of each of so many tenants.
constexpr int most_candidates = 2000;
/// Nodes that are enlisted in one transaction.
constexpr int most_enlisted = 500;
constexpr int most_doublings = 6;
constexpr std::size_t longest_key_message = 900;

std::chrono::seconds pause_after_tries(int tries) {
    return timing::login_key_pause * (1 << std::min(tries, most_doublings));
}

/// The row was lost meanwhile: to another key, or to another daemon.
struct NodeLost : std::runtime_error {
    NodeLost() : std::runtime_error("another key or another daemon has the node meanwhile") {}
};

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
    /// When it has lasted too long.
    Deadline until{};
    /// Whether its outcome is stored.
    bool has_ended = false;
    /// Whether nothing refers to it any more.
    bool is_over = false;

    /// Keys that are to be taken away: also those that cannot be opened any more.
    std::vector<std::string> older_public_keys() const {
        std::vector<std::string> all;
        for (const LoginKey& key : older) all.push_back(key.public_key);
        for (const model::OpenedLoginKey& key : account.login_keys) {
            const bool is_new = key.public_key != wanted.public_key &&
                                std::find(all.begin(), all.end(), key.public_key) == all.end();
            if (is_new) all.push_back(key.public_key);
        }
        return all;
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

KeyRotation::~KeyRotation() = default;

void KeyRotation::look_for_nodes() {
    const auto now = std::chrono::steady_clock::now();
    const bool is_time = !looked_ || now - *looked_ >= settings_.look_every;
    if (!is_time && !database_.look(store::has_unlisted_login_key)) return;
    looked_ = now;
    has_changed_ = true;
    for (int enlisted = most_enlisted; enlisted == most_enlisted;) {
        enlisted = database_.write([](store::Connection& connection) {
            return store::enlist_login_nodes(connection, most_enlisted);
        });
    }
}

std::vector<std::unique_ptr<KeyRotation::Target>> KeyRotation::take() {
    SlotsInUse in_use;
    int free = settings_.slots;
    for (const auto& target : targets_) {
        if (target->has_ended) continue;
        ++in_use[target->account.tenant];
        --free;
    }
    std::vector<std::unique_ptr<Target>> taken;
    if (free <= 0) return taken;
    const auto candidates = database_.read([&](store::Connection& connection) {
        return store::due_node_logins(connection, types_, settings_.slots_of_tenant,
                                      most_candidates);
    });
    std::vector<model::TenantId> tenants;
    for (const store::DueLogin& candidate : candidates) tenants.push_back(candidate.tenant);
    for (const std::size_t i : fair_slots(tenants, in_use, free, settings_.slots_of_tenant)) {
        auto row = database_.write([&](store::Connection& connection) {
            return store::take_node_login(connection, candidates[i].node, timing::login_key_hold);
        });
        if (!row) continue;
        taken.push_back(target_of(*std::move(row)));
        taken.back()->account.tenant = candidates[i].tenant;
    }
    return taken;
}

// What one node's rows say must not stop the others, whatever it is.
std::unique_ptr<KeyRotation::Target> KeyRotation::target_of(model::NodeLogin row) {
    auto target = std::make_unique<Target>();
    target->row = std::move(row);
    target->until = std::chrono::steady_clock::now() + settings_.patience;
    try {
        database_.read([&](store::Connection& connection) { open(connection, *target); });
    } catch (const store::DatabaseError&) {
        throw;
    } catch (const std::exception& error) {
        target->problem = error.what();
    }
    return target;
}

void KeyRotation::open(store::Connection& connection, Target& target) {
    const auto work = store::find_work(connection, target.row.cluster);
    if (!work) throw std::runtime_error("its cluster is gone");
    const auto find = [&](const std::vector<model::Node>& nodes) {
        const auto node = std::find_if(nodes.begin(), nodes.end(),
                                       [&](const auto& one) { return one.id == target.row.node; });
        if (node == nodes.end()) return false;
        target.node = *node;
        return true;
    };
    if (!find(work->nodes) && !find(work->leaving)) throw std::runtime_error("the node is gone");
    target.account = operations::opened_account(connection, work->cluster);
    target.account.installation = settings_.installation;
    settings_.add_files(connection, target.account);
    target.provider = providers_.find(target.account.provider_type);
    if (target.provider == nullptr) {
        throw std::runtime_error("this daemon has no provider of type " +
                                 target.account.provider_type);
    }
}

// A try that took too long is left alone and not ended: it is refused at its next step, and its
// last answer is awaited no longer than that takes.
void KeyRotation::clear_slots() {
    const auto now = std::chrono::steady_clock::now();
    for (const auto& target : targets_) {
        if (target->has_ended || now < target->until) continue;
        note_failure(*target, "the node did not answer in time");
    }
    std::erase_if(targets_, [](const auto& target) { return target->is_over; });
}

std::size_t KeyRotation::busy_slots() const {
    return static_cast<std::size_t>(std::count_if(
        targets_.begin(), targets_.end(), [](const auto& target) { return !target->has_ended; }));
}

// The loop is destroyed before the targets, and unfinished tries with it, also those of a run that
// was ended by an exception.
void KeyRotation::run() {
    const auto began = std::chrono::steady_clock::now();
    const bool is_time = !looked_ || began - *looked_ >= settings_.look_every;
    if (!is_time && !database_.look(store::is_login_key_due)) return;
    targets_.clear();
    asio::io_context loop{1};
    auto next_look = began;
    std::size_t busy = 0;
    for (;;) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= next_look || busy_slots() < busy) {
            look_for_nodes();
            for (auto& taken : take()) {
                Target& target = *targets_.emplace_back(std::move(taken));
                asio::co_spawn(loop, bring(target), [&target](const std::exception_ptr& broken) {
                    target.is_over = true;
                    if (broken) std::rethrow_exception(broken);
                });
            }
            next_look = now + looking_turn;
        }
        busy = busy_slots();
        if (busy == 0 || settings_.stopping()) break;
        loop.restart();
        loop.run_for(rotation_turn);
        clear_slots();
        if (has_changed_ && now - settled_ >= looking_turn) settle();
    }
    if (has_changed_ && !settings_.stopping()) settle();
}

void KeyRotation::settle() {
    has_changed_ = false;
    settled_ = std::chrono::steady_clock::now();
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
    } catch (const store::DatabaseError&) {
        throw;
    } catch (const NodeLost& lost) {
        target.has_ended = true;
        log_.info("login_key.node_lost",
                  {{"key", target.row.key.value}, {"node", target.row.hostname}});
    } catch (const std::exception& error) {
        failure = error.what();
    }
    if (!failure.empty() && !target.has_ended) note_failure(target, failure);
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
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        target.until - std::chrono::steady_clock::now());
    const auto patience = std::clamp<std::chrono::milliseconds>(left, std::chrono::milliseconds{1},
                                                                timing::connect_patience);
    auto connecting = connector_.connect(endpoint, patience);
    auto session = co_await std::move(connecting);
    co_return session;
}

asio::awaitable<void> KeyRotation::add_key(Target& target) {
    const KeyChange change{
        .user = endpoint_of(target.account, target.node, keys_, *target.provider).user,
        .key = target.wanted.public_key,
        .older = target.older_public_keys(),
        .fence = target.row.fence};
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
    if (!change.older.empty()) {
        std::string script = remove_keys_script(change);
        auto removing =
            run_script(target, *session, "take older login keys away", std::move(script), 1);
        co_await std::move(removing);
        bool is_refused = target.older.empty();
        if (!is_refused) {
            try {
                auto trying = connect(target, false, true);
                co_await std::move(trying);
            } catch (const remote::LoginRefused&) {
                is_refused = true;
            }
        }
        if (!is_refused) throw std::runtime_error("the node still takes an older key");
    }
    note(target, model::LoginStep::done);
    target.has_ended = true;
    has_changed_ = true;
}

asio::awaitable<void> KeyRotation::run_script(const Target& target, remote::Session& session,
                                              std::string label, std::string script, int number) {
    remote::Run step;
    step.label = std::move(label);
    step.script = std::move(script);
    step.limit = timing::login_key_step;
    remote::StepKey key;
    key.name = "login_key_" + std::to_string(target.row.key.value) + "-" +
               std::to_string(target.row.fence) + "-" + std::to_string(number);
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
    if (target.has_ended) throw NodeLost();
    target.row.step = step;
    const bool is_ours = database_.write([&](store::Connection& connection) {
        return store::save_login_step(connection, target.row, timing::login_key_hold);
    });
    if (!is_ours) throw NodeLost();
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
