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
std::optional<Json> comparable_template(CatalogueKind kind, const Json& entry) {
    auto canonical = provisioner::operations::canonical_entry(kind, entry);
    if (!canonical) return std::nullopt;
    canonical->erase("version");
    return *std::move(canonical);
}

}  // namespace

std::optional<RebasedTemplate> rebased_template(CatalogueKind kind, const Json& before,
                                                const Json& ours, const Json& theirs) {
    const auto from = comparable_template(kind, before);
    const auto typed = comparable_template(kind, ours);
    const auto newer = comparable_template(kind, theirs);
    if (!from || !typed || !newer) return std::nullopt;
    auto merged =
        base::merged_members(*from, *typed, *newer, [](const std::string&) { return true; });
    std::vector<TemplateClash> clashes;
    for (const auto& [member, before_both, mine, other] : merged.overlaps) {
        clashes.push_back({.path = member,
                           .member = member_label(member),
                           .ours = value_in_words(member, mine),
                           .theirs = value_in_words(member, other)});
    }
    return RebasedTemplate{.document = std::move(merged.document),
                           .theirs = member_labels(merged.theirs),
                           .clashes = std::move(clashes)};
}

}  // namespace fcgi::pages
