#pragma once

#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::operations {

/// Why an operation was not done. Nothing was changed.
struct Refusal {
    enum class Kind {
        /// The request is wrong: 400 (422 for a page), the problems name fields.
        invalid,
        /// Nobody may do it: 403.
        forbidden,
        /// Something it names does not exist, or not for this caller: 404.
        not_found,
        /// It does not fit what is there now: 409.
        conflict,
        /// Provider fields are missing: 400 with `missing_fields`.
        missing_fields,
        /// No layout keeps all rules: 422; the wire contract's create stores a terminated cluster
        /// instead.
        unsatisfiable,
        /// Somebody asks for it again and again: 429.
        too_often,
        /// It cannot be done at this moment, and can in a few seconds: 503.
        too_busy,
    };

    Kind kind = Kind::invalid;
    /// Never empty. The first message is the wire contract's own text where it has one.
    base::Problems problems;
    /// Kind::missing_fields: the array of the wire contract's `missingFields`.
    base::Json missing_fields;
    /// Kind::unsatisfiable: the cluster message of the wire contract ("Layout solving failed:
    /// ..."). Kind::invalid: the wire contract's text where it has one for all problems together.
    std::string wire_message;
    /// Kind::unsatisfiable: what would make it possible.
    std::vector<solver::Remedy> remedies{};
};

template <class T>
using Result = base::expected<T, Refusal>;

/// A request without a layout: its reasons, remedies and message.
Refusal unsatisfiable(const solver::Unsatisfiable& why);

/// A refusal with one problem.
base::unexpected<Refusal> refuse(Refusal::Kind kind, std::string field, std::string message);

/// A refusal of what is asked of a cluster that is not there, or not for this caller.
base::unexpected<Refusal> no_such_cluster(model::ClusterId cluster);

/// A refusal with these problems, at least one.
base::unexpected<Refusal> refuse(Refusal::Kind kind, base::Problems problems);

}  // namespace provisioner::operations
