#include "provisioner/operations/refusal.hpp"

namespace provisioner::operations {

base::unexpected<Refusal> refuse(Refusal::Kind kind, std::string field, std::string message) {
    Refusal refusal;
    refusal.kind = kind;
    refusal.problems.push_back({.field = std::move(field), .message = std::move(message)});
    return base::unexpected(std::move(refusal));
}

}  // namespace provisioner::operations
