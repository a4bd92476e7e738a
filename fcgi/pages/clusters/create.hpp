#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// GET /clusters/new?template=web: the form with the template's defaults. 303 to the templates if
/// that template does not exist or none is named.
///
/// The way through these: new_cluster, change_new_cluster as often as wanted, ask_for_preview,
/// preview_cluster, create_cluster. What was typed is kept as a draft (kept/kept_form.hpp), whose
/// number is in the addresses of the pages, so Back, Forward and reload work: new_cluster with
/// ?draft= shows the form of a draft. Nothing is created before the last one.
http::Response new_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /clusters/new: keeps the form as a draft and leads to it, for further changes. If another
/// template was chosen, the form takes that template's defaults (switched()). The hidden field
/// `drawn` names the template that the form was drawn from.
http::Response change_new_cluster(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);

/// POST /clusters/preview: keeps the form as a draft and leads to its preview.
http::Response ask_for_preview(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

/// GET /clusters/preview?draft=: layout, plan and neighbouring sizes of the cluster. The form with
/// the problems and the remedies if it cannot be created: 422, or the status of with_status_of().
/// Secret provider fields count as given: they are asked for again on this page. The field
/// `explain` adds the reasons for the layout. Each size costs a run of the solver.
http::Response preview_cluster(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

/// POST /clusters: queues the creation, 303 to the cluster's page. The form, as preview_cluster()
/// shows it, if it is refused. Unlike the API, a refused request leaves no terminated cluster
/// behind.
http::Response create_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
