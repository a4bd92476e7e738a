#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/words.hpp"

namespace provisioner::model {

/// Key of table content.
using ContentId = base::Id<struct ContentTag>;

/// Where the bytes of plugin resources are stored (contents/content_store.hpp). The setting
/// resources.store selects the place for new bytes; existing ones stay where they are.
enum class ContentPlace {
    /// Table content_piece. Works everywhere, without settings.
    database,
    /// A folder that all hosts share (resources.folder).
    files,
    /// A bucket of an S3 API (resources.s3.*).
    s3
};

/// Stored bytes of plugin resources: what a row of table content says of them. Never changed after
/// they were stored. Several resources may refer to one content: uploads with the same bytes share
/// it.
///
/// Stages of the row (content.state): arriving while bytes come in, kept while resources refer to
/// it, going until its place has removed the bytes (contents/contents.hpp).
struct Content {
    /// Name in its place: 32 random hexadecimal digits.
    std::string name;
    /// May change when an operator moves contents (`cooperage-migrate move-contents`).
    ContentPlace place = ContentPlace::database;
    /// SHA-256 of the bytes, 64 lower-case hexadecimal digits; empty while they arrive. Checked
    /// each time the bytes are read.
    std::string sha256;
    /// Number of bytes; 0 while they arrive.
    std::uint64_t size = 0;
    /// Whether the bytes begin with 1f 8b, as gzip files do.
    bool is_gzip = false;

    bool operator==(const Content&) const = default;
};

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of content.place, of the setting resources.store and of move-contents --to.
template <>
inline constexpr std::array words<model::ContentPlace>{
    std::pair{model::ContentPlace::database, std::string_view("database")},
    std::pair{model::ContentPlace::files, std::string_view("files")},
    std::pair{model::ContentPlace::s3, std::string_view("s3")}};

}  // namespace provisioner::base
