#include "provisioner/operations/plugins/file_changes.hpp"

#include <algorithm>

namespace provisioner::operations {

std::vector<FileChange> changes_of_sync(const std::vector<store::PendingVersion>& pending) {
    std::vector<FileChange> changes;
    for (const auto& [shelf, version] : pending) {
        auto change = std::ranges::find_if(changes, [&](const FileChange& one) {
            return one.name == version.name && one.shelf.kind == shelf.kind &&
                   one.shelf.plugin == shelf.plugin &&
                   one.shelf.resource_type == shelf.resource_type;
        });
        if (change == changes.end()) {
            change = changes.insert(changes.end(), {.shelf = shelf, .name = version.name});
        }
        if (version.live) change->before = version.version;
        if (version.slated) change->after = version.version;
    }
    return changes;
}

std::string name_in_audit(const store::ResourceShelf& shelf, const std::string& name) {
    return shelf.plugin + '/' + shelf.resource_type + '/' + name;
}

base::Json audited(const std::vector<FileChange>& changes, int FileChange::*side) {
    if (changes.empty()) return nullptr;
    base::Json files = base::Json::array();
    for (const FileChange& change : changes) {
        const int version = change.*side;
        files.push_back({{"file", name_in_audit(change.shelf, change.name)},
                         {"version", version == 0 ? base::Json() : base::Json(version)}});
    }
    return {{"files", std::move(files)}};
}

}  // namespace provisioner::operations
