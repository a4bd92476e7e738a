#pragma once

#include <string>
#include <string_view>

#include "provisioner/model/tenants/identity_provider.hpp"

namespace provisioner::federation {

/// A value inside of a filter: whatever means something there is \XX (RFC 4515, 3). Bytes that are
/// no ASCII are, too, so identifiers may be binary.
std::string filter_value(std::string_view value);

/// The filter of all who may be users, and of those of them who have a name and an identifier.
std::string filter_of_all(const model::IdentityProvider& provider);
std::string filter_of_everybody(const model::IdentityProvider& provider);

/// The filter for the user with that name, and for the one with that subject.
std::string filter_of_name(const model::IdentityProvider& provider, const std::string& name);
std::string filter_of_subject(const model::IdentityProvider& provider, const std::string& subject);

/// Whether groups have the names of their members, not distinguished names.
bool groups_by_name(const model::IdentityProvider& provider);

/// The filter for the groups of a user.
std::string filter_of_groups(const model::IdentityProvider& provider, const std::string& dn,
                             const std::string& name);

/// An identifier as text: as it is if it is printable (entryUUID), else in hexadecimal digits
/// behind "x" (objectGUID).
std::string subject_of(std::string_view identifier);

/// The identifier of such a text.
std::string identifier_of(std::string_view subject);

}  // namespace provisioner::federation
