#pragma once

#include "fcgi/app.hpp"
#include "fcgi/pages/clusters/question_page.hpp"
#include "provisioner/model/action.hpp"

namespace fcgi::pages {

/// The two handlers of an action that needs confirmation. Instantiated in the .cpp for each
/// Question.
///
///     /clusters/{id}/{delete|give-up|abort}
///     /clusters/{id}/services/{start|stop|restart}, query or field `service`, once or more: none,
///     or empty, for all services. A start may also be posted without the question.
///
/// All handlers in this file answer 404 if the cluster does not exist or the visitor may not see
/// it.
template <Question question>
struct Asked {
    /// GET: the question. Nothing is changed.
    static http::Response ask(const http::Request& request, const auth::Visitor& visitor, App& app);
    /// POST: acts and redirects to the cluster with 303. If the operation refuses, it shows the
    /// question again with 409 and the reason.
    static http::Response act(const http::Request& request, const auth::Visitor& visitor, App& app);
};

/// POST /clusters/{id}/pause. This call and the next two redirect to the cluster with 303, or show
/// a page with the reason (409).
http::Response pause_job(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /clusters/{id}/resume
http::Response resume_job(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /clusters/{id}/retry: runs the failed part of the latest job again.
http::Response retry_job(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /clusters/{id}/configure: the form with the configuration as stored.
http::Response show_configuration(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);
/// POST /clusters/{id}/configure: queues the job, 303 to the cluster; the form with what was
/// typed if it is refused: 422, or the status of with_status_of().
http::Response configure_cluster(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);

/// GET /clusters/{id}/lease: the form with the present end of the lease.
http::Response show_lease(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /clusters/{id}/lease: sets the end, 303 to the cluster; the form if it is refused, as
/// above.
http::Response change_lease(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
