#pragma once

#include "fcgi/http/message.hpp"

namespace fcgi::http {

/// Turns an error (status >= 400) into application/problem+json if the request's Accept header
/// names that type. Other answers stay as they are. The members are type, title, status, detail,
/// instance and requestId. The members of a structured error (problems, missingFields, remedies)
/// are added beside them. Source: RFC 9457.
Response problem_details(Response response, const Request& request);

}  // namespace fcgi::http
