#pragma once

#include <string>

#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "provisioner/base/problem.hpp"

namespace fcgi::pages {

// Values of plugin fields, as their types declare them. The forms check them before they save; the
// API does not, as its contract says.

/// "a whole number from 1 to 16384".
std::string words_of_numbers(const provisioner::model::NumberRange& range);

/// What is wrong with a value, in a sentence; empty if nothing is. No value, a secret and the value
/// that is stored already (`stored`, may be null) are never wrong, but for numbers: those are
/// always looked at. `choices_are_closed`: whether a select takes nothing but its choices.
std::string problem_with_value(const provisioner::model::PluginField& field,
                               const provisioner::base::Json& value,
                               const provisioner::base::Json* stored, bool choices_are_closed);

/// All wrong values of a provider's fields, or of the fields of a service's actions; the problems
/// name the controls ("provisioner.port", "provisioner.actions.install.fields.lines"). Values of
/// actions that hold a macro are not looked at. A select that is edited as JSON takes other
/// values, too: a provider may know more than its type lists. None for other kinds of entries.
provisioner::base::Problems problems_with_values(const EditPage& page);

}  // namespace fcgi::pages
