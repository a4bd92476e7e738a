#pragma once

#include "fcgi/http/message.hpp"

namespace fcgi::http {

/// An error as application/problem+json for a client that accepts that, otherwise as it was:
/// {type, title, status, detail, instance, requestId}, and the members of a structured error
/// (problems, missingFields, remedies) beside them. Source: RFC 9457.
Response problem_details(Response response, const Request& request);

}  // namespace fcgi::http
