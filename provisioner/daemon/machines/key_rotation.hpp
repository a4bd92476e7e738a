#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "provisioner/base/log.hpp"
#include "provisioner/daemon/tasks/login_keys.hpp"
#include "provisioner/daemon/tasks/task_context.hpp"
#include "provisioner/model/machines/login_key.hpp"
#include "provisioner/providers/registry.hpp"
#include "provisioner/remote/session.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// Brings the nodes of every tenant to the login key that they are to have
/// (store/machines/login_key_store.hpp), new nodes included: whatever a node has, the steps are the
/// same.
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
/// tenant is on its way.
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
    };

    /// All references must outlive the object.
    KeyRotation(Settings settings, store::Database& database, const providers::Registry& providers,
                remote::Connector& connector, const LoginKeys& keys, const base::Log& log);

    /// One try at the nodes that are due, at most 32 at once; then settles keys. Blocks until all
    /// tries have ended. For one thread at a time.
    void run();

 private:
    /// A node with what is needed to reach it.
    struct Target;

    std::vector<Target> take();
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
};

}  // namespace provisioner::daemon
