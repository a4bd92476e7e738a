#include "provisioner/operations/lease.hpp"

namespace provisioner::operations {

Result<std::chrono::milliseconds> initial_lease(std::optional<std::chrono::milliseconds> asked,
                                                std::chrono::milliseconds initial) {
    using std::chrono::milliseconds;
    constexpr auto field = "initialLeaseDuration";
    if (!asked) return initial;
    if (*asked < milliseconds{0}) {
        return refuse(Refusal::Kind::invalid, field,
                      "invalid lease duration: " + std::to_string(asked->count()));
    }
    if (initial == milliseconds{0}) return *asked;
    if (*asked == milliseconds{0} || *asked > initial) {
        return refuse(Refusal::Kind::invalid, field,
                      "lease duration cannot be greater than duration specified in template");
    }
    return *asked;
}

}  // namespace provisioner::operations
