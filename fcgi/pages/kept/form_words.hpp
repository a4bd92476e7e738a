#pragma once

#include <string>

namespace fcgi::pages {

/// What a form does, or a page is for, by the path that it is sent to: "change the role of ada".
/// Comes after "to". Empty for a path that is not known. `path` may have a query. `body` has the
/// fields of the form, for those that do one of two things; without it both are named.
std::string purpose_of_form(const std::string& path, const std::string& body = "");

/// What the audit log calls the act that a form asks for: "user.change-role". Empty for a path that
/// is not known, and where one form may ask for several acts. `path` may have a query.
std::string action_of_form(const std::string& path);

/// The requests of the forms that ask for that act, as the audit log records them, by a regular
/// expression: "^POST /clusters/[^/]+/delete$". Empty for an act that no form asks for.
std::string requests_for_action(const std::string& action);

}  // namespace fcgi::pages
