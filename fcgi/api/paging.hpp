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

/// A list that can be long, written entry by entry in the order shown: only its text is in memory,
/// at most `largest` bytes of it. Answers as listed() does.
class WrittenList {
 public:
    using Entry = std::function<provisioner::base::Json()>;

    static constexpr std::size_t largest_list = std::size_t{64} * 1024 * 1024;

    /// The request must outlive it.
    WrittenList(const http::Request& request, Page page, std::size_t largest = largest_list)
        : request_(request),
          page_(std::move(page)),
          largest_(largest),
          has_begun_(page_.after == "") {}

    /// Whether nothing that follows would be written any more.
    bool has_ended() const { return has_more_ || is_too_large(); }
    /// The next entry; `entry` is called only if it is in the part that is asked for.
    void add(const std::string& key, const Entry& entry);
    /// The answer, with the text moved into it: 400 for an unknown cursor, and for more than
    /// `largest` bytes.
    http::Response answer() &&;

 private:
    bool is_too_large() const { return text_.size() > largest_; }

    const http::Request& request_;
    Page page_;
    std::size_t largest_;
    std::string text_ = "[";
    std::string last_{};
    int count_ = 0;
    /// Whether the cursor is behind us.
    bool has_begun_;
    bool has_more_ = false;
};

/// The value of a Link header to the next page: this request with another cursor. `cursor` must be
/// percent-encoded. Source: RFC 8288.
std::string next_link(const http::Request& request, const std::string& cursor);

}  // namespace fcgi::api
