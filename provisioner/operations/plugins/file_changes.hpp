#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/store/plugins/resource_store.hpp"

namespace provisioner::operations {

/// What a sync does to one file.
struct FileChange {
    store::ResourceShelf shelf{};
    std::string name{};
    /// The version that machines get until then; 0: none.
    int before = 0;
    /// The version that they get from then on; 0: none.
    int after = 0;
};

/// The changes of files whose versions wait for a sync, in the order of these. Pure.
std::vector<FileChange> changes_of_sync(const std::vector<store::PendingVersion>& pending);

/// A change as a form remembers it: "automator/shell/scripts/web.sh 1 2". Pure.
std::string word_of_change(const FileChange& change);

/// The change of such a word, on a shelf of the tenant; nothing for another text. Pure.
std::optional<FileChange> change_of_word(const std::string& word, model::TenantId tenant);

/// Whether both are of one file of a tenant. Pure.
bool is_same_file(const FileChange& one, const FileChange& other);

/// Whether both have the same changes, in whichever order. Pure.
bool are_same_changes(const std::vector<FileChange>& some, const std::vector<FileChange>& others);

/// A file as the audit log calls it: "shell/scripts/web.sh".
std::string name_in_audit(const store::ResourceShelf& shelf, const std::string& name);

/// What the audit log says of one side of the changes, `&FileChange::before` or `after`:
/// {"files": [{"file": "shell/scripts/web.sh", "version": 2}]}. Version 0 is null. Null without
/// changes. Pure.
base::Json audited(const std::vector<FileChange>& changes, int FileChange::*side);

}  // namespace provisioner::operations
