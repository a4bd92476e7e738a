#pragma once

#include <string>

#include "provisioner/base/problem.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/operations/sign_in/sign_in.hpp"

namespace provisioner::operations {

// Passwords: users change their own, administrators give initial ones. Both end the sessions of the
// user; whoever changes their own keeps the session in which they did it.

/// A change of one's own password, as typed.
struct PasswordChange {
    base::Secret current{};
    base::Secret wanted{};
    /// The second field, against mistyping.
    base::Secret repeated{};
};

/// What became of it.
struct PasswordChanged {
    /// The fields `current`, `wanted` and `repeated`; empty when it is done.
    base::Problems problems{};
    /// Of the check of the current password, for the record and for its own problem; nothing when
    /// it was not made. It is made also when there are problems, without a change to the session.
    std::optional<SignInResult> proof{};
    /// The new token of the session, when it is done.
    base::Secret token{};
};

/// Changes the password of the session's user. The current one is checked as in a sign-in, so
/// failures are counted. Done: ends all other sessions and gives this one a new token.
PasswordChanged change_password(store::Database& database, const model::OpenSession& session,
                                const PasswordChange& wanted, const Client& client,
                                const SignInRules& rules, base::Timestamp now);

/// Whether `caller` administers the users of a tenant: superadmins all, administrators those of
/// their own tenant who are no superadmins.
bool may_administer(const model::Caller& caller, const model::User& user);

/// Gives a user an initial password, which has to be changed at the first sign-in and is refused
/// after rules.initial_password. Ends the user's sessions. Refused with not_found without such a
/// user or without the right to administer them, and with conflict for the caller itself.
Result<base::Secret> reset_password(store::Database& database, const model::Caller& caller,
                                    const std::string& tenant, const std::string& user,
                                    const SignInRules& rules, base::Timestamp now);

/// A change of what a user may do.
struct AccessChange {
    /// Nothing: as it is.
    std::optional<model::Role> role{};
    std::optional<bool> disabled{};
};

/// Changes role and lock of a user and ends the user's sessions when something changed. Refused as
/// reset_password(), as check_still_administers(), and as invalid for a superadmin outside the
/// superadmin tenant.
Result<model::User> change_access(store::Database& database, const model::Caller& caller,
                                  const std::string& tenant, const std::string& user,
                                  const AccessChange& wanted);

/// Refused with conflict when the caller's own role has been taken away, or the caller locked,
/// since they were identified. Nobody changes their own access, so with the tenant's lock held this
/// makes sure that somebody is left who administers the tenant, or the installation: the caller.
Result<void> check_still_administers(store::Connection& connection, const model::Caller& caller);

/// Ends one session of a user, or all (0). Refused as reset_password(), but users may end their
/// own. not_found for a session that is over.
Result<void> end_sessions(store::Database& database, const model::Caller& caller,
                          const std::string& tenant, const std::string& user,
                          model::SessionId session);

/// The user of a tenant, if the caller may see its people: superadmins see those of all tenants,
/// others those of their own. not_found otherwise.
Result<model::User> seen_user(store::Connection& connection, const model::Caller& caller,
                              const model::Tenant& tenant, const std::string& user);

/// Refused with forbidden if the caller's key may make and change nobody with that role.
Result<void> check_makes(const model::Caller& caller, model::Role role);

/// Refused with forbidden if the caller's key may not change how people come in (passwords, second
/// factors, roles, identity providers).
Result<void> check_lets_in(const model::Caller& caller);

/// The user, if the caller administers them. not_found otherwise; forbidden as check_makes() says.
Result<model::User> administered_user(store::Connection& connection, const model::Caller& caller,
                                      const std::string& tenant, const std::string& user);

}  // namespace provisioner::operations
