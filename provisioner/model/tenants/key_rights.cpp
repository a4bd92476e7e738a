#include "provisioner/model/tenants/key_rights.hpp"

#include <algorithm>
#include <stdexcept>

namespace provisioner::model {

namespace {

std::set<KeyRight> rights_of(const KeyLimits& limits) {
    if (limits.scope == KeyScope::some) {
        // A right to change is a right to read, too.
        std::set<KeyRight> rights = limits.rights;
        for (const KeyRight& right : limits.rights) rights.insert({right.kind, false});
        return rights;
    }
    std::set<KeyRight> rights;
    for (const auto& [kind, word] : base::words<ResourceKind>) {
        rights.insert({kind, false});
        if (limits.scope == KeyScope::all) rights.insert({kind, true});
    }
    return rights;
}

bool has_more_rights(const KeyLimits& own, const KeyLimits& wanted) {
    // `all` and `read` also cover calls that belong to no kind.
    if (own.scope == KeyScope::some && wanted.scope != KeyScope::some) return true;
    const auto mine = rights_of(own);
    const auto theirs = rights_of(wanted);
    return !std::includes(mine.begin(), mine.end(), theirs.begin(), theirs.end());
}

}  // namespace

KeyComparison compare(const KeyLimits& own, const KeyLimits& wanted) {
    const bool more_clusters =
        !own.clusters.empty() &&
        (wanted.clusters.empty() || !std::includes(own.clusters.begin(), own.clusters.end(),
                                                   wanted.clusters.begin(), wanted.clusters.end()));
    const bool longer =
        own.expires_at && (!wanted.expires_at || *wanted.expires_at > *own.expires_at);
    return {.has_more_rights = has_more_rights(own, wanted),
            .has_more_clusters = more_clusters,
            .lives_longer = longer};
}

bool allows(const KeyLimits& limits, const std::optional<ResourceKind>& kind, bool changes) {
    if (limits.scope == KeyScope::all) return true;
    if (limits.scope == KeyScope::read) return !changes;
    if (!kind) return false;
    return rights_of(limits).contains({*kind, changes});
}

Right needed_for(const KeyRight& right) {
    const bool changes = right.may_change;
    switch (right.kind) {
        case ResourceKind::catalogue:
        case ResourceKind::costs:
            return changes ? Right::administer_tenant : Right::own_account;
        case ResourceKind::clusters:
        case ResourceKind::profile:
            return changes ? Right::use_clusters : Right::own_account;
        case ResourceKind::machines:
        case ResourceKind::people:
            return changes ? Right::administer_tenant : Right::see_tenant;
        case ResourceKind::audit:
        case ResourceKind::operations:
            return changes ? Right::administer_installation : Right::see_tenant;
    }
    throw std::logic_error("unknown kind of resources");
}

std::set<KeyRight> lacking_rights(const KeyLimits& limits, Role role) {
    std::set<KeyRight> lacking;
    if (limits.scope != KeyScope::some) return lacking;
    for (const KeyRight& right : limits.rights) {
        if (!has(role, needed_for(right))) lacking.insert(right);
    }
    return lacking;
}

std::string to_text(const KeyRight& right) {
    return base::to_word(right.kind) + (right.may_change ? ":write" : ":read");
}

std::optional<KeyRight> right_from(std::string_view text) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto kind = base::from_word<ResourceKind>(text.substr(0, colon));
    const auto what = text.substr(colon + 1);
    if (!kind || (what != "read" && what != "write")) return std::nullopt;
    return KeyRight{*kind, what == "write"};
}

}  // namespace provisioner::model
