#pragma once

#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace provisioner::operations {

/// The answer of an operation that was not done. The database is unchanged.
///
/// Operations return Result<T>: a value or a Refusal. Refusals are for requests that a person can
/// correct or repeat. A broken database or a bug is an exception. fcgi/api/refusals.cpp turns a
/// Refusal into a response.
struct Refusal {
    /// Each kind has its HTTP status.
    enum class Kind {
        /// The request is wrong: 400 (422 for pages and our own API); the problems name fields.
        invalid,
        /// The caller may not do it: 403.
        forbidden,
        /// Something the request names does not exist, or the caller may not see it: 404.
        not_found,
        /// The request does not fit the present state, for example because a name is taken: 409.
        conflict,
        /// Provider fields are missing: 400 with `missing_fields`.
        missing_fields,
        /// No layout keeps all rules: 422. The wire contract's create stores a terminated cluster
        /// instead (record_unsatisfiable).
        unsatisfiable,
        /// The caller has repeated such requests too often: 429.
        too_often,
        /// The server cannot do it at this moment; the same request may succeed in a few seconds:
        /// 503 with Retry-After.
        too_busy,
    };

    Kind kind = Kind::invalid;
    /// Never empty. The first message is the wire contract's own text where it has one. `field` is
    /// empty when no single field is wrong.
    base::Problems problems;
    /// Kind::missing_fields: the array of the wire contract's `missingFields`, one object per
    /// alternative set of fields.
    base::Json missing_fields;
    /// Kind::unsatisfiable: the cluster message of the wire contract ("Layout solving failed:
    /// ..."). Kind::invalid: the wire contract's text where it has one for all problems together.
    /// Otherwise empty.
    std::string wire_message;
    /// Kind::unsatisfiable: changes that would make it possible, the smallest first; may be empty.
    std::vector<solver::Remedy> remedies{};
};

/// The result of an operation: a value, or why it was not done.
template <class T>
using Result = base::expected<T, Refusal>;

/// The refusal for a request without a layout: its reasons, remedies and message.
Refusal unsatisfiable(const solver::Unsatisfiable& why);

/// A refusal with one problem.
base::unexpected<Refusal> refuse(Refusal::Kind kind, std::string field, std::string message);

/// The not_found refusal for a cluster that does not exist or that the caller may not see: "cluster
/// <id> does not exist".
base::unexpected<Refusal> no_such_cluster(model::ClusterId cluster);

/// A refusal with these problems, at least one.
base::unexpected<Refusal> refuse(Refusal::Kind kind, base::Problems problems);

}  // namespace provisioner::operations
