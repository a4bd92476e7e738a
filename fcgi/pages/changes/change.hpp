#pragma once

#include "fcgi/app.hpp"
#include "fcgi/pages/changes/change_page.hpp"

namespace fcgi::pages {

/// The two handlers of one kind of change to a cluster's nodes or services. Instantiated in the
/// .cpp for each Change.
///
///     /clusters/{id}/{grow|shrink}
///     /clusters/{id}/services/{add|remove}
///     /clusters/{id}/nodes/{node}/replace
///
/// Both answer 404 if the cluster does not exist or the visitor may not see it.
template <Change change>
struct ClusterChange {
    /// GET: the form. With a query, also a preview of the change, or the reasons why it cannot be
    /// done, with the status of with_status_of(). Replacing a node needs no answers, so its preview
    /// is always shown. Nothing is written.
    static http::Response ask(const http::Request& request, const auth::Visitor& visitor, App& app);
    /// POST: queues the change and redirects to the cluster with 303. If the operation refuses, it
    /// shows the form again with the reasons, likewise. It plans anew: the cluster may have changed
    /// since the preview.
    static http::Response act(const http::Request& request, const auth::Visitor& visitor, App& app);
};

}  // namespace fcgi::pages
