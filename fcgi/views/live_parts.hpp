#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fcgi/http/message.hpp"

namespace fcgi::views {

/// A part of a page that is drawn anew while the page is open: an element with the attribute
/// `data-live`, the last of its start tag, and an id. Views point into the page.
struct LivePart {
    std::string_view id;
    /// The element with its tags.
    std::string_view element;
    /// What stands between its tags.
    std::string_view inside;
    /// Where its start tag ends (the ">") in the page.
    std::size_t end_of_tag = 0;
    /// It has `data-rows`: nothing but live parts stand in it, which may come, go and change
    /// places.
    bool is_list = false;
    /// The live parts in it.
    std::vector<LivePart> parts{};
};

/// The live parts of a page that stand in no other one, in their order. The page has to be one of
/// ours: well-formed, with all text escaped. O(n) for each level of parts within parts.
std::vector<LivePart> live_parts(std::string_view html);

/// A text of 16 hexadecimal digits that changes with the part, but not with what stands in the live
/// parts within it. Of a list it changes with the order.
std::string fingerprint(const LivePart& part);

/// What static/js/live.js needs, for a page that was drawn.
///
/// * A page with live parts gets their fingerprints: `data-live` becomes `data-live="0123..."`.
/// * If the request has the header X-Live-Parts ("id=fingerprint, ...": what the browser has), only
///   the parts with another fingerprint are sent, as JSON:
///
///       {"title": "...", "follows": true, "parts": {
///         "trouble": {"fingerprint": "...", "html": "..."},
///         "rows": {"fingerprint": "...", "order": ["row-2", "row-1"],
///                  "added": {"row-1": "<tr id=..."}}}}
///
///   `html` is what stands in the part, the parts within it included. A list that the browser has
///   gets the ids of what is in it, and the elements that the browser does not have. `follows` is
///   whether the page will change again (`data-follow="yes"`).
///
/// Other responses stay as they are. So there is one drawing of everything, and an update costs
/// what has changed.
http::Response with_live_parts(http::Response response, const http::Request& request);

}  // namespace fcgi::views
