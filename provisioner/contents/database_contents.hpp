#pragma once

#include "provisioner/contents/content_store.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::contents {

/// Stores bytes as rows of `content_piece`, 1 MiB each. Hosts need to share nothing but the
/// database.
///
/// Each piece is written in a transaction of its own, so a large file holds no lock for long. A
/// piece is accepted only while its content's row is arriving. So put() throws PlaceError once
/// sweep() has given the upload up. An empty content has one empty piece, which tells it from a
/// missing one.
class DatabaseContents final : public ContentStore {
 public:
    /// `database` must outlive this object and the sources it opens.
    explicit DatabaseContents(store::Database& database) : database_(database) {}

    void put(const std::string& name, Source& from, std::uint64_t size) override;
    std::unique_ptr<Source> open(const std::string& name) override;
    void remove(const std::string& name) override;

 private:
    store::Database& database_;
};

}  // namespace provisioner::contents
