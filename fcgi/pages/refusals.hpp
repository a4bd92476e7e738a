#pragma once

#include "fcgi/http/message.hpp"
#include "provisioner/operations/refusal.hpp"

namespace fcgi::pages {

/// The page with the status that the refusal has: 422 for what a person can correct in the form
/// (invalid, missing fields, unsatisfiable), else that of the API: 403, 404, 409, 429, 503. Too
/// busy gets Retry-After: 3, too.
http::Response with_status_of(const provisioner::operations::Refusal& refusal, http::Response page);

}  // namespace fcgi::pages
