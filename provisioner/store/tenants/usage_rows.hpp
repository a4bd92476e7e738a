#pragma once

#include <string>
#include <vector>

#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/tenants/usage_store.hpp"

namespace provisioner::store {

// Which rows of machine_span and of its totals a report reads. Only files of this folder include
// it.

/// Conditions for what a filter restricts, and their values in order. To append to a WHERE clause.
struct Restriction {
    std::string conditions{};
    std::vector<std::string> values{};

    /// " AND " and a condition with one `?`.
    void add(const std::string& condition, std::string value);

    void bind_to(Statement& statement) const;
};

/// For the totals.
Restriction restriction_of(const UsageFilter& filter);

/// For the spans that the totals do not include.
Restriction restriction_after_totals(const UsageFilter& filter);

/// For all spans that overlap a time.
Restriction restriction_between(const UsageFilter& filter, base::Timestamp start,
                                base::Timestamp end);

}  // namespace provisioner::store
