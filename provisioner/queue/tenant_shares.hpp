#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "provisioner/model/tenants/tenant.hpp"

namespace sql {
class Connection;
}

namespace provisioner::queue {

/// Tasks that were taken from the queue's head.
struct ClaimedIds {
    std::vector<long long> all;
    /// Of these, the ones that count for their tenant's limit.
    std::map<model::TenantId, std::vector<long long>> of_limited;
};

/// How tenants share what is claimed, inside the transaction that is open on the connection.
class TenantShares {
 public:
    /// `last_served` is the tenant the call before ended with; it is kept up to date. `offered` is
    /// a JSON array of the plugins that tasks may need; empty: whatever they need. All must outlive
    /// the object.
    TenantShares(sql::Connection& connection, model::TenantId& last_served,
                 const std::string& offered)
        : connection_(connection), last_served_(last_served), offered_(offered) {}

    /// Takes up to `limit` tasks that are due from the queue's head, none of `except`, in equal
    /// parts. What another claimer has locked is left to it.
    ClaimedIds take(int limit, const std::set<model::TenantId>& except);

    /// Time until the earliest task of a tenant that is not at its limit; not negative.
    std::optional<std::chrono::microseconds> next_due();

 private:
    /// A tenant with tasks in the queue's head.
    struct Share {
        model::TenantId tenant;
        bool limited = false;
        /// How many more of its tasks may be claimed.
        int room = 0;
        /// Until its earliest task is due; negative when it is.
        std::chrono::microseconds due{0};
    };

    std::vector<Share> shares();
    std::vector<Share> claimable(const std::set<model::TenantId>& except);
    void turn_to_next(std::vector<Share>& shares) const;
    void wait_for_turns(const std::vector<Share>& shares);
    void count_held(std::vector<Share>& shares);
    std::vector<long long> take_of(const Share& share, int limit);

    sql::Connection& connection_;
    model::TenantId& last_served_;
    const std::string& offered_;
};

}  // namespace provisioner::queue
