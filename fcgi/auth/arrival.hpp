#pragma once

#include "fcgi/http/message.hpp"

namespace fcgi::auth {

/// How a browser came to ask for a page.
enum class Arrival {
    /// Its user pressed a link of this site or typed the address.
    meant,
    /// It shows the page as a document, but a page of another origin, or the log-in, leads to it.
    led,
    /// No document of its own: an image, a frame, a script's request, or news for an open page.
    embedded,
};

/// Says so by the Fetch Metadata headers. Browsers do not send them over plain HTTP; then Referer
/// and Accept decide. Without a Referer the address counts as typed: nothing tells the difference.
/// No I/O. Source: W3C Fetch Metadata Request Headers.
Arrival arrival_of(const http::Request& request);

}  // namespace fcgi::auth
