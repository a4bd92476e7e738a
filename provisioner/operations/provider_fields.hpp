#pragma once

#include "provisioner/model/plugin_type.hpp"
#include "provisioner/model/provider.hpp"
#include "provisioner/operations/refusal.hpp"

namespace provisioner::operations {

/// The provider as a cluster keeps it: its own fields and those of `given` that a user may set (the
/// type's user fields and its overridable admin fields); others are dropped. Refused with
/// missing_fields when no alternative of the type's required user fields is covered.
Result<model::Provider> with_user_fields(const model::Provider& provider,
                                         const model::PluginType& type, const base::Json& given);

}  // namespace provisioner::operations
