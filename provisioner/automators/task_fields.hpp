#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// Problems that no field can cure: an id or a resource's name that could leave its directory, or
/// an action on a machine other than bootstrap. `automator` is the name shown in the message.
base::Problems problems_with_task(const AutomatorTask& task, std::string_view automator);

/// Text for people: "start web", or the action alone if there is no service.
std::string label_of(const AutomatorTask& task);

/// The value of a field; null if it is missing or empty. Points into `task`.
const std::string* field_of(const AutomatorTask& task, const std::string& name);

/// The elements of a comma list without surrounding blanks and line ends; empty elements are left
/// out.
std::vector<std::string> comma_list(std::string_view text);

/// The JSON object in a field; an empty object if the field is missing. Adds a problem with the
/// field if it holds anything else.
base::Json json_object_field(const AutomatorTask& task, const std::string& name,
                             base::Problems& problems);

/// Whether a checkbox holds "true"; `otherwise` if it is missing. Adds a problem with the field if
/// it holds anything but "true" or "false".
bool checkbox_field(const AutomatorTask& task, const std::string& name, bool otherwise,
                    base::Problems& problems);

/// Adds a problem unless exactly one of the two fields has a value.
void want_one_of(const AutomatorTask& task, const std::string& first, const std::string& second,
                 base::Problems& problems);

/// The resource of that type and name; points into the task's list. Null, with a problem for the
/// field `field`, if the tenant has no live one.
const Resource* live_resource(const AutomatorTask& task, const std::string& type,
                              const std::string& name, const std::string& field,
                              base::Problems& problems);

/// A field of one line for PluginType, with its name, label and tip.
model::PluginField text_field(const char* name, const char* label, const char* tip);

}  // namespace provisioner::automators
