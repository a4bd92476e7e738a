#pragma once

#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"

namespace provisioner::operations {

// Provider fields that a user gives for one cluster. Open fields go into the cluster's copy of the
// provider. Secret fields are sealed and stored with the cluster.

/// The provider fields of a cluster after a request.
struct TakenFields {
    /// The provider with the open fields of the request in it.
    model::Provider provider;
    /// The secret fields of the request: name -> open value. Seal them before storing
    /// (keep_secrets).
    base::Json secrets = base::Json::object();
};

/// Who gives the fields.
enum class FieldsOf { user, administrator };

/// Administrators may edit the provider, so they may give its fields for one cluster, too.
inline FieldsOf fields_of(const model::Caller& caller) {
    return caller.is_admin() ? FieldsOf::administrator : FieldsOf::user;
}

/// Takes from `given` what a user may set: the type's user fields and its overridable admin fields.
/// Drops all others, nulls, and secrets that are empty or the mask. `known` is an object whose
/// names count as given; its values are not read.
///
/// Refused with missing_fields when no alternative of the type's required user fields is covered by
/// the provider's fields, `known` and what is not dropped of `given`. Refused as invalid for a
/// value in the form of a sealed secret, and for a field that grants rights (PluginField::grants)
/// with another value than the provider's unless an administrator gives it. Pure.
Result<TakenFields> with_user_fields(const model::Provider& provider, const model::PluginType& type,
                                     const base::Json& given, FieldsOf whose,
                                     const base::Json& known = base::Json::object());

}  // namespace provisioner::operations
