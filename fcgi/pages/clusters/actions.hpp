#pragma once

#include "fcgi/app.hpp"
#include "fcgi/pages/clusters/question_page.hpp"
#include "provisioner/model/action.hpp"

namespace fcgi::pages {

/// Something that is asked about first: GET shows the question, POST does it and leads to the
/// cluster, or shows the question again (409) with the reason why not.
///     /clusters/{id}/delete, /clusters/{id}/abort, /clusters/{id}/services/{stop|restart}
template <Question question>
struct Asked {
    static http::Response ask(const http::Request& request, const auth::Visitor& visitor, App& app);
    static http::Response act(const http::Request& request, const auth::Visitor& visitor, App& app);
};

/// POST /clusters/{id}/services/start, field `service`: empty for all of them.
http::Response start_services(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /clusters/{id}/{pause|resume|retry}
http::Response pause_job(const http::Request& request, const auth::Visitor& visitor, App& app);
http::Response resume_job(const http::Request& request, const auth::Visitor& visitor, App& app);
http::Response retry_job(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET and POST /clusters/{id}/configure
http::Response show_configuration(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);
http::Response configure_cluster(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);

/// GET and POST /clusters/{id}/lease
http::Response show_lease(const http::Request& request, const auth::Visitor& visitor, App& app);
http::Response change_lease(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
