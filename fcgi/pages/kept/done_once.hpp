#pragma once

#include <optional>
#include <string>

#include "fcgi/http/message.hpp"

namespace fcgi::pages {

/// What a form has done ("Saved.") is told once. Handlers answer such a form with 303 to
/// "/page?done=word", and the page at that address says the words. A browser never sees this
/// parameter: a cookie of that page carries it, for a minute and for one drawing. So neither a
/// reload nor a bookmark nor Back tells it again, and forms in other tabs are not mixed up. The
/// word is no secret and not signed: a page knows its own words and ignores others.

/// A GET with the parameter in its address: 303 to the address without it. With the cookie for a
/// script of this site; what another site, or a bookmark, says is not told. Nothing for other
/// requests. Before take_done().
std::optional<http::Response> moved_done(const http::Request& request);

/// Puts the parameter into the query of a GET for which the cookie has one. Returns whether it did.
bool take_done(http::Request& request);

/// "deleted:ada" for a message that names what was deleted, as a value of `done`: percent-encoded.
std::string done_with_name(const std::string& word, const std::string& name);
/// The name in the `done` of a request that has this word; nothing for another one.
std::optional<std::string> name_of_done(const http::Request& request, const std::string& word);

/// The answer to send: a 303 has the cookie in place of the parameter. `was_told` of take_done()
/// removes the cookie.
http::Response with_done_once(http::Response response, const http::Request& request, bool was_told);

}  // namespace fcgi::pages
