#include "fcgi/pages/catalogue/files/meanwhile.hpp"

#include <algorithm>
#include <optional>

#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::operations::FileChange;
namespace base = provisioner::base;
namespace operations = provisioner::operations;

namespace {

constexpr std::size_t most_synced = 50;

std::optional<FileUse> use_of_word(const std::string& word) {
    const auto dash = word.find('-');
    if (dash == std::string::npos) return std::nullopt;
    const auto now = base::parse_number(word.substr(0, dash));
    const auto after = base::parse_number(word.substr(dash + 1));
    if (!now || !after) return std::nullopt;
    return FileUse{.now = static_cast<int>(*now), .after_sync = static_cast<int>(*after)};
}

std::string words_on_use(const FileTurn& turn) {
    const int now = turn.now.now;
    if (now == turn.seen.now) return "";
    if (now == 0) return translated("{0} was taken out of use meanwhile.", turn.name);
    return turn.used_by.empty()
               ? translated("Version {0} of {1} was put to use meanwhile.", now, turn.name)
               : translated("Version {0} of {1} was put to use meanwhile by {2}.", now, turn.name,
                            turn.used_by);
}

/// Of a file whose next sync does something else.
std::string words_on_slate(const FileTurn& turn) {
    const auto [now, after] = turn.now;
    const std::string& by = turn.slated_by;
    if (after == now) {
        return now == 0
                   ? translated("{0} waits for no sync any more: no version is in use.", turn.name)
                   : translated("{0} waits for no sync any more: version {1} stays in use.",
                                turn.name, now);
    }
    if (after == 0) {
        return by.empty() ? translated("Version {0} of {1} was recalled meanwhile.", now, turn.name)
                          : translated("Version {0} of {1} was recalled meanwhile by {2}.", now,
                                       turn.name, by);
    }
    return by.empty() ? translated("Version {0} of {1} was staged meanwhile.", after, turn.name)
                      : translated("Version {0} of {1} was staged meanwhile by {2}.", after,
                                   turn.name, by);
}

const FileChange* change_of_file(const std::vector<FileChange>& changes, const FileChange& file) {
    const auto found = std::ranges::find_if(
        changes, [&](const FileChange& one) { return operations::is_same_file(one, file); });
    return found == changes.end() ? nullptr : &*found;
}

FileUse use_of_change(const FileChange& change) {
    return {.now = change.before, .after_sync = change.after};
}

/// The number of a version of a document; 0 for none.
int version_at(const Json& file) {
    const Json* version = base::member(file, "version");
    return version != nullptr && version->is_number_integer() ? version->get<int>() : 0;
}

/// The files of a document; null for another one.
Json files_of_document(std::string_view document) {
    const auto json = base::parse_json(document);
    const Json* files = json ? base::member(*json, "files") : nullptr;
    return files != nullptr && files->is_array() ? *files : Json();
}

}  // namespace

std::string word_of(const FileUse& use) {
    return std::to_string(use.now) + '-' + std::to_string(use.after_sync);
}

std::string words_on_turn(const FileTurn& turn) {
    if (turn.seen == turn.now) return "";
    const std::string use = words_on_use(turn);
    // What was put to use waits for nothing.
    const bool is_told = !use.empty() && turn.now.after_sync == turn.now.now;
    const bool is_slated = turn.now.after_sync != turn.seen.after_sync || use.empty();
    return joined_sentences(use, is_slated && !is_told ? words_on_slate(turn) : "");
}

std::string words_on_meanwhile(FileTurn turn, const std::string& seen) {
    const auto shown = use_of_word(seen);
    if (!shown) return "";
    turn.seen = *shown;
    const std::string words = words_on_turn(turn);
    if (words.empty()) return "";
    return joined_sentences(words,
                            translated("Nothing was changed now. Look again at what is in use."));
}

bool is_as_wished(const FileUse& now, const std::string& wish, int version) {
    if (wish == "use") return now == FileUse{.now = version, .after_sync = version};
    if (wish == "stage") return now.after_sync == version;
    if (wish == "recall") return now == FileUse{.now = version, .after_sync = 0};
    return wish == "unstage" && now.after_sync == now.now && now.now != version;
}

std::vector<OtherChange> other_changes(const std::vector<FileChange>& seen,
                                       const std::vector<FileChange>& waiting) {
    std::vector<OtherChange> others;
    for (const FileChange& change : waiting) {
        const FileChange* shown = change_of_file(seen, change);
        // Of a file that waited for nothing, the page has shown no version.
        const FileUse before = shown == nullptr
                                   ? FileUse{.now = change.before, .after_sync = change.before}
                                   : use_of_change(*shown);
        const FileUse now = use_of_change(change);
        if (before == now) continue;
        others.push_back(
            {.change = change, .turn = {.name = change.name, .seen = before, .now = now}});
    }
    for (const FileChange& change : seen) {
        if (change_of_file(waiting, change) != nullptr) continue;
        others.push_back({.change = change,
                          .turn = {.name = change.name, .seen = use_of_change(change)},
                          .is_waiting = false});
    }
    return others;
}

bool is_synced_already(const std::vector<FileChange>& seen,
                       const std::vector<OtherChange>& others) {
    return !seen.empty() && others.size() == seen.size() &&
           std::ranges::all_of(others, [](const OtherChange& other) {
               const int after = other.change.after;
               return !other.is_waiting &&
                      other.turn.now == FileUse{.now = after, .after_sync = after};
           });
}

base::Problems problems_of_sync(const std::vector<OtherChange>& others) {
    base::Problems problems;
    for (const OtherChange& other : others) {
        const std::string words = words_on_turn(other.turn);
        if (!words.empty()) problems.push_back({"", words});
    }
    if (!others.empty()) problems.push_back({"", translated("Look again at what the sync does.")});
    return problems;
}

std::vector<SyncedFile> synced_files(std::string_view before, std::string_view after) {
    const Json olds = files_of_document(before);
    const Json news = files_of_document(after);
    std::vector<SyncedFile> files;
    for (std::size_t at = 0; at < std::min(olds.size(), news.size()); ++at) {
        files.push_back({.file = text_at(news[at], "file"),
                         .before = version_at(olds[at]),
                         .after = version_at(news[at])});
    }
    return files;
}

Json synced_json(const std::vector<SyncedFile>& files) {
    Json json;
    json["has_synced"] = !files.empty();
    json["synced"] = Json::array();
    for (std::size_t at = 0; at < std::min(files.size(), most_synced); ++at) {
        const auto& [name, before, after] = files[at];
        json["synced"].push_back({{"synced_file", name},
                                  {"synced_before", words_of_version(before)},
                                  {"synced_after", words_of_version(after)}});
    }
    json["more_synced"] =
        files.size() <= most_synced
            ? Json()
            : Json(translated_count(files.size() - most_synced, "{0} more file", "{0} more files"));
    return json;
}

}  // namespace fcgi::pages
