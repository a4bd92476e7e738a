#include "fcgi/api/tenants/usage.hpp"

#include "fcgi/api/costs.hpp"
#include "fcgi/api/wire.hpp"
#include "fcgi/forms/node_usage.hpp"
#include "provisioner/operations/tenants/usage_costs.hpp"
#include "provisioner/store/tenants/usage_store.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;

namespace {

namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

Json usage_json(const operations::NodeUsage& usage) {
    Json data = Json::array();
    for (const auto& [time, value] : usage.entries) {
        data.push_back({{"time", time}, {"value", value}});
    }
    return {{"start", usage.start}, {"end", usage.end}, {"data", std::move(data)}};
}

Json costed_json(const operations::CostedUsage& costed) {
    Json json = usage_json(costed.usage);
    for (std::size_t i = 0; i < costed.costs.size(); ++i) {
        json["data"][i]["cost"] = amounts_json(costed.costs[i].amounts);
        json["data"][i]["unpricedSeconds"] = costed.costs[i].unpriced_seconds;
    }
    return json;
}

}  // namespace

Response queue_metrics(const Request&, const Visitor& visitor, App& app) {
    const model::Caller& caller = visitor.who();
    const auto only = caller.is_superadmin() ? std::nullopt : std::optional(caller.tenant.id);
    const auto metrics = app.database.read(
        [&](store::Connection& connection) { return store::queue_metrics(connection, only); });
    Json json = Json::object();
    for (const auto& [tenant, queued, in_progress] : metrics) {
        json[tenant] = {
            {"queued", queued}, {"inProgress", in_progress}, {"total", queued + in_progress}};
    }
    return http::json(200, json);
}

Response node_usage(const Request& request, const Visitor& visitor, App& app) {
    const model::Caller& caller = visitor.who();
    const bool all = caller.is_superadmin();
    store::UsageFilter filter;
    filter.tenant_uid = request.query_value("tenant").value_or(all ? "" : caller.tenant.uid);
    if (!all && filter.tenant_uid != caller.tenant.uid) {
        return http::text(405, "Getting information about tenant " + filter.tenant_uid +
                                   " not allowed for tenant " + caller.tenant.uid);
    }
    const auto question = forms::usage_question(request);
    if (!question) return http::text(400, question.error());
    const auto cluster = request.query_value("cluster");
    if (cluster) filter.cluster = cluster_id_in(*cluster);
    if (cluster && !filter.cluster) {
        return http::text(400, "Incorrect value for field cluster: " + *cluster);
    }
    // Who sees their own clusters only is told about those only.
    filter.owner = caller.may(model::Right::see_clusters) ? request.query_value("user").value_or("")
                                                          : caller.user.name;
    filter.cluster_template = request.query_value("clustertemplate").value_or("");
    const bool as_csv = request.query_value("format") == "csv";
    if (as_csv || request.query_value("cost") == "true") {
        const auto costed =
            operations::read_costed_usage(app.database, filter, *question, app.clock.now());
        if (!costed) return http::text(400, forms::incorrect_moments(request));
        return as_csv ? csv(operations::to_csv(*costed), "usage.csv")
                      : http::json(200, costed_json(*costed));
    }
    const auto usage =
        operations::read_node_usage(app.database, filter, *question, app.clock.now());
    return usage ? http::json(200, usage_json(*usage))
                 : http::text(400, forms::incorrect_moments(request));
}

}  // namespace fcgi::api
