#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "provisioner/base/log.hpp"
#include "provisioner/daemon/tasks/login_keys.hpp"
#include "provisioner/daemon/tasks/task_context.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/model/machines/login_key.hpp"
#include "provisioner/providers/registry.hpp"
#include "provisioner/remote/session.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// Brings the nodes of every tenant to the login key that they are to have
/// (store/machines/node_login_store.hpp), new nodes included: whatever a node has, the steps are
/// the same.
///
///     waiting   a connection with the new key alone is tried; where it is refused, the key is
///     added
///               over a connection with any key that opens the node
///     added     a new connection with the new key alone
///     tried     older keys are taken away over that connection; then a connection with these alone
///               must be refused
///     done
///
/// No older key goes before the new one has worked in the same try. Every step can be repeated, so
/// a daemon that is killed anywhere leaves nodes that another try brings on. A node that fails is
/// tried again, with pauses that grow, for as long as it is to have the key. Meanwhile tasks log in
/// with whatever key the node has (LoginKeys::all_of). Keys are retired when no node of their
/// tenant that counts is on its way.
///
/// One daemon at a time works on a node, whatever keys it and others mean: the row holds the node
/// from before the first connection until the end, is renewed at each step, and has a fence that
/// the scripts leave on the node. A daemon that was slower than its hold is refused by both.
///
/// This is a duty on rows of its own and no job: a job occupies its cluster, is over when one node
/// fails, and would know nothing of nodes that join later.
class KeyRotation {
 public:
    struct Settings {
        /// Id of the installation, for accounts.
        std::string installation{};
        TaskContext::AddFiles add_files{};
        /// Whether the daemon ends: then a try ends early.
        std::function<bool()> stopping{};
        /// How often nodes are looked for that no row tells of.
        std::chrono::steady_clock::duration look_every = timing::login_key_look_every;
        /// Longest time for one node.
        std::chrono::steady_clock::duration patience = timing::login_key_patience;
        /// Tries at once, and of one tenant.
        int slots = 48;
        int slots_of_tenant = 16;
    };

    /// All references must outlive the object.
    KeyRotation(Settings settings, store::Database& database, const providers::Registry& providers,
                remote::Connector& connector, const LoginKeys& keys, const base::Log& log);
    ~KeyRotation();

    /// Tries nodes until none is due, and settles keys. Every tenant has its share of the slots, so
    /// that nodes which hang keep up those of their tenant at most, and each for a bounded time.
    /// Blocks until all tries have ended. For one thread at a time.
    void run();

 private:
    /// A node with what is needed to reach it.
    struct Target;
    using Deadline = std::chrono::steady_clock::time_point;

    /// Enlists nodes when it is time to, or a key was just made.
    void look_for_nodes();
    /// Takes nodes for slots that are free.
    std::vector<std::unique_ptr<Target>> take();
    /// The node with its cluster and account; what stands in the way becomes its `problem`.
    std::unique_ptr<Target> target_of(model::NodeLogin row);
    void open(store::Connection& connection, Target& target);
    /// Forgets tries that have ended, and those that took too long.
    void clear_slots();
    /// Tries that go on.
    std::size_t busy_slots() const;
    boost::asio::awaitable<void> bring(Target& target);
    boost::asio::awaitable<void> add_key(Target& target);
    boost::asio::awaitable<std::shared_ptr<remote::Session>> connect(const Target& target,
                                                                     bool with_new,
                                                                     bool with_older);
    boost::asio::awaitable<void> run_script(const Target& target, remote::Session& session,
                                            std::string label, std::string script, int number);
    void note(Target& target, model::LoginStep step);
    void note_failure(Target& target, const std::string& reason);
    void settle();

    Settings settings_;
    store::Database& database_;
    const providers::Registry& providers_;
    remote::Connector& connector_;
    const LoginKeys& keys_;
    const base::Log& log_;
    /// Types of this daemon whose machines get our keys.
    std::vector<std::string> types_;
    /// When nodes were looked for.
    std::optional<Deadline> looked_;
    /// Whether nodes or keys have changed since keys were settled.
    bool has_changed_ = false;
    Deadline settled_{};
    /// Tries that go on, or whose last answer is awaited; what the last run left, outside of run().
    std::vector<std::unique_ptr<Target>> targets_;
};

}  // namespace provisioner::daemon
