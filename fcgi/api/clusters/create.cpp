#include "fcgi/api/clusters/create.hpp"

#include "fcgi/api/refusals.hpp"
#include "fcgi/api/wire.hpp"
#include "fcgi/forms/create_cluster.hpp"
#include "fcgi/forms/preview_cluster.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/json_body.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/identity/checksum.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problem;
using provisioner::base::unexpected;
using provisioner::operations::CreateCluster;
using provisioner::operations::Refusal;

namespace {

namespace model = provisioner::model;
namespace operations = provisioner::operations;

constexpr std::size_t longest_key = 255;

Checked<CreateCluster> wanted_in(const Request& request) {
    const auto json = http::read_json(request.body);
    if (!json) return unexpected(json.error());
    auto wanted = forms::create_cluster(*json);
    const std::string& key = request.header("idempotency-key");
    if (!wanted || key.empty()) return wanted;
    if (key.size() > longest_key || !provisioner::base::is_utf8(key)) {
        return unexpected(provisioner::base::Problems{
            {"Idempotency-Key", "must be UTF-8 text of at most 255 bytes"}});
    }
    wanted->idempotency_key = {.name = key,
                               .fingerprint = provisioner::identity::checksum(request.body)};
    return wanted;
}

/// The reference server failed on such bodies, so the wire contract has no text for them. The
/// answer names the member.
Response malformed(const Problem& problem) {
    if (problem.field.empty()) return http::text(400, "invalid input");
    return http::text(400, "invalid input: " + problem.field + ' ' + problem.message);
}

Json id_json(model::ClusterId id) {
    return {{"id", model::wire_id(id)}};
}

}  // namespace

Response create_cluster(const Request& request, const Visitor& visitor, App& app) {
    const auto wanted = wanted_in(request);
    if (!wanted) return malformed(wanted.error().front());

    const auto now = app.clock.now();
    const auto id = operations::create_cluster(app.database, visitor.who(), *wanted, now);
    if (id) return http::json(200, id_json(*id));
    if (id.error().kind != Refusal::Kind::unsatisfiable) return refused(id.error());

    // A second transaction: the refused create has written nothing. It only records, so nothing
    // breaks if the process ends between.
    const auto terminated = operations::record_unsatisfiable(app.database, visitor.who(), *wanted,
                                                             id.error().wire_message, now);
    return terminated ? http::json(200, id_json(*terminated)) : refused(terminated.error());
}

Response preview_cluster(const Request& request, const Visitor& visitor, App& app) {
    const auto json = http::read_json(request.body);
    if (!json) return http::unprocessable(json.error());
    const auto asked = forms::preview_cluster(*json);
    if (!asked) return http::unprocessable(asked.error());

    const auto now = app.clock.now();
    const auto preview = operations::preview_cluster(app.database, visitor.who(), asked->wanted,
                                                     now, asked->explain);
    if (!preview && preview.error().kind == Refusal::Kind::too_busy) {
        return refused(preview.error());
    }
    Json body = preview ? to_json(*preview) : problems_json(preview.error());
    if (asked->sizes) {
        body["sizes"] = Json::array();
        for (const auto& size :
             operations::preview_sizes(app.database, visitor.who(), asked->wanted,
                                       operations::all_sizes(*asked->sizes), now)) {
            body["sizes"].push_back(to_json(size));
        }
    }
    return http::json(preview ? 200 : 422, body);
}

}  // namespace fcgi::api
