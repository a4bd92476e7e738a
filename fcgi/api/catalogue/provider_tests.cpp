#include "fcgi/api/catalogue/provider_tests.hpp"

#include "fcgi/api/refusals.hpp"
#include "provisioner/operations/catalogue/provider_tests.hpp"
#include "provisioner/store/machines/provider_test_store.hpp"

namespace fcgi::api {

using provisioner::base::Json;
using provisioner::base::to_millis;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

Json provider_test_json(const model::ProviderTest& test) {
    const char* status = test.passed ? "passed" : "failed";
    if (!test.done_at) status = test.is_taken ? "running" : "waiting";
    const Json* choices = provisioner::base::member(test.offer, "choices");
    const Json* notes = provisioner::base::member(test.offer, "notes");
    return {{"provider", test.provider},
            {"number", test.number},
            {"status", status},
            {"askedAt", to_millis(test.asked_at)},
            {"askedBy", test.asked_by},
            {"doneAt", test.done_at ? to_millis(*test.done_at) : 0},
            {"message", test.message},
            {"choices", choices == nullptr ? Json::object() : *choices},
            {"notes", notes == nullptr ? Json::array() : *notes}};
}

http::Response ask_provider_test(const http::Request& request, const auth::Visitor& visitor,
                                 App& app) {
    const auto asked =
        operations::ask_provider_test(app.database, visitor.who(), request.path_value("provider"));
    return asked ? http::json(202, provider_test_json(*asked)) : refused_ours(asked.error());
}

http::Response show_provider_test(const http::Request& request, const auth::Visitor& visitor,
                                  App& app) {
    const std::string provider = request.path_value("provider");
    const auto test = app.database.read([&](store::Connection& connection) {
        return store::find_provider_test(connection, visitor.who().tenant.id, provider);
    });
    if (!test) return http::text(404, "provider " + provider + " was not tested.");
    return http::json(200, provider_test_json(*test));
}

}  // namespace fcgi::api
