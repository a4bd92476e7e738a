#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/words.hpp"

namespace provisioner::model {

using ContentId = base::Id<struct ContentTag>;

/// Where bytes can be kept: in pieces in the database, below a folder, in a bucket of an S3 API.
enum class ContentPlace { database, files, s3 };

/// Bytes that are kept under a name and never change.
struct Content {
    /// 32 hexadecimal digits.
    std::string name;
    ContentPlace place = ContentPlace::database;
    /// Of the bytes, 64 hexadecimal digits.
    std::string sha256;
    std::uint64_t size = 0;
    /// Whether they begin as gzip does.
    bool is_gzip = false;

    bool operator==(const Content&) const = default;
};

}  // namespace provisioner::model

namespace provisioner::base {

template <>
inline constexpr std::array words<model::ContentPlace>{
    std::pair{model::ContentPlace::database, std::string_view("database")},
    std::pair{model::ContentPlace::files, std::string_view("files")},
    std::pair{model::ContentPlace::s3, std::string_view("s3")}};

}  // namespace provisioner::base
