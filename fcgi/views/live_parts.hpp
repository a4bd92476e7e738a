#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fcgi/http/message.hpp"

namespace fcgi::views {

/// A part of a page that is drawn anew while the page is open: an element with the attribute
/// `data-live` and an id. Views point into the page.
struct LivePart {
    std::string_view id;
    /// What stands between its tags.
    std::string_view inside;
    /// Where its start tag ends (the ">") in the page.
    std::size_t end_of_tag = 0;
};

/// The live parts of a page, in their order. A part within another one is not listed. The page has
/// to be one of ours: well-formed, with all text escaped.
std::vector<LivePart> live_parts(std::string_view html);

/// A text of 16 hexadecimal digits that changes with the part.
std::string fingerprint(std::string_view inside);

/// What static/js/live.js needs, for a page that was drawn.
///
/// * A page with live parts gets their fingerprints: `data-live` becomes `data-live="0123..."`.
/// * If the request has the header X-Live-Parts ("id=fingerprint, ...": what the browser has), only
///   the parts with another fingerprint are sent, as JSON:
///
///       {"title": "...", "follows": true, "parts": {"picture": {"fingerprint": "...",
///        "html": "..."}, "trouble": ...}}
///
///   `follows` is whether the page will change again (`data-follow="yes"`).
///
/// Other responses stay as they are. So there is one drawing of everything, and an update costs
/// what has changed.
http::Response with_live_parts(http::Response response, const http::Request& request);

}  // namespace fcgi::views
