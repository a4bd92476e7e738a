#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

/// GET /clusters/new?template=web: the form as the template says. Without a template, 303 to the
/// templates.
http::Response new_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /clusters/new: the form as it was filled in, to be changed; drawn anew when another
/// template was chosen.
http::Response change_new_cluster(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);

/// POST /clusters/preview: what would be made; 422 with the form again when it cannot be.
http::Response preview_cluster(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

/// POST /clusters: makes it, 303 to its page; 422 with the form again when it cannot be.
http::Response create_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
