#include "fcgi/pages/catalogue/builder/rebased.hpp"

#include "fcgi/pages/differences/member_words.hpp"
#include "fcgi/pages/differences/value_difference.hpp"
#include "provisioner/base/merge.hpp"
#include "provisioner/operations/catalogue/edit.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::model::CatalogueKind;
namespace base = provisioner::base;

namespace {

/// Without what is no change: the version, and members that say what is usual.
std::optional<Json> comparable_entry(CatalogueKind kind, const Json& entry) {
    auto canonical = provisioner::operations::canonical_entry(kind, entry);
    if (!canonical) return std::nullopt;
    canonical->erase("version");
    return *std::move(canonical);
}

}  // namespace

std::optional<RebasedEntry> rebased_entry(CatalogueKind kind, const Json& before, const Json& ours,
                                          const Json& theirs) {
    const auto from = comparable_entry(kind, before);
    const auto typed = comparable_entry(kind, ours);
    const auto newer = comparable_entry(kind, theirs);
    if (!from || !typed || !newer) return std::nullopt;
    auto merged =
        base::merged_members(*from, *typed, *newer, [](const std::string&) { return true; });
    std::vector<EntryClash> clashes;
    for (const auto& [member, before_both, mine, other] : merged.overlaps) {
        clashes.push_back({.path = member,
                           .member = member_label(member),
                           .ours = value_in_words(member, mine),
                           .theirs = value_in_words(member, other)});
    }
    return RebasedEntry{.document = std::move(merged.document),
                        .theirs = member_labels(merged.theirs),
                        .clashes = std::move(clashes)};
}

}  // namespace fcgi::pages
