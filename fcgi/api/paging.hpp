#pragma once

#include <string>

#include "fcgi/http/message.hpp"
#include "provisioner/base/expected.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::api {

/// Which part of a list a script asks for (ours; without a limit it gets all, as the wire contract
/// has it).
struct Page {
    /// 1 to 1000; 0: all.
    int limit = 0;
    /// What the last entry of the page before is known by; empty: from the beginning.
    std::string after{};
};

/// The query parameters `limit` and `cursor`, or what is wrong with them.
provisioner::base::expected<Page, std::string> page_in(const http::Request& request);

/// The answer to a cursor that leads nowhere.
http::Response unknown_cursor();

/// The part of a whole list that is asked for, with a Link to the next one where there is more.
/// Entries are known by their member `key`, a text or a number; a cursor whose entry is there no
/// more is a 400.
http::Response listed(const http::Request& request, const provisioner::base::Json& all,
                      const char* key);

/// The value of a Link header (RFC 8288) that leads to the next page: this request with another
/// cursor.
std::string next_link(const http::Request& request, const std::string& cursor);

}  // namespace fcgi::api
