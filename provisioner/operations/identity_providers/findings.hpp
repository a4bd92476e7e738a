#pragma once

#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/federation/oidc/client.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"

namespace provisioner::operations {

/// What a test of a provider has found.
struct IdentityFindings {
    /// What keeps people from logging in; empty: they can.
    std::vector<std::string> problems{};
    /// What probably keeps everybody out although the provider answers as it should.
    base::Problems warnings{};
    /// What else is worth knowing of settings and rules (model::IdentityTest). Of a problem that a
    /// setting mends there is a note with the same words.
    base::Problems notes{};
};

/// What one server of a directory says.
struct ServerFindings {
    std::string server{};
    /// Whether logins go on to the next server: this one does not answer, or is not trusted.
    bool is_passed_over = false;
    IdentityFindings found{};
};

/// What the servers of a directory say together, in the order in which logins ask them. If the
/// first that is not passed over works, the directory works, and whatever is wrong with the others
/// is a note. Pure.
IdentityFindings findings_of_servers(std::vector<ServerFindings> servers);

/// Makes warnings of the notes about groups if they tell that no rule fits anybody. Pure.
void warn_if_no_rule_fits(const model::IdentityProvider& provider, IdentityFindings& findings);

/// Asks all servers of a directory, in the time of one sign-in.
IdentityFindings findings_of_directory(const model::IdentityProvider& provider);

/// Asks an OpenID Connect provider for what it says about itself and for its keys, anew: sign-ins
/// use what it says.
IdentityFindings findings_of_oidc(federation::OidcClient& oidc,
                                  const model::IdentityProvider& provider);

}  // namespace provisioner::operations
