#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/service.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/catalogue/references.hpp"
#include "provisioner/operations/clusters/prepare.hpp"
#include "provisioner/operations/clusters/template_sizes.hpp"
#include "provisioner/solver/layout_problem.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Which of the first sizes of each cluster template do not work, kept in the database: to work it
// out may take seconds for one template, and lists show hundreds. An answer is kept by the digest
// of all that it depends on. So it holds for whatever template has that digest, stored or not, and
// none is ever out of date. Daemons work out those that are missing; pages that work one out anyway
// keep it.

/// Sizes in a row that do not work for the same reason.
struct SizeTrouble {
    int first = 0;
    int last = 0;
    /// Whether all larger sizes that were tried are impossible, too.
    bool goes_on = false;
    /// The default services that no machine runs; empty: the sizes are not possible.
    std::vector<std::string> left_out{};

    bool operator==(const SizeTrouble&) const = default;
};

/// What is wrong with sizes that were worked out, in ascending order. Pure.
std::vector<SizeTrouble> troubles_of_sizes(const TemplateSizes& sizes);

/// The form in which an answer is kept, and back. What cannot be read is no trouble. Pure.
base::Json to_json(const std::vector<SizeTrouble>& troubles);
std::vector<SizeTrouble> troubles_from_json(const base::Json& kept);

/// The templates of a catalogue as problems of the solver. What the solver does not read is left
/// out, so that hundreds of them are made quickly.
class SizedCatalogue {
 public:
    /// `entries` must outlive the object. Entries that cannot be read are passed over.
    explicit SizedCatalogue(const CatalogueEntries& entries);

    /// The problem of a cluster template in wire form, merged with its relatives. It has the same
    /// digest, the same layouts and the same reasons as what sizes_of_template() solves; remedies
    /// may be fewer, since other services than the template's are left out. Nothing for one that
    /// has no sizes: it cannot be merged, has no default services, or there is no provider. Pure.
    std::optional<solver::LayoutProblem> problem_of(const base::Json& cluster_template) const;

 private:
    const CatalogueEntries& entries_;
    std::map<std::string, model::Service> services_{};
    MachineTypes types_{};
    std::vector<std::string> providers_{};
};

/// Keeps the answer of sizes_of_template() for first_sizes(). Does nothing if it is kept already.
void keep_sizes(store::Database& database, model::TenantId tenant, const TemplateSizes& sizes);

/// Which tenants' templates are still to be worked out; a daemon has one, for its whole life.
struct SizesToDo {
    /// The first round looks at all tenants, later ones at those whose catalogues have changed.
    bool has_begun = false;
    /// The newest lines in the history of all catalogues, as of the latest round and of the round
    /// before. Changes are looked for from the latter on: one with a smaller id may have been
    /// committed later.
    long long newest_line = 0;
    long long line_before = 0;
    std::set<model::TenantId> tenants{};
    /// Where the latest round ended; the next one begins with the tenant behind it.
    model::TenantId last{};
};

/// Works out what is missing, one template after another, for about `patience`, or until
/// `is_over`; what is left stays in `to_do`. Answers that no template has any more are deleted
/// after a day. Several daemons may do it at once: they work out some answers twice. Returns how
/// many were worked out. Throws what the database throws; then the round can be repeated.
int work_out_sizes(store::Database& database, SizesToDo& to_do, std::chrono::milliseconds patience,
                   const std::function<bool()>& is_over);

}  // namespace provisioner::operations
