#pragma once

#include <cstdint>
#include <exception>
#include <set>
#include <string>
#include <string_view>

#include "fcgi/http/message.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/store/database/database_error.hpp"

namespace fcgi::http {

/// Whether the request is for the JSON API: /status, /v2 and paths below them. All others are
/// pages. Repeated slashes at the beginning are ignored.
bool is_for_api(const Request& request);

/// A bare HTML page that needs no renderer, for answers given before a handler runs or instead of
/// it. Its title is the status and its reason phrase. `sentence` is escaped.
Response plain_page(int status, std::string_view sentence);

/// 404. A browser (Accept has text/html) outside the API gets a page, every other client the wire
/// contract's text.
Response not_found(const Request& request);

/// 405 with an Allow header. The API gets the request URI as text, a browser a page. `allowed` are
/// the methods of the routes of that path; HEAD is added for pages.
Response wrong_method(const Request& request, std::set<std::string> allowed);

/// 413: the body is larger than `limit` bytes, which are whole KiB. The body has not been read.
Response too_large(const Request& request, std::uint64_t limit);

/// 413: the form has too many fields. `sentence` says so.
Response too_many_fields(const Request& request, std::string_view sentence);

/// 429 or 503 with Retry-After `seconds`: no turn for laborious work.
Response try_again(const Request& request, int status, std::string_view sentence, int seconds);

/// 413: the database refused a statement as larger than its max_allowed_packet. Nothing was
/// written.
Response too_large_to_store(const Request& request);

/// 503 with Retry-After: 30. The content store could not store or return a file. `reason` goes to
/// the log with the request's id, because it may name hosts and paths. The client gets the id only.
Response place_failed(const Request& request, const std::exception& reason,
                      const provisioner::base::Log& log);

/// 503 with Retry-After: 5. The text says whether the change may have been saved
/// (DatabaseUnavailable::is_in_doubt). The cause goes to the log only, as event
/// request.database_unavailable with the error number.
Response database_unavailable(const Request& request,
                              const provisioner::store::DatabaseUnavailable& reason,
                              const provisioner::base::Log& log);

/// 500. Logs the error with the request's id and answers with the id only. The text of an exception
/// may contain internal details.
Response broken(const Request& request, const std::exception& error,
                const provisioner::base::Log& log);

/// 422 with {"problems":[{"field":"...","message":"..."}]}, in the order of `problems`. For calls
/// outside the wire contract.
Response unprocessable(const provisioner::base::Problems& problems);

/// The array of that answer: [{"field":"...","message":"..."}].
provisioner::base::Json problems_json(const provisioner::base::Problems& problems);

}  // namespace fcgi::http
