#include "fcgi/pages/templates.hpp"

#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/reads.hpp"
#include "fcgi/pages/templates_page.hpp"

namespace fcgi::pages {

http::Response list_templates(const http::Request&, const auth::Visitor& visitor, App& app) {
    auto templates = app.database.read(
        [&](provisioner::store::Connection& c) { return read_templates(c, visitor.who()); });
    return drawn(app, visitor, 200, "templates/index",
                 {.title = "Templates", .section = "templates"},
                 to_json(TemplatesPage{std::move(templates)}));
}

}  // namespace fcgi::pages
