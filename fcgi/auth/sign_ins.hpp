#pragma once

#include <string>

#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/log.hpp"
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
};

/// What is recorded of a name that nobody has. People type passwords into that field, so only what
/// is written like a name is told: small letters, up to three digits, and ".", "_", "-" between
/// them, or such an email address. It is told whole if it is shorter than passwords are, otherwise
/// its first three characters and "…". "unknown" for every other text.
std::string name_to_record(const std::string& typed);

/// Records how an attempt to sign in, or to prove who one is, has ended: one call for each attempt.
/// Names that belong to nobody are written as far as name_to_record() lets them. An attempt
/// that had to wait is in the log only: whoever guesses would fill the audit log.
void record_sign_in(const SignInRecord& record, const http::Request& request,
                    const provisioner::operations::SignInResult& result,
                    SignInFor purpose = SignInFor::session);

/// Records "sign-out" of whoever was signed in.
void record_sign_out(const SignInRecord& record, const Visitor& visitor);

}  // namespace fcgi::auth
