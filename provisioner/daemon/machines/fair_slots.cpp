#include "provisioner/daemon/machines/fair_slots.hpp"

namespace provisioner::daemon {

std::vector<std::size_t> fair_slots(const std::vector<model::TenantId>& candidates,
                                    SlotsInUse in_use, int free, int of_tenant) {
    std::vector<std::size_t> chosen;
    std::vector<bool> is_chosen(candidates.size(), false);
    for (; free > 0; --free) {
        std::size_t next = candidates.size();
        int fewest = of_tenant;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (is_chosen[i] || in_use[candidates[i]] >= fewest) continue;
            next = i;
            fewest = in_use[candidates[i]];
        }
        if (next == candidates.size()) break;
        is_chosen[next] = true;
        ++in_use[candidates[next]];
        chosen.push_back(next);
    }
    return chosen;
}

}  // namespace provisioner::daemon
