#pragma once

#include <string>

#include "fcgi/app.hpp"

/// Sign-ins in the audit log. A database that fails costs the record and a line in the log, never
/// the answer.
namespace fcgi::pages::sign_in {

/// Records "sign-in" or "sign-in.refused" with the names that were entered: in the chain of the
/// tenant, and of the installation for one that does not exist. nginx limits how often a client can
/// try.
void record(App& app, const http::Request& request, const std::string& tenant,
            const std::string& user, bool is_in);

/// Records "sign-out" of whoever was signed in.
void record_end(App& app, const auth::Visitor& visitor);

}  // namespace fcgi::pages::sign_in
