#pragma once

#include "fcgi/http/message.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/operations/sign_in/sign_in.hpp"

namespace fcgi::auth {

/// The browser of a request.
provisioner::operations::Client client_of(const http::Request& request);

/// Records how an attempt to sign in, or to prove who one is, has ended: one call for each attempt.
/// Names that belong to nobody are not written, because people type passwords there.
void record_sign_in(const provisioner::base::Log& log, const http::Request& request,
                    const provisioner::operations::SignInResult& result);

}  // namespace fcgi::auth
