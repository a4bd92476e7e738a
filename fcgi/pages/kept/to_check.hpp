#pragma once

#include <string>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace fcgi::pages {

// What somebody has to read before a form is carried out, and the tick that says so: `checked`.

/// What a form sends along as `checked` once somebody has read these: others are asked about anew.
std::string word_of_checked(const std::vector<std::string>& to_check);

/// Whether the form says that these were read; true if there are none.
bool are_checked(const http::FormData& sent, const std::vector<std::string>& to_check);

/// Of a form that does not, and the tick that it leads to.
provisioner::base::Problem problem_of_unchecked();
inline constexpr const char* id_of_checked = "checked";

/// The members that views/partials/_to_check draws.
provisioner::base::Json to_check_json(const std::vector<std::string>& to_check);

}  // namespace fcgi::pages
