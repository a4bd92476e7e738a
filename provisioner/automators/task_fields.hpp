#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Why the automator named `automator` cannot take the task, whatever its fields are: an id or a
/// resource's name that could leave its directory, or an action of machines.
base::Problems problems_with_task(const AutomatorTask& task, std::string_view automator);

/// What people read of the task: "start web", or the action alone when there is no service.
std::string label_of(const AutomatorTask& task);

/// The value of a field; null when it was left out or is empty.
const std::string* field_of(const AutomatorTask& task, const std::string& name);

/// The elements of a comma list without the blanks around them; empty ones are left out.
std::vector<std::string> comma_list(std::string_view text);

/// The JSON object in a field, an empty one when it was left out; adds a problem with the field
/// when it holds anything else.
base::Json json_object_field(const AutomatorTask& task, const std::string& name,
                             base::Problems& problems);

/// Whether a checkbox was ticked, "true" or "false"; `otherwise` when it was left out. Adds a
/// problem with the field when it holds anything else.
bool checkbox_field(const AutomatorTask& task, const std::string& name, bool otherwise,
                    base::Problems& problems);

/// Exactly one of two fields has to be given; adds a problem when none or both are.
void want_one_of(const AutomatorTask& task, const std::string& first, const std::string& second,
                 base::Problems& problems);

/// The resource of that type and name; null, and a problem with the field `field`, when the tenant
/// has none that is live.
const Resource* live_resource(const AutomatorTask& task, const std::string& type,
                              const std::string& name, const std::string& field,
                              base::Problems& problems);

/// A field of one line as forms show it.
model::PluginField text_field(const char* name, const char* label, const char* tip);

}  // namespace provisioner::automators
