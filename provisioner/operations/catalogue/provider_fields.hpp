#pragma once

#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/operations/refusal.hpp"

namespace provisioner::operations {

/// Provider fields as a cluster takes them over.
struct TakenFields {
    /// The provider with the fields anybody may see in it.
    model::Provider provider;
    /// The secret ones, still open: name -> value.
    base::Json secrets = base::Json::object();
};

/// Takes from `given` what a user may set: the type's user fields and its overridable admin fields;
/// others are dropped, and so is
/// what is null: it counts as not given. Refused with missing_fields when no alternative of the
/// type's required user fields is covered by the provider's fields, `given` and `known` (an object
/// whose names count).
Result<TakenFields> with_user_fields(const model::Provider& provider, const model::PluginType& type,
                                     const base::Json& given,
                                     const base::Json& known = base::Json::object());

}  // namespace provisioner::operations
