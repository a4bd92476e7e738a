#pragma once

#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/contents/contents.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::migrate {

/// What `seed` needs to know.
struct SeedRequest {
    /// Folder with catalogue/<collection>/<name>.json and resources/automatortypes/<type>/<resource
    /// type>/<file or folder>; a folder becomes an archive of its name.
    std::string folder;
    /// Where access.json is kept (mode 0600): the URL and the users with passwords and API keys,
    /// for people and scripts.
    std::string access_file;
    /// The address it shall name.
    std::string url;
};

/// Brings the tenants superadmin and demo, their users, catalogue and scripts to what the folder
/// says. Doing it again changes only what differs: entries get a new version, users of whom
/// access.json knows no valid password or key get new ones. Throws std::runtime_error naming the
/// file that is wrong.
void seed(store::Database& database, const contents::Contents& contents, const SeedRequest& request,
          base::Timestamp now);

}  // namespace provisioner::migrate
