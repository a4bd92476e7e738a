#include "provisioner/model/catalogue/entity_fields.hpp"

#include "provisioner/model/names.hpp"

namespace provisioner::model::detail {

void unite(std::vector<std::vector<std::string>>& all,
           const std::vector<std::vector<std::string>>& more) {
    for (const auto& group : more) {
        const bool known = std::any_of(
            all.begin(), all.end(), [&](const auto& one) { return sorted(one) == sorted(group); });
        if (!known) all.push_back(group);
    }
}

void merge_keys(base::Json& all, const base::Json& later, const std::string& path,
                MergeState& state) {
    for (const auto& [key, value] : later.items()) {
        if (state.locked.contains(key)) {
            state.problems.push_back({.field = path + "." + key,
                                      .message = key + " can't be overridden due immutability."});
        }
        all[key] = value;
    }
    if (!state.locks_keys) return;
    for (const auto& item : later.items()) state.locked.insert(item.key());
}

}  // namespace provisioner::model::detail
