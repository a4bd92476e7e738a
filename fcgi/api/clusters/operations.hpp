#pragma once

#include "fcgi/app.hpp"
#include "provisioner/model/action.hpp"

namespace fcgi::api {

/// DELETE /v2/clusters/{id}
http::Response delete_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);

/// PUT /v2/clusters/{id}/config
http::Response configure_cluster(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);

/// POST /v2/clusters/{id}/services/{start|stop|restart}, of all services, and
/// POST /v2/clusters/{id}/services/{service}/{start|stop|restart}, of one.
template <provisioner::model::Operation operation>
struct ServiceAction {
    static http::Response of_all(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);
    static http::Response of_one(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);
};

/// POST /v2/clusters/{id}: when its lease ends.
http::Response change_expiry(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /v2/clusters/{id}/clustertemplate/sync: the newest version of its template, for what comes.
http::Response sync_template(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /v2/clusters/{id}/{pause|resume|abort}, and retry (ours): the failed part of the latest job
/// again.
http::Response pause_job(const http::Request& request, const auth::Visitor& visitor, App& app);
http::Response resume_job(const http::Request& request, const auth::Visitor& visitor, App& app);
http::Response abort_job(const http::Request& request, const auth::Visitor& visitor, App& app);
http::Response retry_job(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
