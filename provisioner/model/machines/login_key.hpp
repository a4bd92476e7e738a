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

/// Why a node lacks the key, or does not.
enum class LoginStanding {
    /// It has the key, and no older one.
    has_key,
    /// A daemon tries, or will.
    on_its_way,
    /// A job is taking it away; if that fails, daemons try.
    leaving,
    /// Its machine has no address yet: nobody can log in.
    without_address,
    /// It has no machine and nothing makes one. It does not count: a machine gets the current key.
    without_machine,
    /// An administrator gave the older keys up. It does not count; daemons still try.
    given_up
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
    LoginStanding standing = LoginStanding::on_its_way;
    /// Who gave the older keys up; empty if nobody did.
    std::string given_up_by{};
    /// Number of the try under way: one that is over, but does not know it, has a lower one.
    long long fence = 0;
};

/// Nodes on the way to a key, by standing.
struct LoginProgress {
    /// Those that count.
    int nodes = 0;
    int done = 0;
    /// Of those that count and are not done, those whose last try failed.
    int failed = 0;
    /// Those that do not count.
    int given_up = 0;
    int without_machine = 0;
};

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of login_key.state.
template <>
inline constexpr std::array words<model::LoginKeyState>{
    std::pair{model::LoginKeyState::current, std::string_view("current")},
    std::pair{model::LoginKeyState::replaced, std::string_view("replaced")},
    std::pair{model::LoginKeyState::retired, std::string_view("retired")}};

/// Words of standings, as statements and the API write them.
template <>
inline constexpr std::array words<model::LoginStanding>{
    std::pair{model::LoginStanding::has_key, std::string_view("has_key")},
    std::pair{model::LoginStanding::on_its_way, std::string_view("on_its_way")},
    std::pair{model::LoginStanding::leaving, std::string_view("leaving")},
    std::pair{model::LoginStanding::without_address, std::string_view("without_address")},
    std::pair{model::LoginStanding::without_machine, std::string_view("without_machine")},
    std::pair{model::LoginStanding::given_up, std::string_view("given_up")}};

/// Words of node_login_key.step.
template <>
inline constexpr std::array words<model::LoginStep>{
    std::pair{model::LoginStep::waiting, std::string_view("waiting")},
    std::pair{model::LoginStep::added, std::string_view("added")},
    std::pair{model::LoginStep::tried, std::string_view("tried")},
    std::pair{model::LoginStep::done, std::string_view("done")}};

}  // namespace provisioner::base
