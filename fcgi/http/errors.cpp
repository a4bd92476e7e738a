#include "fcgi/http/errors.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"

namespace fcgi::http {

using provisioner::base::Json;
using provisioner::base::Problem;
using provisioner::base::Problems;

namespace {

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '&':
                safe += "&amp;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += c;
        }
    }
    return safe;
}

Response refused(const Request& request, int status, std::string_view sentence) {
    return is_for_api(request) ? text(status, std::string(sentence)) : plain_page(status, sentence);
}

}  // namespace

bool is_for_api(const Request& request) {
    const auto begin = std::min(request.path.find_first_not_of('/'), request.path.size());
    const std::string_view rest = std::string_view(request.path).substr(begin);
    // As the router reads it.
    const std::string first = percent_decode(rest.substr(0, rest.find('/')));
    return first == "v2" || first == "status";
}

Response plain_page(int status, std::string_view sentence) {
    const std::string title = std::to_string(status) + ' ' + std::string(reason_phrase(status));
    Response page = html(
        status, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" +
                    title +
                    " | Cooperage</title>\n"
                    "<link rel=\"stylesheet\" href=\"/static/css/site.css\">\n</head>\n"
                    "<body>\n<main>\n<h1>" +
                    title + "</h1>\n<p>" + escaped(sentence) +
                    "</p>\n<p><a href=\"/\">Go home</a></p>\n</main>\n</body>\n</html>\n");
    page.sentence = sentence;
    return page;
}

Response not_found(const Request& request) {
    const bool is_browser = request.header("accept").find("text/html") != std::string::npos;
    if (!is_for_api(request) && is_browser) {
        return plain_page(404, "There is no page at this address.");
    }
    return text(404, "Problem accessing: " + request.uri() + ". Reason: Not Found");
}

Response wrong_method(const Request& request, std::set<std::string> allowed) {
    if (!is_for_api(request) && allowed.contains("GET")) allowed.insert("HEAD");
    std::string list;
    for (const std::string& method : allowed) list += (list.empty() ? "" : ", ") + method;
    auto response = is_for_api(request)
                        ? text(405, request.uri())
                        : plain_page(405, "This address does not take that kind of request.");
    return with_header(std::move(response), "Allow", list);
}

Response too_large(const Request& request, std::uint64_t limit) {
    const bool is_whole = (limit & ((1UL << 20) - 1)) == 0;
    const std::string size =
        is_whole ? std::to_string(limit >> 20) + " MiB" : std::to_string(limit >> 10) + " KiB";
    return refused(request, 413, "The request is larger than " + size + ".");
}

Response too_many_fields(const Request& request, std::string_view sentence) {
    return refused(request, 413, sentence);
}

Response try_again(const Request& request, int status, std::string_view sentence, int seconds) {
    return with_header(refused(request, status, sentence), "Retry-After", std::to_string(seconds));
}

Response too_large_to_store(const Request& request) {
    return refused(request, 413,
                   "The request is larger than the database takes at once (its "
                   "max_allowed_packet).");
}

Response place_failed(const Request& request, const std::exception& reason,
                      const provisioner::base::Log& log) {
    log.error("request.place_failed",
              {{"request", request.id}, {"path", request.path}, {"error", reason.what()}});
    const std::string sentence =
        "The place where files are kept does not take this one: see request " + request.id +
        " in the server's log. Nothing of it was stored.";
    return with_header(refused(request, 503, sentence), "Retry-After", "30");
}

Response database_unavailable(const Request& request,
                              const provisioner::store::DatabaseUnavailable& reason,
                              const provisioner::base::Log& log) {
    log.warn("request.database_unavailable", {{"request", request.id},
                                              {"method", request.method},
                                              {"path", request.path},
                                              {"code", reason.code()},
                                              {"error", reason.what()}});
    const char* const sentence =
        reason.is_in_doubt()
            ? "The connection to the database was lost while the change was saved: it may have "
              "been saved or not. Look before you try again."
            : "The database is away, full or too busy at the moment, and nothing was changed. Try "
              "again in a few seconds.";
    return with_header(refused(request, 503, sentence), "Retry-After", "5");
}

Response broken(const Request& request, const std::exception& error,
                const provisioner::base::Log& log) {
    log.error("request.broken", {{"request", request.id},
                                 {"method", request.method},
                                 {"path", request.path},
                                 {"error", error.what()}});
    if (is_for_api(request)) {
        return text(500, "Exception Encountered while processing request : see request " +
                             request.id + " in the server's log");
    }
    return plain_page(500, "Something went wrong here. It was logged as " + request.id + ".");
}

Json problems_json(const Problems& problems) {
    Json array = Json::array();
    for (const Problem& problem : problems) {
        array.push_back({{"field", problem.field}, {"message", problem.message}});
    }
    return array;
}

Response unprocessable(const Problems& problems) {
    return json(422, {{"problems", problems_json(problems)}});
}

}  // namespace fcgi::http
