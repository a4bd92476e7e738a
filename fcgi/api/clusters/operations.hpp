#pragma once

#include "fcgi/app.hpp"
#include "provisioner/model/action.hpp"

namespace fcgi::api {

/// DELETE /v2/clusters/{id}: queues the deletion of its machines. With "force" an administrator
/// gives the cluster up instead: it is terminated at once, without waiting for its machines to be
/// deleted. 409 while another job is under way.
http::Response delete_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);

/// PUT /v2/clusters/{id}/config: stores a new configuration and queues the job that brings it to
/// the nodes.
http::Response configure_cluster(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);

/// The six calls that act on services; `operation` is start_services, stop_services or
/// restart_services. Instantiated in the .cpp for these three.
template <provisioner::model::Operation operation>
struct ServiceAction {
    /// POST /v2/clusters/{id}/services/{start|stop|restart}: all services.
    static http::Response of_all(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);
    /// POST /v2/clusters/{id}/services/{service}/{start|stop|restart}: one service and those that
    /// must go with it.
    static http::Response of_one(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);
};

/// POST /v2/clusters/{id}: sets the end of the lease. The body is in milliseconds since 1970.
http::Response change_expiry(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /v2/clusters/{id}/clustertemplate/sync: gives the cluster the newest version of its
/// template. Nothing is done on the nodes; later changes of the cluster use it.
http::Response sync_template(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /v2/clusters/{id}/pause: running tasks end, no further task begins. Like the next two calls
/// it answers 200 also if there is nothing to do.
http::Response pause_job(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/clusters/{id}/resume: continues a paused job.
http::Response resume_job(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/clusters/{id}/abort: cancels tasks that no worker has claimed; running tasks end. 409
/// for a deletion.
http::Response abort_job(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /v2/clusters/{id}/retry: runs the failed and cancelled tasks of the latest job again, or
/// those of some machines. Outside the wire contract. 409 unless that job failed; 422 for machines
/// that cannot be retried.
http::Response retry_job(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
