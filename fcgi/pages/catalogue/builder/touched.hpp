#pragma once

#include "fcgi/pages/catalogue/builder/template_form.hpp"
#include "provisioner/base/problem.hpp"

namespace fcgi::pages {

/// Problems of a form that was filled from `before`: that a maximum is below its minimum is told at
/// the minimum if that alone was changed. Pure.
provisioner::base::Problems told_where_touched(provisioner::base::Problems problems,
                                               const TemplateForm& form,
                                               const TemplateForm& before);

}  // namespace fcgi::pages
