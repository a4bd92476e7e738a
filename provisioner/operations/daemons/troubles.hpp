#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/mail.hpp"
#include "provisioner/operations/prices/budgets.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"
#include "provisioner/store/daemons/trouble_store.hpp"
#include "provisioner/store/overview/tenant_overview.hpp"

namespace provisioner::operations {

// What superadmins are told of by mail, if they want to, and administrators of the budget of their
// tenant: each trouble once, and once more when it is over. The daemons look for troubles, so one
// that is the only one cannot tell that it has stopped.

/// How long a provisioner is silent before that is told. Longer than a restart takes.
inline constexpr std::chrono::minutes silence_told{5};
/// How long a task waits for a worker before that is told.
inline constexpr std::chrono::minutes wait_told{15};
/// Most sentences in one mail; of further ones it says how many there are.
inline constexpr std::size_t troubles_in_mail = 50;

/// Something that is wrong with the installation now.
struct SiteTrouble {
    store::TroubleName name{};
    /// One or more sentences in English.
    std::string text{};
    /// The page that shows it, below the prefix of the site.
    std::string path{};
};

/// A tenant with a budget.
struct TenantBudget {
    std::string tenant{};
    BudgetState state{};
};

/// What troubles are found in. All of one snapshot.
struct TroubleFacts {
    std::vector<store::DaemonRow> daemons{};
    std::vector<store::TenantQueue> queues{};
    std::vector<TenantBudget> budgets{};
};

/// Provisioners that are silent and do not drain, tenants whose tasks wait long, and budgets of
/// which 80 % are used (model::budget_warnings). Pure.
std::vector<SiteTrouble> troubles_in(const TroubleFacts& facts, base::Timestamp now);

/// What has changed since it was told last.
struct TroubleNews {
    std::vector<SiteTrouble> began{};
    std::vector<SiteTrouble> ended{};
};

/// `told` that is not among `troubles` has ended. A provisioner that is not in the list of daemons
/// any more does not run again, which its sentence says. Pure.
TroubleNews news_of(const std::vector<SiteTrouble>& troubles,
                    const std::vector<store::TroubleName>& told, const TroubleFacts& facts);

/// What concerns a reader: everything, or for an administrator the budget of their tenant, with
/// links that they may follow. Pure.
TroubleNews news_for(const TroubleNews& news, const store::TroubleReader& reader);

/// The mail about them, without a reader. `site` is the address of the installation with its
/// prefix, for links; empty: without links. Pure.
model::Mail mail_about(const TroubleNews& news, const std::string& site);

/// Looks for troubles and writes the mails about what has changed. Only reads if nothing has.
/// Several daemons may do it at once: each trouble is told by one. What nobody wants to be told of
/// counts as not told, so whoever wants it first is told. Returns how much was told.
int tell_troubles(store::Database& database, const std::string& site);

}  // namespace provisioner::operations
