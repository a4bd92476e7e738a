#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/clusters/prepare.hpp"
#include "provisioner/operations/clusters/preview.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/solver/layout_problem.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// The solver's answer for one number of machines.
struct SizeAnswer {
    int machines = 0;
    /// Nothing: there is none, or it takes too long to find.
    std::optional<solver::ClusterLayout> layout{};
    /// Why, and what would help. Empty when there is a layout.
    solver::Unsatisfiable why{};
};

/// What clusters of a template would look like.
struct TemplateSizes {
    /// The provider that the machines would come from: the template's, or provider_with_types().
    std::string provider{};
    /// What clusters get by default: its services, and those of its parents and partial templates.
    std::vector<std::string> services{};
    /// In ascending order.
    std::vector<SizeAnswer> sizes{};
    /// Where the last of `sizes` has no layout and larger ones are allowed: some of the larger, in
    /// ascending order, up to the largest. Only the largest is explained.
    std::vector<SizeAnswer> beyond{};
    /// The smallest size that the template allows.
    int least = 1;
    /// The largest size that the template allows; may be larger than those shown.
    int most = 0;
    /// See digest_of_sizes().
    std::string digest{};
};

/// The first sizes of a template that says nothing of how many are to be shown. Pure.
SizeRange first_sizes(int smallest);

/// The sizes of a template that need not be stored, merged with its newest parents and partial
/// templates, with its default services. `range` is cut to the sizes that the template allows and
/// to most_sizes of them; without one it is first_sizes(). Nothing is written; layouts are worked
/// out without a transaction. Takes up to some seconds: layouts that are hard to find count as
/// impossible, and where sizes in a row are impossible for the same reasons, only some are
/// explained.
///
/// Refused as resolve_template says; as invalid without default services, and without any provider.
Result<TemplateSizes> sizes_of_template(store::Database& database, const model::Caller& caller,
                                        const model::ClusterTemplate& own,
                                        std::optional<SizeRange> range);

/// The same for a resolved template with default services, without a transaction; its `machines`
/// are not read. Pure.
TemplateSizes sizes_of_problem(solver::LayoutProblem problem,
                               std::optional<SizeRange> range = std::nullopt);

/// SHA-256, in hexadecimal, of all that decides which sizes are possible and which machines run
/// which of the default services: those services with their dependencies, the rules, and the types
/// that the provider has machines for. Names of people, labels and whatever else is in the
/// catalogue do not count. Pure.
std::string digest_of_sizes(const solver::LayoutProblem& problem);

/// The first of the providers for which there are hardware types and image types; the first of all
/// if there is none. `providers` must not be empty. Pure.
std::string provider_with_types(const std::vector<std::string>& providers,
                                const MachineTypes& types);

/// The same for a resolved template and a catalogue in `problem`; its `machines` are not read.
/// Pure.
std::vector<SizeAnswer> answers_for_sizes(solver::LayoutProblem problem, SizeRange range);

/// TemplateSizes::beyond: twice `last`, twice that and so on, and `largest`; none if `largest` is
/// not above `last`. Pure.
std::vector<SizeAnswer> answers_beyond(solver::LayoutProblem problem, int last, int largest);

}  // namespace provisioner::operations
