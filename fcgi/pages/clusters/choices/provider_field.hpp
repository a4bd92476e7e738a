#pragma once

#include <string>

#include "fcgi/pages/clusters/form.hpp"
#include "fcgi/pages/form_field.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"

namespace fcgi::pages {

/// The control of a provider's field, named "providerFields.<name>". What is yes or no, or one of a
/// list, is chosen; nothing chosen means the provider's own setting. A secret field is a password
/// input that never has a value: what was typed is not sent back to the browser.
FormField provider_field(const provisioner::model::PluginField& from, const ClusterForm& form);

/// A value as the form has it: "Yes" for "true" of what is yes or no. Others as they are.
std::string chosen_value_words(const provisioner::model::PluginField& field,
                               const std::string& value);

}  // namespace fcgi::pages
