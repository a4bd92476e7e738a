#include "fcgi/api/refusals.hpp"

#include <stdexcept>

#include "fcgi/http/errors.hpp"

namespace fcgi::api {

using provisioner::base::Json;
using provisioner::base::Problem;
using provisioner::base::Problems;
using provisioner::operations::Refusal;

namespace {

std::string lines_of(const Problems& problems) {
    std::string lines;
    for (const Problem& problem : problems) {
        if (!lines.empty()) lines += '\n';
        lines += problem.message;
    }
    return lines;
}

bool is_about_shape(const Problem& problem) {
    return problem.message.starts_with("must be ");
}

}  // namespace

http::Response refused(const Refusal& refusal) {
    switch (refusal.kind) {
        case Refusal::Kind::invalid:
            return http::text(400, refusal.wire_message.empty() ? refusal.problems.front().message
                                                                : refusal.wire_message);
        case Refusal::Kind::forbidden:
            return http::text(403, lines_of(refusal.problems));
        case Refusal::Kind::not_found:
            return http::text(404, refusal.problems.front().message);
        case Refusal::Kind::conflict:
            return http::text(409, refusal.problems.front().message);
        case Refusal::Kind::missing_fields:
            return http::json(400, {{"missingFields", refusal.missing_fields}});
        case Refusal::Kind::unsatisfiable:
            return http::text(422, lines_of(refusal.problems));
        case Refusal::Kind::too_often:
            return http::text(429, refusal.problems.front().message);
        case Refusal::Kind::too_busy:
            return http::with_header(http::text(503, refusal.problems.front().message),
                                     "Retry-After", "3");
    }
    throw std::logic_error("unknown kind of refusal");
}

http::Response done_or_refused(const provisioner::operations::Result<void>& result) {
    return result ? http::empty(200) : refused(result.error());
}

http::Response refused_ours(const Refusal& refusal) {
    const bool has_problems =
        refusal.kind == Refusal::Kind::invalid || refusal.kind == Refusal::Kind::unsatisfiable;
    if (has_problems) return http::json(422, problems_json(refusal));
    const bool names_fields =
        refusal.kind == Refusal::Kind::forbidden && !refusal.problems.front().field.empty();
    return names_fields ? http::json(403, problems_json(refusal)) : refused(refusal);
}

Json problems_json(const Refusal& refusal) {
    Json body{{"problems", http::problems_json(refusal.problems)}};
    if (refusal.kind == Refusal::Kind::missing_fields) {
        body["missingFields"] = refusal.missing_fields;
    }
    for (const auto& remedy : refusal.remedies) {
        body["remedies"].push_back(
            {{"in", remedy.is_in_request ? "request" : "template"}, {"text", remedy.sentence}});
    }
    return body;
}

http::Response invalid_input(const Problems& problems) {
    const Problem& first = problems.front();
    if (is_about_shape(first)) return http::text(400, "invalid input");
    return http::text(400, "invalid input: " + first.message);
}

http::Response no_cluster_id(const http::Request& request) {
    return http::text(400, "For input string: \"" + request.path_value("id") + "\"");
}

}  // namespace fcgi::api
