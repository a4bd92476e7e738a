#pragma once

#include <compare>
#include <string>
#include <vector>

#include "provisioner/base/expected.hpp"

namespace provisioner::base {

/// One mistake in a request: the field and a sentence the person can act on. Forms, operations,
/// solver and planner make problems. Refusals carry them to the caller; pages show each beside its
/// field. Never thrown.
struct Problem {
    /// Dotted path of the JSON member ("provisioner.fields") or the form field's name. Empty when
    /// no single field is at fault.
    std::string field;
    /// Shown to the person as it is. Texts of the wire contract are kept word for word. Never
    /// contains a secret.
    std::string message;

    auto operator<=>(const Problem&) const = default;
};

/// All problems of one request in the order they were found. Never empty where it stands for a
/// failure.
using Problems = std::vector<Problem>;

/// A value, or all problems of the request: checks go on after the first problem, so that a person
/// can correct everything at once. Readers of wire forms return it:
///
///     const auto provider = model::provider_from_json(json);
///     if (!provider) return refuse(Refusal::Kind::invalid, provider.error());
template <class T>
using Checked = expected<T, Problems>;

/// The problems as one line: each "field: message", or only "message" without a field, separated by
/// a semicolon and a blank. Empty for no problems. For logs and exceptions.
std::string to_text(const Problems& problems);

}  // namespace provisioner::base
