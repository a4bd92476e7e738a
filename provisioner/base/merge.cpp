#include "provisioner/base/merge.hpp"

#include <algorithm>
#include <optional>

namespace provisioner::base {

namespace {

/// A value, or none: null is a value of its own.
using Found = const Json*;

bool is_same(Found a, Found b) {
    return a == nullptr || b == nullptr ? a == b : *a == *b;
}

bool is_object(Found value) {
    return value != nullptr && value->is_object();
}

Found found(Found object, const std::string& name) {
    return is_object(object) ? member(*object, name) : nullptr;
}

Json or_null(Found value) {
    return value == nullptr ? Json() : *value;
}

class Merge {
 public:
    explicit Merge(const KeepsOurs& keeps_ours) : keeps_ours_(keeps_ours) {}

    /// Nothing: the member goes.
    std::optional<Json> value(const std::string& path, Found before, Found ours, Found theirs) {
        const auto of = [](Found side) {
            return side == nullptr ? std::nullopt : std::optional(*side);
        };
        if (is_same(ours, theirs) || is_same(theirs, before)) return of(ours);
        // What is new in an object is named member by member.
        const bool is_whole = !is_object(ours) || !is_object(theirs);
        if (is_whole && is_same(ours, before)) {
            merged.theirs.push_back(path);
            return of(theirs);
        }
        if (!is_whole) return members(path, before, ours, theirs);
        merged.overlaps.push_back({path, or_null(before), or_null(ours), or_null(theirs)});
        return of(keeps_ours_ && keeps_ours_(path) ? ours : theirs);
    }

    Merged merged{};

 private:
    Json members(const std::string& path, Found before, Found ours, Found theirs) {
        std::vector<std::string> names;
        for (const auto& [name, each] : theirs->items()) names.push_back(name);
        // What only we have stands behind what it stands behind with us.
        auto place = names.begin();
        for (const auto& [name, each] : ours->items()) {
            const bool is_theirs = found(theirs, name) != nullptr;
            place = (is_theirs ? std::ranges::find(names, name) : names.insert(place, name)) + 1;
        }
        Json object = Json::object();
        for (const std::string& name : names) {
            auto one = value(path.empty() ? name : path + '.' + name, found(before, name),
                             found(ours, name), found(theirs, name));
            if (one) object[name] = *std::move(one);
        }
        return object;
    }

    const KeepsOurs& keeps_ours_;
};

}  // namespace

Merged merged_members(const Json& before, const Json& ours, const Json& theirs,
                      const KeepsOurs& keeps_ours) {
    Merge merge(keeps_ours);
    auto document = merge.value("", &before, &ours, &theirs);
    merge.merged.document = document ? *std::move(document) : Json();
    return std::move(merge.merged);
}

}  // namespace provisioner::base
