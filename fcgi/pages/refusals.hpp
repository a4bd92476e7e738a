#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

#include "fcgi/app.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/operations/refusal.hpp"

namespace fcgi::pages {

/// The page with the status that the refusal has: 422 for what a person can correct in the form
/// (invalid, missing fields, unsatisfiable), else that of the API: 403, 404, 409, 429, 503. Too
/// busy gets Retry-After: 3, too.
http::Response with_status_of(const provisioner::operations::Refusal& refusal, http::Response page);

/// The page (422) for a form without what its page always sends: an absent field is nobody's wish
/// to empty or to allow something.
http::Response incomplete_form(App& app, const auth::Visitor& visitor);

/// The same if one of the fields `names` was not sent; nothing if all were.
std::optional<http::Response> if_incomplete(App& app, const auth::Visitor& visitor,
                                            const http::FormData& sent,
                                            std::initializer_list<std::string_view> names);

/// What `yes` or `no` in the field says; nothing for any other value and for none.
std::optional<bool> yes_or_no(const http::FormData& sent, std::string_view name);

}  // namespace fcgi::pages
