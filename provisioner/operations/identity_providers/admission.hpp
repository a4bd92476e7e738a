#pragma once

#include <optional>
#include <set>
#include <string>

#include "provisioner/base/expected.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"
#include "provisioner/operations/sign_in/rules.hpp"
#include "provisioner/operations/sign_in/sign_in.hpp"
#include "provisioner/store/sign_in/external_store.hpp"

namespace provisioner::operations {

/// Somebody whom a provider has named.
struct Person {
    std::string subject{};
    std::string name{};
    /// Values of the groups claim, or distinguished names of groups.
    std::set<std::string> values{};
    /// Whether the ID token says that two factors were given; never so for a directory.
    bool gave_second_factor = false;
};

/// The name of a user for a name of a provider: what names here cannot have becomes "_".
std::string local_name(const std::string& name);

/// Who was not let in, for the audit log: "staff calls the person \"Ann\" and states 2 groups: a;
/// b". Of the name and of each group at most 100 bytes without control characters, and 20 groups.
std::string words_of_person(const model::IdentityProvider& provider, const Person& person);

/// Sentences for a person who is not let in: why, and what to do (SignInResult).
struct NotAdmitted {
    std::string reason{};
    std::string advice{};
};

/// The user of a person, made at the first time. Role and tenant are those of the first rule that
/// fits; with `tenant` (uid) only its rules count. A user who was disabled because the provider did
/// not know them any more comes in again; one whom an administrator locked does not. In tenants
/// where no rule fits any more the person's users are disabled, even when the answer is a refusal:
/// so the transaction has to be committed. A user of the same name that is not this person's is
/// never taken over.
base::expected<model::Caller, NotAdmitted> admit(store::Connection& connection,
                                                 const model::IdentityProvider& provider,
                                                 const Person& person,
                                                 const std::optional<std::string>& tenant,
                                                 const Client& client, base::Timestamp now);

/// Brings a user in line with what the provider says now: `person` is nothing if it does not know
/// the user any more. Disables, enables and changes the role. Returns whether something changed.
bool follow_provider(store::Connection& connection, const model::IdentityProvider& provider,
                     const store::ExternalUser& user, const std::optional<Person>& person,
                     base::Timestamp now);

/// Disables a user whom the provider does not know any more, and ends their sessions. API keys of
/// disabled users do not work.
void let_go(store::Connection& connection, const model::IdentityProvider& provider,
            const store::ExternalUser& user, base::Timestamp now);

/// The provider as it is now, which nobody can change until the transaction ends: first of all in
/// it. Nothing if it is switched off or gone, or if another one than `asked` would be asked now.
/// Rules are the present ones.
std::optional<model::IdentityProvider> hold_unchanged(store::Connection& connection,
                                                      const model::IdentityProvider& asked);

/// Lets a person in whom `asked` has named, which took seconds: what counts is the provider as it
/// is at this moment. Says in `result`, which has the client, who comes in and to which stage of a
/// session, or why not. A second factor of ours is not asked for where the provider may ask for one
/// and says that it did. Returns whether a session is to be opened: in this transaction, so that
/// nothing can come between.
bool admit_person(store::Connection& connection, const model::IdentityProvider& asked,
                  const Person& person, const std::optional<std::string>& tenant,
                  const SignInRules& rules, base::Timestamp now, SignInResult& result);

}  // namespace provisioner::operations
