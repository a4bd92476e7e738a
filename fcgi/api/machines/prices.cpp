#include "fcgi/api/machines/prices.hpp"

#include "fcgi/api/costs.hpp"
#include "fcgi/api/refusals.hpp"
#include "fcgi/http/errors.hpp"
#include "fcgi/http/json_body.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/model/machines/price_list.hpp"
#include "provisioner/operations/prices/budgets.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::operations::PriceListOwner;

namespace {

namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

Checked<std::vector<model::Price>> prices_in(const Request& request) {
    const std::string type = base::in_small_letters(request.header("content-type"));
    if (type.starts_with("text/csv")) return model::prices_from_csv(request.body);
    const auto json = http::read_json(request.body, http::long_json_value_limit);
    if (!json) return base::unexpected(json.error());
    return model::prices_from_json(*json);
}

}  // namespace

template <PriceListOwner owner>
Response PriceList<owner>::show(const Request& request, const Visitor& visitor, App& app) {
    const auto prices = operations::read_price_list(app.database, visitor.who(), owner);
    if (request.query_value("format") == "csv") return csv(model::to_csv(prices), "prices.csv");
    return http::json(200, {{"prices", model::to_json(prices)}});
}

template <PriceListOwner owner>
Response PriceList<owner>::replace(const Request& request, const Visitor& visitor, App& app) {
    const auto prices = prices_in(request);
    if (!prices) return http::unprocessable(prices.error());
    const auto changes = operations::replace_price_list(app.database, visitor.who(), owner, *prices,
                                                        app.clock.now());
    if (!changes) return refused_ours(changes.error());
    return http::json(200, {{"added", changes->added},
                            {"changed", changes->changed},
                            {"removed", changes->removed},
                            {"unchanged", changes->unchanged}});
}

template <PriceListOwner owner>
Response PriceList<owner>::remove(const Request&, const Visitor& visitor, App& app) {
    const auto changes =
        operations::replace_price_list(app.database, visitor.who(), owner, {}, app.clock.now());
    return changes ? http::empty(200) : refused_ours(changes.error());
}

template struct PriceList<PriceListOwner::tenant>;
template struct PriceList<PriceListOwner::everybody>;

Response show_budget(const Request&, const Visitor& visitor, App& app) {
    const auto state = app.database.read([&](store::Connection& connection) {
        return operations::budget_state(connection, visitor.who().tenant, app.clock.now());
    });
    if (state) return http::json(200, to_json(*state));
    return http::text(404, "tenant " + visitor.who().tenant.name + " has no budget");
}

}  // namespace fcgi::api
