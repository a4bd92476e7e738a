#pragma once

#include <filesystem>

#include "provisioner/contents/content_store.hpp"

namespace provisioner::contents {

/// Stores bytes as files <folder>/<first two digits>/<name>. All hosts must see the same folder.
///
/// A file is written as <name>.part, synced, and then renamed. So under its name it is complete and
/// on disk, or does not exist. Files and folders are readable and writable for their group: web
/// processes and the daemon may run as different users.
class FolderContents final : public ContentStore {
 public:
    /// Does not touch the disk. put() and remove() throw PlaceError while the folder is missing. An
    /// unmounted folder must not look like one whose contents are gone.
    explicit FolderContents(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void put(const std::string& name, Source& from, std::uint64_t size) override;
    std::unique_ptr<Source> open(const std::string& name) override;
    void remove(const std::string& name) override;

 private:
    /// `name` must have at least two characters.
    std::filesystem::path path_of(const std::string& name) const;
    /// Throws PlaceError when the folder does not exist.
    void expect_folder() const;

    std::filesystem::path folder_;
};

}  // namespace provisioner::contents
