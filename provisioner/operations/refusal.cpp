#include "provisioner/operations/refusal.hpp"

namespace provisioner::operations {

base::unexpected<Refusal> refuse(Refusal::Kind kind, std::string field, std::string message) {
    Refusal refusal;
    refusal.kind = kind;
    refusal.problems.push_back({.field = std::move(field), .message = std::move(message)});
    return base::unexpected(std::move(refusal));
}

Refusal unsatisfiable(const solver::Unsatisfiable& why) {
    Refusal refusal;
    refusal.kind = Refusal::Kind::unsatisfiable;
    refusal.wire_message = solver::wire_message(why);
    refusal.remedies = why.remedies;
    for (const auto& reason : why.reasons) {
        refusal.problems.push_back({.field = why.field, .message = reason});
    }
    if (refusal.problems.empty()) {
        refusal.problems.push_back({.field = why.field, .message = refusal.wire_message});
    }
    return refusal;
}

base::unexpected<Refusal> no_such_cluster(model::ClusterId cluster) {
    return refuse(Refusal::Kind::not_found, "",
                  "cluster " + model::wire_id(cluster) + " does not exist");
}

base::unexpected<Refusal> refuse(Refusal::Kind kind, base::Problems problems) {
    Refusal refusal;
    refusal.kind = kind;
    refusal.problems = std::move(problems);
    return base::unexpected(std::move(refusal));
}

}  // namespace provisioner::operations
