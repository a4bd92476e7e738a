#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/contents/contents.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::migrate {

/// Arguments of `seed`, from the command line of cooperage-migrate.
struct SeedRequest {
    /// Folder with catalogue/<collection>/<name>.json and resources/automatortypes/<type>/<resource
    /// type>/<file or folder>; a folder becomes an archive of its name.
    std::string folder;
    /// Path of access.json (mode 0600), read and then replaced: the URL, and the users with their
    /// passwords and API keys in clear text, for people and scripts.
    std::string access_file;
    /// Address of the pages, written to access.json; may be empty.
    std::string url;
    /// Whether users that exist get new passwords when the file has no valid ones of them.
    /// Otherwise that is an error, and nothing changes.
    bool may_reset_passwords = false;
    /// Set: new passwords are initial ones, which have to be changed at the first login and are
    /// refused after so long. Else they last: for trying out.
    std::optional<std::chrono::hours> initial_for{};
    /// Whether the tenant demo with its users and catalogue is made, too.
    bool has_demo = true;
    /// Whether users, keys and the tenant demo that were deleted are made again, and entries of the
    /// catalogue and files that users have changed or deleted are as in the folder again.
    bool gives_back = false;
};

/// Brings the tenants superadmin and demo, their users, catalogue and resources to the state of the
/// folder. Nothing is deleted, and nothing that somebody has deleted is given back: what was made
/// once is recorded in the database. access.json lacks such users, and has an empty text for such
/// keys.
///
/// Doing it again changes only what differs: an entry that changed in the folder, and that no user
/// has changed or deleted, gets a new version, as does such a file, and a user gets a new password
/// or key when access.json has no valid one. A password that its owner has changed is not written
/// again, and stays. Each user and entry is its own transaction, and access.json is written before
/// the catalogue. After an interruption the next call goes on. Throws std::runtime_error naming the
/// file that is wrong. Returns what is left as users have made it, though the folder has something
/// else: "demo: clustertemplates/web.json".
std::vector<std::string> seed(store::Database& database, const contents::Contents& contents,
                              const SeedRequest& request, base::Timestamp now);

}  // namespace provisioner::migrate
