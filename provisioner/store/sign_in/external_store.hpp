#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"
#include "provisioner/model/tenants/session.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/forms/form_store.hpp"

namespace provisioner::store {

// Users and sessions of identity providers, and sign-ins that are under way there.

/// A user whom a provider made.
struct ExternalUser {
    model::User user{};
    model::IdentityProviderId provider{};
    std::string subject{};
    base::Timestamp confirmed_at{};
    /// Set: disabled because the provider does not know the user any more.
    std::optional<base::Timestamp> gone_at{};
};

/// The users of a subject, one in a tenant, locked until the transaction ends.
std::vector<ExternalUser> lock_external_users(Connection& connection,
                                              model::IdentityProviderId provider,
                                              const std::string& subject);
/// The provider of a user; nothing for users of this installation.
std::optional<ExternalUser> find_external_user(Connection& connection, model::UserId user);
/// Users of a provider with an id above `after`, by id.
std::vector<ExternalUser> list_external_users(Connection& connection,
                                              model::IdentityProviderId provider,
                                              model::UserId after, int most);
/// The same, those only who are not gone and were confirmed before `moment`.
std::vector<ExternalUser> external_users_before(Connection& connection,
                                                model::IdentityProviderId provider,
                                                base::Timestamp moment, int most);
/// How many users a provider has in all tenants, without those who are locked.
int count_unlocked_external_users(Connection& connection, model::IdentityProviderId provider);
/// How many are locked.
int count_locked_external_users(Connection& connection, model::IdentityProviderId provider);
/// The names of the providers of a tenant's users, by user.
std::vector<std::pair<model::UserId, std::string>> external_users_of(Connection& connection,
                                                                     model::TenantId tenant);

/// Whether the user is one of a provider that is switched off: nobody vouches for them then.
bool is_provider_off(Connection& connection, model::UserId user);

/// Marks a new user as one of a provider.
void insert_external_user(Connection& connection, const ExternalUser& user);
/// The provider has said that the user belongs here.
void confirm_external_user(Connection& connection, model::UserId user, base::Timestamp now);
/// Sets or takes away the mark that a user is gone; returns whether that changed anything.
bool mark_gone(Connection& connection, model::UserId user,
               const std::optional<base::Timestamp>& gone_at);

/// A session that began at a provider.
struct ExternalSession {
    model::IdentityProviderId provider{};
    std::string subject{};
    std::string sid{};
};
void insert_external_session(Connection& connection, model::SessionId session,
                             const ExternalSession& external);
/// That of a session's token; nothing for sessions of this installation.
std::optional<ExternalSession> find_external_session(Connection& connection,
                                                     const std::string& token_hash);
/// Ends the sessions of a provider that have this sid, or all of the subject if `sid` is empty.
/// Returns the users they were of.
std::vector<model::Caller> end_external_sessions(Connection& connection,
                                                 model::IdentityProviderId provider,
                                                 const std::string& subject,
                                                 const std::string& sid);

/// A sign-in that went to a provider.
struct ExternalSignIn {
    model::IdentityProviderId provider{};
    /// Hash of the cookie of the browser that asked.
    std::string browser{};
    std::string next{};
    std::string address{};
    bool again = false;
    base::Timestamp expires_at{};
    /// What the person had sent when their session was over; it comes back after the sign-in.
    std::optional<KeptForm> kept{};
};
/// Stores it. False, and nothing is stored, when `most` of this address are under way.
bool insert_external_sign_in(Connection& connection, const std::string& state_hash,
                             const ExternalSignIn& sign_in, int most, base::Timestamp now);
/// Takes the sign-in with that state, which is gone then; nothing if there is none or its time is
/// over.
std::optional<ExternalSignIn> take_external_sign_in(Connection& connection,
                                                    const std::string& state_hash,
                                                    base::Timestamp now);

/// Records a message of a provider. False if it was recorded before.
bool record_external_message(Connection& connection, const std::string& message_hash,
                             base::Timestamp expires_at);
/// Deletes sign-ins and messages whose time was over at `moment`, at most `limit` of each; returns
/// how many.
int delete_external(Connection& connection, base::Timestamp moment, int limit);

}  // namespace provisioner::store
