#pragma once

#include "fcgi/pages/catalogue/builder/template_form.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// What the parts of the builder's form say, in a line each, for parts that are folded. Members:
/// general_says, defaults_says, constraints_says, compatibility_says, lease_says, parents_says,
/// links_says. Numbers are as they were typed. Pure.
provisioner::base::Json parts_in_words(const TemplateForm& form);

}  // namespace fcgi::pages
