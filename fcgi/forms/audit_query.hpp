#pragma once

#include <optional>
#include <string>

#include "fcgi/http/message.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/store/audit/all_chains_store.hpp"

namespace fcgi::forms {

/// Which events of the audit log a request asks for.
struct AuditQuery {
    /// Its chain is set by audit_chain_for().
    provisioner::store::AuditFilter filter{};
    /// Name of the tenant; nothing: the caller's own.
    std::optional<std::string> tenant{};
    /// The chain of the installation.
    bool installation = false;
    /// All chains as one log. A tenant that is named makes it that tenant's.
    bool everywhere = false;
};

/// A place in the log of all chains as the parameter "cursor" has it, and back; nothing for another
/// text.
std::string word_of(const provisioner::store::AuditPlace& place);
std::optional<provisioner::store::AuditPlace> audit_place(const std::string& word);

/// Reads the query parameters from, to, user, action, exact, objectKind, object, outcome, request,
/// tenant and scope ("installation" or "all"). A moment is milliseconds since 1970 or ISO 8601 in
/// UTC: "2026-11-20", "2026-11-20T23:28", "2026-11-20T23:28:02.123Z"; `to` without a time means the
/// end of that day. Empty parameters restrict nothing. All problems at once.
provisioner::base::Checked<AuditQuery> audit_query(const http::Request& request);

/// The chain that a query means, or why the caller may not see it.
struct AuditChainFound {
    /// Not of a query for all chains.
    std::optional<provisioner::model::TenantId> chain{};
    /// The caller may see what was asked for, and all chains were.
    bool everywhere = false;
    /// 403 or 404, with its text.
    int status = 0;
    std::string message{};
};

/// Admins see the chain of their tenant, superadmins all.
AuditChainFound audit_chain(provisioner::store::Connection& connection,
                            const provisioner::model::Caller& caller, const AuditQuery& query);

/// The moment that such a text names; nothing for another text. `is_end`: a day means its last
/// microsecond.
std::optional<provisioner::base::Timestamp> moment_in(const std::string& text, bool is_end = false);

}  // namespace fcgi::forms
