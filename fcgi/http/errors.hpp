#pragma once

#include <exception>
#include <set>
#include <string>
#include <string_view>

#include "fcgi/http/message.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/store/database/database_error.hpp"

namespace fcgi::http {

/// Whether the request is for the JSON API (/status, /v2 and below) and not for a page.
bool is_for_api(const Request& request);

/// A bare page that needs no renderer, for answers given before or instead of a handler. `sentence`
/// is escaped.
Response plain_page(int status, std::string_view sentence);

/// 404: a page for a browser (it accepts text/html) outside the API, else the wire contract's text.
Response not_found(const Request& request);

/// 405: the request URI for the API, a page for a browser. `allowed` are the methods of the path.
Response wrong_method(const Request& request, std::set<std::string> allowed);

/// 413: the body is larger than we read.
Response too_large(const Request& request);

/// 413: the body is larger than the database takes.
Response too_large_to_store(const Request& request);

/// 503: where files are kept does not take or give bytes. `reason` may say more than the person
/// should see, and is logged with the request's id.
Response place_failed(const Request& request, const std::exception& reason,
                      const provisioner::base::Log& log);

/// 503 with Retry-After. The text says whether the change may have been saved. The cause goes to
/// the log only.
Response database_unavailable(const Request& request,
                              const provisioner::store::DatabaseUnavailable& reason,
                              const provisioner::base::Log& log);

/// 500: logs what broke with the request's id and answers with the id only; the text of an
/// exception may say more than the person should see.
Response broken(const Request& request, const std::exception& error,
                const provisioner::base::Log& log);

/// 422 with {"problems":[{"field":"...","message":"..."}]}.
Response unprocessable(const provisioner::base::Problems& problems);

/// `problems` as the array of that answer.
provisioner::base::Json problems_json(const provisioner::base::Problems& problems);

}  // namespace fcgi::http
