#pragma once

#include <filesystem>

#include "provisioner/contents/content_store.hpp"

namespace provisioner::contents {

/// Keeps bytes as files <folder>/<first two digits>/<name>. A file is there whole and on the disk,
/// or not at all. Several hosts have to see the same folder.
class FolderContents final : public ContentStore {
 public:
    /// The folder has to exist when something is kept or removed.
    explicit FolderContents(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void put(const std::string& name, Source& from, std::uint64_t size) override;
    std::unique_ptr<Source> open(const std::string& name) override;
    void remove(const std::string& name) override;

 private:
    std::filesystem::path path_of(const std::string& name) const;
    void expect_folder() const;

    std::filesystem::path folder_;
};

}  // namespace provisioner::contents
