#pragma once

#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace fcgi::pages {

/// The form to log in with: views/login/new. The password is never shown again.
struct LoginPage {
    std::string tenant{};
    std::string user{};
    /// Where to go then: a path of this site.
    std::string next = "/";
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const LoginPage& page);

/// `path` if it leads to a page of this site ("/clusters/..."), else "/": a login must not send
/// anybody elsewhere.
std::string safe_next(const std::string& path);

}  // namespace fcgi::pages
