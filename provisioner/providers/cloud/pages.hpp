#pragma once

#include <cstddef>

#include "provisioner/base/json.hpp"

namespace provisioner::providers::cloud {

/// Bounds one listing, which a cloud gives page by page: a server that never says which page is the
/// last one would fill the memory of the daemon. Ten thousand machines need a fifth of the bound at
/// most clouds, and less than all of it at those that say most about each.
class Pages {
 public:
    /// Counts a page of which `json` is kept. Throws Lost when the listing is beyond a bound.
    void add(const base::Json& json);
    /// Counts a page of which so many bytes are kept. Throws as the other.
    void add(std::size_t bytes);

    static constexpr int most_pages = 1000;
    /// Bytes of memory, about.
    static constexpr std::size_t most_bytes = std::size_t{256} << 20;

 private:
    int pages_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace provisioner::providers::cloud
