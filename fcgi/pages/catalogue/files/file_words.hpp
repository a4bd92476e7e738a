#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/store/plugins/resource_store.hpp"

namespace fcgi::pages {

// What the pages about files of plugins have in common. Pure.

/// "1,234 bytes", "56 KiB", "1.5 MiB".
std::string size_of_file(std::uint64_t bytes);

/// "scripts of automator shell": several plugins have files of one kind.
std::string words_of_shelf(const provisioner::store::ResourceShelf& shelf);

/// What machines get of a file.
struct FileUse {
    /// Numbers of versions; 0: none.
    int now = 0;
    int after_sync = 0;

    bool operator==(const FileUse&) const = default;
};

/// That of a file with these versions.
FileUse use_of(const std::vector<provisioner::store::ResourceVersion>& versions);

/// "Version 2"; "Nothing" for 0.
std::string words_of_version(int number);

/// The data of views/catalogue/_used_by: the first `most` services that use a file, as links, and
/// how many more do. The link to those, `more_href`, is the caller's.
void put_services(const std::vector<std::string>& services, std::size_t most,
                  provisioner::base::Json& json);

/// {shelf, shelf_href}, for the links above a heading.
provisioner::base::Json crumbs(const provisioner::store::ResourceShelf& shelf);

/// {pending}: "2 changes" that wait for a sync; null without any.
provisioner::base::Json pending_words(std::size_t files);

/// What the form of an upload has, drawn again.
struct UploadForm {
    /// Of the file that gets its next version; empty: the form has a control for it.
    std::string next_of{};
    /// The newest version of that file that the page shows.
    int known_version = 0;
    /// What the page shows in use, from word_of(); empty if it shows no file.
    std::string seen{};
    std::string name{};
    std::string note{};
    std::string name_problem{};
    std::string file_problem{};
};

/// The data of views/catalogue/_file_upload.
provisioner::base::Json upload_json(const provisioner::store::ResourceShelf& shelf,
                                    const UploadForm& form);

}  // namespace fcgi::pages
