#include "fcgi/pages/docs.hpp"

#include "fcgi/pages/frame.hpp"

namespace fcgi::pages {

http::Response show_api(const http::Request&, const auth::Visitor& visitor, App& app) {
    return drawn(app, visitor, 200, "docs/api",
                 {.title = "API", .section = "docs", .script = "api.js"},
                 provisioner::base::Json::object());
}

}  // namespace fcgi::pages
