#pragma once

#include "fcgi/http/message.hpp"

namespace fcgi::auth {

/// What a browser wants of an address.
enum class Arrival {
    /// A page to show: a link, a typed address, a reload.
    page,
    /// News for a page that is shown.
    news,
    /// News for a page in a window that nobody sees, or no page: an image, a frame, a request of a
    /// script.
    unseen,
};

/// Says so by the headers of static/js/live.js and Fetch Metadata. Browsers do not send the latter
/// over plain HTTP; then Accept decides. No I/O. Source: W3C Fetch Metadata Request Headers.
Arrival arrival_of(const http::Request& request);

}  // namespace fcgi::auth
