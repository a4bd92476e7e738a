#pragma once

#include <string>

namespace fcgi::pages {

/// `path` if it leads to a page of this site ("/clusters/..."), else "/". It keeps a prepared link
/// from sending a person to another site after the login: "//host", backslashes and control
/// characters are rejected. So is a path to the login page.
std::string safe_next(const std::string& path);

}  // namespace fcgi::pages
