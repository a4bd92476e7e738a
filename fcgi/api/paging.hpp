#pragma once

#include <functional>
#include <string>

#include "fcgi/http/message.hpp"
#include "provisioner/base/expected.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::api {

/// The part of a list that a request asks for. Paging is not in the wire contract: without `limit`
/// a script gets the whole list, as the reference server sent it.
struct Page {
    /// Largest number of entries, 1 to 1000; 0 means all.
    int limit = 0;
    /// The key of the last entry of the previous page; empty means from the beginning.
    std::string after{};
};

/// Reads the query parameters `limit` and `cursor`. The error is the sentence for a 400. A cursor
/// is not checked here.
provisioner::base::expected<Page, std::string> page_in(const http::Request& request);

/// The 400 for a cursor that names no place in this list.
http::Response unknown_cursor();

/// Answers with the requested part of `all`, a JSON array in the order shown. If more entries
/// follow, a Link header leads to them. `key` is the member that identifies an entry: a string or a
/// number, unique in the list. A cursor whose entry no longer exists is a 400. Costs the whole
/// list; lists that can be long read a page from the database instead.
http::Response listed(const http::Request& request, const provisioner::base::Json& all,
                      const char* key);

/// The same for a list whose entries are costly: `all` has the entries' keys alone ({"id": ...}),
/// and `whole` makes the entries of the part that is answered.
http::Response listed(
    const http::Request& request, const provisioner::base::Json& all, const char* key,
    const std::function<provisioner::base::Json(const provisioner::base::Json&)>& whole);

/// The value of a Link header to the next page: this request with another cursor. `cursor` must be
/// percent-encoded. Source: RFC 8288.
std::string next_link(const http::Request& request, const std::string& cursor);

}  // namespace fcgi::api
