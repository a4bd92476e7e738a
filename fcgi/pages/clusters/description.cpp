#include "fcgi/pages/clusters/description.hpp"

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/ids_in_paths.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/clusters/describe.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace fcgi::pages {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::optional<DescriptionPage> read_description(const Request& request, const Visitor& visitor,
                                                App& app) {
    auto cluster = app.database.read([&](store::Connection& connection) {
        return store::find_cluster(connection, visitor.who(), id_in(request));
    });
    if (!cluster) return std::nullopt;
    DescriptionPage page{.cluster = *std::move(cluster)};
    page.description = page.cluster.description;
    return page;
}

Response drawn_description(const Visitor& visitor, App& app, const DescriptionPage& page) {
    return drawn(
        app, visitor, 200, "clusters/description",
        {.title = translated("Description of {0}", page.cluster.name), .section = "clusters"},
        to_json(page));
}

}  // namespace

Json to_json(const DescriptionPage& page) {
    const FormField description{.id = "inputDescription",
                                .name = "description",
                                .label = translated("Description"),
                                .value = page.description,
                                .hint = translated("What the cluster is for, for those who see it "
                                                   "in lists."),
                                .control = FormField::Control::textarea,
                                .longest = longest_typed_description};
    auto json =
        form_json(translated("Couldn't change the description"), {description}, page.problems);
    json["cluster_href"] = "/clusters/" + model::wire_id(page.cluster.id);
    json["cluster_name"] = page.cluster.name;
    return json;
}

Response show_description(const Request& request, const Visitor& visitor, App& app) {
    const auto page = read_description(request, visitor, app);
    if (!page) return no_such_cluster(request, visitor, app, id_in(request), translated("cluster"));
    return drawn_description(visitor, app, *page);
}

Response change_description(const Request& request, const Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    if (auto refused = if_incomplete(app, visitor, sent, {"description"})) return *refused;
    auto page = read_description(request, visitor, app);
    if (!page) return no_such_cluster(request, visitor, app, id_in(request), translated("cluster"));
    page->description = sent.trimmed("description");
    const auto done = operations::describe_cluster(app.database, visitor.who(), page->cluster.id,
                                                   page->description);
    if (done) {
        return http::see_other("/clusters/" + model::wire_id(page->cluster.id) +
                               "/settings?done=description");
    }
    page->problems = done.error().problems;
    return with_status_of(done.error(), drawn_description(visitor, app, *page));
}

}  // namespace fcgi::pages
