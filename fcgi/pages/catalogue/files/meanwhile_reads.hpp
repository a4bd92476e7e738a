#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/files/meanwhile.hpp"

namespace fcgi::pages {

// What the pages about files read of the store and of the audit log to tell what others have done
// (meanwhile.hpp).

/// What machines get of a file, and who did that if a form has shown something else, which has the
/// field `seen` from word_of().
FileTurn read_turn(App& app, const provisioner::store::ResourceShelf& shelf,
                   const std::string& name, const std::string& seen);

/// The changes that the page has shown whose form was sent.
std::vector<provisioner::operations::FileChange> changes_in_form(
    const http::FormData& sent, provisioner::model::TenantId tenant);

/// How the changes that wait, those of `page`, differ from these, and who did that; at most 50.
std::vector<OtherChange> read_other_changes(
    App& app, const std::vector<provisioner::operations::FileChange>& seen, const FilesPage& page);

/// The address of the list after a sync: it names the newest one in the audit log.
std::string address_after_sync(App& app, provisioner::model::TenantId tenant);

/// What the sync has done that such an address names.
std::vector<SyncedFile> read_synced(App& app, const http::Request& request,
                                    provisioner::model::TenantId tenant);

}  // namespace fcgi::pages
