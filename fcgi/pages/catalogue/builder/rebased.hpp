#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/entity.hpp"

namespace fcgi::pages {

/// A member that a form and somebody else changed, to different values.
struct EntryClash {
    /// "constraints.size.max", and that in the words of the form.
    std::string path{};
    std::string member{};
    /// Values in words; empty for none. What sounds secret is hidden.
    std::string ours{};
    std::string theirs{};

    bool operator==(const EntryClash&) const = default;
};

/// What a form becomes whose entry somebody else has saved meanwhile.
struct RebasedEntry {
    /// The newer version with what the form changed; what both changed is as in the form. Wire
    /// form, without a version.
    provisioner::base::Json document{};
    /// What only the newer version changed, in the words of the form.
    std::vector<std::string> theirs{};
    std::vector<EntryClash> clashes{};
};

/// All in wire form: what the form was filled from, the form, and what there is now.
/// Nothing if one of them cannot be read. Pure.
std::optional<RebasedEntry> rebased_entry(provisioner::model::CatalogueKind kind,
                                          const provisioner::base::Json& before,
                                          const provisioner::base::Json& ours,
                                          const provisioner::base::Json& theirs);

}  // namespace fcgi::pages
