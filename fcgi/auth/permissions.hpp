#pragma once

#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"

namespace fcgi::auth {

/// What a visitor needs to use a route. right_for() says which right that is, and
/// model::right_rows who has it.
enum class Need {
    /// Open to everybody, logged in or not.
    nobody,
    /// Any identified user: calls and pages about the own account.
    account,
    /// To read: any identified user. To change: who uses clusters, so not auditors.
    user,
    /// Who uses clusters, also to read: the forms for what Need::user would change.
    cluster_user,
    /// To read: who sees the tenant (administrators and auditors). To change: administrators.
    admin,
    /// Superadmins, who administer the whole installation.
    superadmin,
};

/// The right that a route with this need asks for, if it only reads or also changes. Not for
/// Need::nobody.
provisioner::model::Right right_for(Need need, bool changes);

/// Whether the visitor's role meets the need. It does not look at the scope of an API key: Site
/// does.
[[nodiscard]] bool satisfies(const Visitor& visitor, Need need, bool changes);

/// Whether the visitor may change what administrators manage; auditors and superadmins who view a
/// tenant may only read it.
[[nodiscard]] bool may_administer(const Visitor& visitor);

/// "The role user lacks the right to administer the tenant."
std::string lack_of_right(provisioner::model::Role role, provisioner::model::Right right);

/// The page to log in on, which leads to `next` afterwards.
std::string log_in_page(const std::string& next);

/// The page for who views a tenant and asks for something of their own, or for a change: 403.
http::Response while_viewing();

/// The answer to a visitor that does not meet the need.
/// * API: 403 with the wire contract's text.
/// * Page, logged in: 403 with a plain page.
/// * Page, not logged in: 303 to the login page. After a GET, `next` leads back to the page that
///   was asked for.
///
/// Site calls it for whole routes, and a handler for a case that needs more than its route.
http::Response refusal(const http::Request& request, const Visitor& visitor, Need need);

}  // namespace fcgi::auth
