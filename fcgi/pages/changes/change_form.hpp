#pragma once

#include "fcgi/pages/changes/machine_picker.hpp"

namespace fcgi::pages {

// The form of a change, before and above its preview. Pure. `needed` are the machines that are
// needed; empty of a change that does not ask which machines or services go.

/// The id of the control for a number of machines.
inline constexpr auto machines_control = "inputNumMachines";

/// What that control is called.
std::string label_of_number(Change change);

/// The controls of the change, but for what is ticked: a list of FormField.
provisioner::base::Json fields_json(const ChangePage& page, const NeededMachines& needed);

/// How many machines the form removes, beside its button: those that are chosen, else the number.
/// {"words", "chosen_before"}; the latter is the number of chosen machines, for settled_number().
/// Null for other changes. static/js/forms.js keeps it up to date.
provisioner::base::Json how_many_json(const ChangePage& page, const NeededMachines& needed);

/// How machines are removed, folded below which ones: {fields, is_open}; open where a choice is not
/// the default or has a problem. Null for other changes.
provisioner::base::Json advanced_json(const ChangePage& page);

/// The check boxes of services or machines: {name, legend, hint, problem, described_by, is_folded,
/// is_open, options: [{value, label, is_disabled, checked, needed}]}. Null where nothing is ticked.
provisioner::base::Json choices_json(const ChangePage& page, const NeededMachines& needed);

}  // namespace fcgi::pages
