#pragma once

#include "fcgi/http/message.hpp"

namespace fcgi {

/// The answer as gzip, where the browser takes it and nobody can learn from its length what is in
/// it.
///
/// Whoever sees the lengths of answers and puts texts into them can find out secrets that are
/// compressed with these texts, letter by letter (BREACH). So two rules hold:
/// * only what a page of this site asked for is compressed, which the browser says
///   (Sec-Fetch-Site): no other site can make it ask for the texts to try;
/// * the session's csrf token is compressed with nothing: its part of the answer always has the
///   same length.
///
/// Answers stay as they are if they are short, have an ETag or a Content-Encoding, or are no text.
/// Source: RFC 9110 section 8.4.1.3, https://www.breachattack.com.
http::Response compressed(http::Response response, const http::Request& request);

}  // namespace fcgi
