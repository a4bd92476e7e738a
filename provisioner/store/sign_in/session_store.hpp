#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/tenants/session.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Sessions of browsers. Their tokens are stored as hashes only (identity::hash_of_token, 64
// hexadecimal digits). Times are compared with the caller's `now`; retention deletes sessions that
// are over.

/// The session whose cookie has this hash. Nothing when it is unknown, has expired at `now`, was
/// last used before `used_since`, its user is disabled or the tenant deleted.
std::optional<model::OpenSession> find_session(Connection& connection,
                                               const std::string& token_hash, base::Timestamp now,
                                               base::Timestamp used_since);

/// Stores a session and returns its number; `session.id` is ignored.
model::SessionId insert_session(Connection& connection, model::UserId user,
                                const model::Session& session, const std::string& token_hash);

/// Records the use of a session, unless one at or after `now` is recorded. One statement.
void touch_session(Connection& connection, model::SessionId session, base::Timestamp now);

/// What replace_token() writes: hash of the token, stage, when the user last proved who they are,
/// and the end.
struct RenewedSession {
    std::string token_hash;
    model::SessionStage stage;
    base::Timestamp proven_at;
    base::Timestamp expires_at;
};

/// Gives a session a new token. False when the session is over.
bool replace_token(Connection& connection, model::SessionId session, const RenewedSession& renewed,
                   base::Timestamp now);

/// Whether the session has not been ended, which stays so until the transaction ends.
bool has_session(Connection& connection, model::SessionId session);

/// Changes what a session may do.
void set_stage(Connection& connection, model::SessionId session, model::SessionStage stage);

/// The sessions of a user that are not over, last used first; at most 1000.
std::vector<model::Session> list_sessions(Connection& connection, model::UserId user,
                                          base::Timestamp now, base::Timestamp used_since);

/// When the users of a tenant who have a session that is not over used one last. One statement.
std::map<model::UserId, base::Timestamp> last_uses_of_sessions(Connection& connection,
                                                               model::TenantId tenant,
                                                               base::Timestamp now,
                                                               base::Timestamp used_since);

/// Ends the session with this token; does nothing when it is unknown.
void delete_session(Connection& connection, const std::string& token_hash);
/// Ends a session of the user. False when the user has no such session.
bool end_session(Connection& connection, model::UserId user, model::SessionId session);
/// Ends all sessions of the user but `kept` (0: none is kept). Returns their number.
int end_sessions(Connection& connection, model::UserId user, model::SessionId kept = {});

/// Ends the sessions of the user, half sign-ins apart, that were not used for longest, so that
/// `kept` are left. Returns how many.
int end_oldest_sessions(Connection& connection, model::UserId user, int kept, base::Timestamp now);

}  // namespace provisioner::store
