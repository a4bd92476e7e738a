#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// The name under which a form of a page is noted as sent: a hash of its path and its fields
/// without the csrf token. One of them is "once", which Viewer::once filled; so a form that was
/// changed and sent again from the same drawing is another one. Empty if "once" is missing or no
/// key: such a form is carried out as often as it is sent. No I/O.
std::string name_of_sending(const http::Request& request);

/// Links and labels to what a form that was sent before has made, whose result was shown once; none
/// if that has no page. No I/O.
std::vector<std::pair<std::string, std::string>> ways_to_what_was_made(
    const http::Request& request);
/// The page of this site that the form was sent from, as the browser says; empty if it does not, or
/// for the start.
std::string page_it_was_sent_from(const http::Request& request);

/// The answer to a form that was sent before, as once() gives it; nothing for one that was not.
/// For forms that cannot be carried out, because the page that they are of is out of date: what
/// gives a session another token, such as a second factor, does that to its own page.
std::optional<http::Response> if_sent_before(App& app, const auth::Visitor& visitor,
                                             const http::Request& request);

/// Carries out a form of a page once. The same form of the same drawing of a page, sent again,
/// with the same content, leads to where the first one led; while that is still being carried out
/// it waits for up to three seconds. A form that was refused may be corrected and sent again.
/// `carry_out` is the handler; what it throws goes on.
http::Response once(App& app, const auth::Visitor& visitor, const http::Request& request,
                    const std::function<http::Response()>& carry_out);

}  // namespace fcgi::pages
