#include "provisioner/operations/plugins/file_changes.hpp"

#include <algorithm>
#include <set>

#include "provisioner/base/ids.hpp"

namespace provisioner::operations {

namespace {

/// Takes the text after the last `mark` off a text; nothing without one.
std::optional<std::string> take_last(std::string& text, char mark) {
    const auto at = text.rfind(mark);
    if (at == std::string::npos) return std::nullopt;
    std::string last = text.substr(at + 1);
    text.erase(at);
    return last;
}

/// The same for the number of a version; 0 is one.
std::optional<int> take_version(std::string& text) {
    const auto last = take_last(text, ' ');
    const auto number = last ? base::parse_number(*last) : std::nullopt;
    if (!number || *number < 0 || *number > model::no_maximum) return std::nullopt;
    return static_cast<int>(*number);
}

std::set<std::string> words_of_changes(const std::vector<FileChange>& changes) {
    std::set<std::string> words;
    for (const FileChange& change : changes) words.insert(word_of_change(change));
    return words;
}

}  // namespace

std::vector<FileChange> changes_of_sync(const std::vector<store::PendingVersion>& pending) {
    std::vector<FileChange> changes;
    for (const auto& [shelf, version] : pending) {
        const FileChange of_file{.shelf = shelf, .name = version.name};
        auto change = std::ranges::find_if(
            changes, [&](const FileChange& one) { return is_same_file(one, of_file); });
        if (change == changes.end()) change = changes.insert(changes.end(), of_file);
        if (version.live) change->before = version.version;
        if (version.slated) change->after = version.version;
    }
    return changes;
}

std::string word_of_change(const FileChange& change) {
    return base::to_word(change.shelf.kind) + '/' + name_in_audit(change.shelf, change.name) + ' ' +
           std::to_string(change.before) + ' ' + std::to_string(change.after);
}

std::optional<FileChange> change_of_word(const std::string& word, model::TenantId tenant) {
    std::string left = word;
    const auto after = take_version(left);
    const auto before = take_version(left);
    const auto name = take_last(left, '/');
    const auto resource_type = take_last(left, '/');
    const auto plugin = take_last(left, '/');
    const auto kind = base::from_word<model::PluginKind>(left);
    if (!after || !before || !name || !resource_type || !plugin || !kind) return std::nullopt;
    return FileChange{.shelf = {.tenant = tenant,
                                .kind = *kind,
                                .plugin = *plugin,
                                .resource_type = *resource_type},
                      .name = *name,
                      .before = *before,
                      .after = *after};
}

bool is_same_file(const FileChange& one, const FileChange& other) {
    return one.name == other.name && one.shelf.kind == other.shelf.kind &&
           one.shelf.plugin == other.shelf.plugin &&
           one.shelf.resource_type == other.shelf.resource_type;
}

bool are_same_changes(const std::vector<FileChange>& some, const std::vector<FileChange>& others) {
    return words_of_changes(some) == words_of_changes(others);
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
