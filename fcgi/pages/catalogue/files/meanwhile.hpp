#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fcgi/pages/catalogue/files/file_words.hpp"
#include "fcgi/pages/catalogue/files/files_page.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/plugins/file_changes.hpp"

namespace fcgi::pages {

// What others have done to files since a page was made whose form was sent: it is told, and the
// form is not carried out. Pure.

/// Which versions a page shows in use, now and after the next sync, as its forms say it: "2-3".
std::string word_of(const FileUse& use);

/// What was changed of a file since a page has shown it.
struct FileTurn {
    std::string name{};
    FileUse seen{};
    FileUse now{};
    /// Who put a version to use last, and who staged, unstaged or recalled one last, as far as the
    /// audit log tells.
    std::string used_by{};
    std::string slated_by{};
};

/// Sentences about what is not as it was; empty if all is.
std::string words_on_turn(const FileTurn& turn);

/// Why the form of a file is not carried out; empty if its page has shown what is in use now, or
/// the form does not say, which has `seen` from word_of().
std::string words_on_meanwhile(FileTurn turn, const std::string& seen);

/// Whether a file is as a form wishes that does "use", "stage", "unstage" or "recall" to a version:
/// of a form that was sent twice, the first has done it.
bool is_as_wished(const FileUse& now, const std::string& wish, int version);

/// A change that waits and was seen otherwise, or one that was seen and waits no more: then `now`
/// of its turn is not known, and `is_waiting` false.
struct OtherChange {
    provisioner::operations::FileChange change{};
    FileTurn turn{};
    bool is_waiting = true;
};

/// How the changes that wait differ from those that a page has shown, without names of users.
std::vector<OtherChange> other_changes(
    const std::vector<provisioner::operations::FileChange>& seen,
    const std::vector<provisioner::operations::FileChange>& waiting);

/// Whether all that was seen is done: of a sync that was sent twice, by the first.
bool is_synced_already(const std::vector<provisioner::operations::FileChange>& seen,
                       const std::vector<OtherChange>& others);

/// The problems of a sync that was sent with these differences, and what to do now; none without
/// differences.
provisioner::base::Problems problems_of_sync(const std::vector<OtherChange>& others);

/// What a sync has done to files, from the documents of its event in the audit log. Empty for
/// documents that were too large for the log.
std::vector<SyncedFile> synced_files(std::string_view before, std::string_view after);

/// {has_synced, synced, more_synced}: the first 50 of them, and how many more there are.
provisioner::base::Json synced_json(const std::vector<SyncedFile>& files);

}  // namespace fcgi::pages
