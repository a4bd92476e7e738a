#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "provisioner/model/clusters/cluster.hpp"

namespace provisioner::model {

/// Key of table login_key.
using LoginKeyId = base::Id<struct LoginKeyTag>;

/// What a login key is for.
enum class LoginKeyState {
    /// New machines get it, and running nodes are brought to it.
    current,
    /// There is a newer one, but some node may still have this one alone.
    replaced,
    /// No node has it; the private half is deleted.
    retired
};

/// A key pair of the vault with which daemons log in to machines: a row of login_key.
struct LoginKeyRow {
    LoginKeyId id{};
    TenantId tenant{};
    /// The provider it is for; empty: all of the tenant without a key or a file of their own.
    std::string provider{};
    /// "ssh-ed25519 AAAA...", without a comment.
    std::string public_key{};
    /// The private half, sealed; empty once it is retired.
    std::string sealed{};
    LoginKeyState state = LoginKeyState::current;
    base::Timestamp made_at{};
    /// Name of the user who made it.
    std::string made_by{};
    /// When all nodes had it; nothing while some have not.
    std::optional<base::Timestamp> spread_at{};
    std::optional<base::Timestamp> retired_at{};
};

/// How far a node has come on the way to a key. Each is reached again from the beginning after a
/// crash: all are harmless to repeat.
enum class LoginStep {
    waiting,
    /// The key was added beside the one that was there.
    added,
    /// A new connection with the key alone has worked.
    tried,
    /// Older keys were taken away, and the node refuses them.
    done
};

/// A node and the key that it is to have.
struct NodeLogin {
    NodeId node{};
    std::string uuid{};
    std::string hostname{};
    ClusterId cluster{};
    LoginKeyId key{};
    LoginStep step = LoginStep::waiting;
    /// Tries that failed in a row.
    int tries = 0;
    /// Why the last try failed; empty if none has.
    std::string message{};
    /// Whether a daemon works on it.
    bool is_held = false;
    /// When it is tried again after a failure.
    std::optional<base::Timestamp> retry_at{};
    /// Whether it has a machine that a daemon has logged in to.
    bool has_machine = false;
};

/// Nodes on the way to a key, by step.
struct LoginProgress {
    int nodes = 0;
    int done = 0;
    /// Of those that are not done, those whose last try failed.
    int failed = 0;
};

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of login_key.state.
template <>
inline constexpr std::array words<model::LoginKeyState>{
    std::pair{model::LoginKeyState::current, std::string_view("current")},
    std::pair{model::LoginKeyState::replaced, std::string_view("replaced")},
    std::pair{model::LoginKeyState::retired, std::string_view("retired")}};

/// Words of node_login_key.step.
template <>
inline constexpr std::array words<model::LoginStep>{
    std::pair{model::LoginStep::waiting, std::string_view("waiting")},
    std::pair{model::LoginStep::added, std::string_view("added")},
    std::pair{model::LoginStep::tried, std::string_view("tried")},
    std::pair{model::LoginStep::done, std::string_view("done")}};

}  // namespace provisioner::base
