#pragma once

#include "fcgi/app.hpp"
#include "fcgi/pages/changes/change_page.hpp"

namespace fcgi::pages {

/// A change of which nodes or services a cluster has. GET shows the form, and with a query what the
/// answers to it would do (422 with the reasons when it cannot be done); POST does it and leads to
/// the cluster, or shows the form again.
///     /clusters/{id}/{grow|shrink}, /clusters/{id}/services/{add|remove},
///     /clusters/{id}/nodes/{node}/replace, which needs no answers
template <Change change>
struct ClusterChange {
    static http::Response ask(const http::Request& request, const auth::Visitor& visitor, App& app);
    static http::Response act(const http::Request& request, const auth::Visitor& visitor, App& app);
};

}  // namespace fcgi::pages
