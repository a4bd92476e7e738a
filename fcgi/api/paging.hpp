#pragma once

#include <string>

#include "fcgi/http/message.hpp"
#include "provisioner/base/expected.hpp"

namespace fcgi::api {

/// Which part of a list a script asks for (ours; without a limit it gets all, as the wire contract
/// has it).
struct Page {
    /// 1 to 1000; 0: all.
    int limit = 0;
    /// The number of the last entry of the page before; 0: from the beginning.
    long long after = 0;
};

/// The query parameters `limit` and `cursor`, or what is wrong with them.
provisioner::base::expected<Page, std::string> page_in(const http::Request& request);

/// The value of a Link header (RFC 8288) that leads to the next page: this request with another
/// cursor.
std::string next_link(const http::Request& request, const std::string& cursor);

}  // namespace fcgi::api
