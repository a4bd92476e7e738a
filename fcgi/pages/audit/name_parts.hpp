#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/http/message.hpp"
#include "provisioner/store/audit/audit_store.hpp"

namespace fcgi::pages {

/// Whether the filter of the page was sent, in which names are parts of names. Links to events of
/// one object name it as a whole.
bool has_name_parts(const http::Request& request);

/// Lets a filter find all names that have its `user`, or its `object`, in them. Without a chain:
/// those in all logs. Returns what the page says of parts that too many names have: then only some
/// of them are found.
std::vector<std::string> find_name_parts(provisioner::store::Connection& connection,
                                         const std::optional<provisioner::model::TenantId>& chain,
                                         provisioner::store::AuditFilter& filter);

}  // namespace fcgi::pages
