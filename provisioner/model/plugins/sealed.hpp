#pragma once

#include <string>
#include <string_view>

#include "provisioner/base/json.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"

namespace provisioner::model {

/// What stands for a secret wherever one is shown. Written back in its place, it keeps the secret.
inline constexpr std::string_view secret_mask = "********";

/// A sealed secret as it is stored in place of the value: {"sealed":"<identity::seal>"}.
base::Json sealed_value(const std::string& sealed);

/// Whether a value is one.
bool is_sealed(const base::Json& value);

/// The text in a sealed value.
std::string sealed_text(const base::Json& value);

/// The same fields with the mask in place of everything sealed.
base::Json masked(const base::Json& fields);

/// The same fields without what is sealed.
base::Json without_sealed(const base::Json& fields);

/// A stored catalogue entry as it is shown: the fields of a provider masked, others as they are.
base::Json shown_entry(base::Json entry);

/// Whether a name says that its value is a secret: "api_password", "client_secret", ...
bool sounds_secret(std::string name);

/// Whether values of this field are secret: declared sensitive or a password; a field the type does
/// not know, or of a type nobody knows (null), when its name sounds like it.
bool is_secret_field(const PluginType* type, const std::string& name);

}  // namespace provisioner::model
