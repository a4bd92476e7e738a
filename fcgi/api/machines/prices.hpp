#pragma once

#include "fcgi/app.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/machines/price.hpp"
#include "provisioner/operations/prices/price_lists.hpp"

namespace fcgi::api {

/// The calls about one price list, of the caller's tenant or of everybody. Outside the wire
/// contract.
template <provisioner::operations::PriceListOwner owner>
struct PriceList {
    /// GET: {"prices": [...]}; as CSV with `format=csv`.
    static http::Response show(const http::Request& request, const auth::Visitor& visitor,
                               App& app);
    /// PUT: takes CSV (Content-Type text/csv) or JSON. Answers what changed: {added, changed,
    /// removed, unchanged}. 422 with every problem and its line.
    static http::Response replace(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);
    /// DELETE: there are no prices from now on.
    static http::Response remove(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);
};

extern template struct PriceList<provisioner::operations::PriceListOwner::tenant>;
extern template struct PriceList<provisioner::operations::PriceListOwner::everybody>;

/// GET /v2/budget: the budget of the caller's tenant and its use. 404 for a tenant without one.
http::Response show_budget(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
