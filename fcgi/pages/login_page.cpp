#include "fcgi/pages/login_page.hpp"

#include <algorithm>

#include "fcgi/pages/form_field.hpp"

namespace fcgi::pages {

using provisioner::base::Json;

namespace {

FormField field(const char* id, const char* name, const char* label, const char* autocomplete) {
    FormField made{.id = id, .name = name, .label = label};
    made.autocomplete = autocomplete;
    made.required = true;
    return made;
}

}  // namespace

Json to_json(const LoginPage& page) {
    auto tenant = field("loginTenant", "tenant", "Tenant", "organization");
    tenant.value = page.tenant;
    auto user = field("loginUsername", "user", "User name", "username");
    user.value = page.user;
    auto password = field("loginPassword", "password", "Password", "current-password");
    password.type = "password";
    auto json = problems_json("That did not work", page.problems,
                              {{"tenant", tenant.id, tenant.label},
                               {"user", user.id, user.label},
                               {"password", password.id, password.label}});
    json["next"] = page.next;
    json["fields"] = {to_json(user, page.problems), to_json(tenant, page.problems),
                      to_json(password, page.problems)};
    return json;
}

std::string safe_next(const std::string& path) {
    const bool printable =
        std::all_of(path.begin(), path.end(), [](unsigned char c) { return c > ' ' && c < 0x7f; });
    const bool ours = path.starts_with('/') && !path.starts_with("//");
    const bool odd = path.find('\\') != std::string::npos || path.starts_with("/login");
    return printable && ours && !odd ? path : "/";
}

}  // namespace fcgi::pages
