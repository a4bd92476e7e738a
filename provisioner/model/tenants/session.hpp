#pragma once

#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/model/tenants/tenant.hpp"

namespace provisioner::model {

using SessionId = base::Id<struct SessionTag>;

/// What a session may be used for.
enum class SessionStage {
    /// The password was right, the second factor is still to come. Nobody is signed in.
    code,
    /// Signed in, but the password has to be changed before anything else.
    password,
    /// Signed in, but a second factor has to be set up before anything else.
    factor,
    /// Signed in.
    open,
};

/// A sign-in of a browser: a row of table session, without its token.
struct Session {
    SessionId id{};
    SessionStage stage = SessionStage::open;
    /// Address of the client that signed in.
    std::string address{};
    /// User-Agent of that client, at most 255 characters; may be empty.
    std::string agent{};
    base::Timestamp created_at{};
    /// Coarse: written at most every few minutes.
    base::Timestamp last_used_at{};
    /// When the user last gave a password or a code.
    base::Timestamp proven_at{};
    /// It ends then, whether it is used or not.
    base::Timestamp expires_at{};
};

/// A session together with its user.
struct OpenSession {
    Session session{};
    Caller caller{};
};

/// A superadmin views a tenant in a session.
struct RunningView {
    /// Name of the tenant.
    std::string tenant{};
    base::Timestamp began_at{};
};

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of session.stage.
template <>
inline constexpr std::array words<model::SessionStage>{
    std::pair{model::SessionStage::code, std::string_view("code")},
    std::pair{model::SessionStage::password, std::string_view("password")},
    std::pair{model::SessionStage::factor, std::string_view("factor")},
    std::pair{model::SessionStage::open, std::string_view("open")}};

}  // namespace provisioner::base
