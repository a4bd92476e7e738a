#pragma once

#include "provisioner/contents/content_store.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::contents {

/// Keeps bytes as rows of about a MiB, each written and read in a transaction of its own. The row
/// of the content has to be there before its bytes.
class DatabaseContents final : public ContentStore {
 public:
    /// `database` must outlive it.
    explicit DatabaseContents(store::Database& database) : database_(database) {}

    void put(const std::string& name, Source& from, std::uint64_t size) override;
    std::unique_ptr<Source> open(const std::string& name) override;
    void remove(const std::string& name) override;

 private:
    store::Database& database_;
};

}  // namespace provisioner::contents
