#include "provisioner/model/catalogue/entity_fields.hpp"

#include <set>

#include "provisioner/model/names.hpp"

namespace provisioner::model::detail {

void unite(std::vector<std::vector<std::string>>& all,
           const std::vector<std::vector<std::string>>& more) {
    std::set<std::vector<std::string>> known;
    for (const auto& group : all) known.insert(sorted(group));
    for (const auto& group : more) {
        if (known.insert(sorted(group)).second) all.push_back(group);
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
