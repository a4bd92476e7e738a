#pragma once

#include <optional>
#include <string>

#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

/// Whose users the pages of this folder are about: those of the visitor's own tenant (/people), or
/// those of the tenant in the address, for superadmins (/tenants/{tenant}/people).
struct PeopleOf {
    provisioner::model::Tenant tenant{};
    /// The address of their list.
    std::string href = "/people";
    /// The page of the tenant; empty below /people.
    std::string tenant_href{};

    bool is_named() const { return !tenant_href.empty(); }
    /// The address of one of them.
    std::string person_href(const std::string& user) const;
    /// A title, with the tenant if the pages are about another one: "User ada, tenant acme".
    std::string with_tenant(const std::string& title) const;
    /// The entry of the navigation that is marked.
    const char* section() const { return is_named() ? "tenants" : "people"; }
};

/// What the pages show of it: people_href, of_tenant, tenant_href.
provisioner::base::Json to_json(const PeopleOf& of);

/// Nothing when there is no such tenant, or when it is not the visitor's own and the visitor is no
/// superadmin.
std::optional<PeopleOf> people_of(const http::Request& request, const auth::Visitor& visitor,
                                  provisioner::store::Connection& connection);

/// The name of the tenant as operations take it: that of the address, or the visitor's own.
std::string tenant_named_in(const http::Request& request, const auth::Visitor& visitor);

/// The address of the list of users in whose pages the request is.
std::string list_of_people(const http::Request& request);

}  // namespace fcgi::pages
