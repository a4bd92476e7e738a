#pragma once

#include "fcgi/app.hpp"
#include "provisioner/model/machines/provider_test.hpp"

namespace fcgi::api {

/// {provider, number, status, askedAt, askedBy, doneAt, message, choices, notes}. `status` is
/// waiting, running, passed or failed; while it is waiting or running, message, choices and notes
/// are those of the test before. Times are milliseconds since 1970; `doneAt` is 0 before the end.
provisioner::base::Json provider_test_json(const provisioner::model::ProviderTest& test);

/// POST /v2/providertests/{provider}: asks for a test of a provider; 202 with it. A daemon carries
/// it out within seconds. Outside the wire contract.
http::Response ask_provider_test(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);

/// GET /v2/providertests/{provider}: the last test; 404 without a provider or a test. Outside the
/// wire contract.
http::Response show_provider_test(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);

}  // namespace fcgi::api
