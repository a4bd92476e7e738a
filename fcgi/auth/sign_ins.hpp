#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/identity/vault.hpp"
#include "provisioner/operations/sign_in/sign_in.hpp"

namespace fcgi::auth {

/// The browser of a request.
provisioner::operations::Client client_of(const http::Request& request);

/// Where sign-ins are recorded: in the log and in the audit log. A database that fails costs the
/// event and a line in the log, never the answer.
struct SignInRecord {
    provisioner::store::Database& database;
    const provisioner::base::Log& log;
};

/// What somebody gave a password or a code for.
enum class SignInFor {
    /// To log in: "sign-in" and "sign-in.refused", and "sign-in.first-step" while the second factor
    /// is still missing.
    session,
    /// To say again who they are, in a session: "proof" and "proof.refused".
    proof,
    /// As a part of a change that has an event of its own: only "proof.refused".
    change,
    /// With a second factor that is being added, which has an event of its own, too: only
    /// "user.add-factor.refused".
    set_up,
};

/// How many hexadecimal digits mark a name that is not told whole: enough to tell a few names
/// apart, too few to confirm a guess of what was typed.
inline constexpr std::size_t digits_of_mark = 2;

/// What is recorded of a name that nobody has. People type passwords into that field, so only what
/// is written like a name is told: small letters, up to three digits, and ".", "_", "-" between
/// them, or such an email address. It is told whole if it is shorter than passwords are, otherwise
/// its first three characters and "…". "unknown" for every other text. With a `key` of the
/// installation, a mark of the whole text stands behind what is not told: "adm… [3f]".
std::string name_to_record(const std::string& typed,
                           const std::optional<provisioner::base::Secret>& key = std::nullopt);

/// Whether name_to_record() has left something out of this name.
bool is_shortened_name(const std::string& recorded);

/// What name_to_record() gives with each master key of the installation, the newest first; without
/// a mark where there is none.
std::vector<std::string> names_to_record(const std::string& typed,
                                         const provisioner::identity::Vault& vault);

/// What stands before the technical reason in the reason of an event.
inline constexpr std::string_view before_technical_reason = " Technical reason: ";

/// Why an attempt failed, as events have it: "provider_refused: Corp did not confirm who you are.
/// Technical reason: the signature is wrong". Of the technical reason at most 700 bytes, without
/// control characters.
std::string reason_to_record(const provisioner::operations::SignInResult& result);

/// Records how an attempt to sign in, or to prove who one is, has ended: one call for each attempt.
/// Names that belong to nobody are written as far as name_to_record() lets them. An attempt
/// that had to wait is in the log only: whoever guesses would fill the audit log.
void record_sign_in(const SignInRecord& record, const http::Request& request,
                    const provisioner::operations::SignInResult& result,
                    SignInFor purpose = SignInFor::session);

/// Records "sign-out" of whoever was signed in.
void record_sign_out(const SignInRecord& record, const Visitor& visitor);

}  // namespace fcgi::auth
