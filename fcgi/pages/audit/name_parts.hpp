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

/// What is said of a part that too many names have.
std::string words_on_many_names(const std::string& part);

/// What an empty list says then.
std::string words_on_none_of_names();

/// Lets a filter find all names that have its `user`, or its `object` of its kind, in them. Without
/// a chain: those in all logs. Returns what the page says of parts that too many names have: then
/// only the names of the newest events are found.
std::vector<std::string> find_name_parts(provisioner::store::Connection& connection,
                                         const std::optional<provisioner::model::TenantId>& chain,
                                         provisioner::store::AuditFilter& filter);

}  // namespace fcgi::pages
