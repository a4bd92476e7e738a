#pragma once

#include <optional>
#include <string>

#include "provisioner/base/secret.hpp"
#include "provisioner/model/tenants/tenant.hpp"

namespace fcgi::auth {

/// Who sent a request, as far as it proved it.
struct Visitor {
    /// Nothing: nobody is logged in.
    std::optional<provisioner::model::Caller> caller;
    /// The session token of the cookie; empty for nobody and for scripts, which come with an API
    /// key.
    provisioner::base::Secret session;
    /// Whether the API key they came with may only be used to read.
    bool only_reads = false;

    /// Who is asking, on a route that needs somebody; throws std::logic_error on one that does not.
    const provisioner::model::Caller& who() const;

    /// What a form must carry in its field "csrf"; empty without a session.
    std::string csrf_token() const;
};

}  // namespace fcgi::auth
