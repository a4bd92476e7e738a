#include "fcgi/pages/catalogue/templates.hpp"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <sstream>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/clusters/page_reads.hpp"
#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/clusters/preview.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/machines/price_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::ClusterTemplate;

namespace {

constexpr std::size_t services_on_a_card = 5;
/// As many cards as are seen at once on a large screen need no search.
constexpr std::size_t cards_without_search = 12;

bool fits_words(const TemplatesPage& page, const ClusterTemplate& cluster_template) {
    std::string text = cluster_template.header.name + '\n' + title_of(cluster_template.header) +
                       '\n' + cluster_template.header.description.value_or("");
    for (const auto& service : cluster_template.defaults.services) {
        text += '\n' + page.labels.service(service);
    }
    std::istringstream words(page.search);
    std::string word;
    while (words >> word) {
        if (!boost::algorithm::icontains(text, word)) return false;
    }
    return true;
}

/// A request for the smallest cluster of a template with its defaults.
provisioner::operations::CreateCluster smallest(const ClusterTemplate& cluster_template,
                                                const PossibleSizes& sizes) {
    provisioner::operations::CreateCluster wanted;
    wanted.name = "smallest";
    wanted.cluster_template = cluster_template.header.name;
    wanted.machines = std::max(1, sizes.least);
    wanted.secrets_come_later = true;
    return wanted;
}

/// Only with a price list: a layout costs up to 15 ms.
std::map<std::string, provisioner::model::HourlyCost> costs_of(const TemplatesPage& page,
                                                               const auth::Visitor& visitor,
                                                               App& app) {
    namespace store = provisioner::store;
    const auto& caller = visitor.who();
    const bool has_prices = app.database.read([&](store::Connection& connection) {
        return store::has_prices(connection, caller.tenant.id);
    });
    std::map<std::string, provisioner::model::HourlyCost> costs;
    if (!has_prices) return costs;
    for (const ClusterTemplate& cluster_template : page.templates) {
        const auto wanted =
            smallest(cluster_template, sizes_of_template(page.size_troubles, cluster_template));
        const auto sizes = provisioner::operations::preview_sizes(
            app.database, caller, wanted, {wanted.machines}, app.clock.now());
        if (sizes.front().cost) costs[cluster_template.header.name] = *sizes.front().cost;
    }
    return costs;
}

Json card_json(const TemplatesPage& page, const ClusterTemplate& cluster_template) {
    const auto& header = cluster_template.header;
    const auto& names = cluster_template.defaults.services;
    Json services = Json::array();
    for (std::size_t i = 0; i < std::min(names.size(), services_on_a_card); ++i) {
        services.push_back(Json{{"service", page.labels.service(names[i])}});
    }
    Json json;
    json["href"] = (page.may_create ? "/clusters/new?template=" : "/catalogue/clustertemplates/") +
                   http::percent_encode(header.name);
    json["title"] = title_of(header);
    // Labels need not be unique.
    json["name"] = title_of(header) == header.name ? "" : header.name;
    json["description"] = header.description.value_or("");
    json["more_services"] =
        names.size() > services_on_a_card ? Json(names.size() - services_on_a_card) : Json();
    json["services"] = std::move(services);
    json["unfit"] =
        page.unfit.contains(header.name)
            ? translated("Cannot work at its provider, {0}. Choose another one in the form.",
                         page.labels.of(provisioner::model::CatalogueKind::provider,
                                        cluster_template.defaults.provider.value_or("")))
            : "";
    json["is_draft"] = page.drafts.contains(header.name);
    json["size"] = size_words(sizes_of_template(page.size_troubles, cluster_template));
    const auto cost = page.costs.find(header.name);
    // Without any price a card says nothing of costs.
    const bool is_known = cost != page.costs.end() && !cost->second.per_hour.empty();
    json["cost"] =
        is_known ? Json(translated("Smallest size costs {0}", cost_words(cost->second))) : Json();
    json["lease"] = "Lease: " + lease_words(cluster_template.lease);
    return json;
}

std::string found_words(std::size_t found, const TemplatesPage& page) {
    if (found == 0) return translated("No template has “{0}”.", page.search);
    return translated("{0} of {1} templates.", found, page.templates.size());
}

}  // namespace

Json to_json(const TemplatesPage& page) {
    // Those that say what they are for come first.
    std::vector<const ClusterTemplate*> sorted;
    for (const auto& cluster_template : page.templates) {
        if (fits_words(page, cluster_template)) sorted.push_back(&cluster_template);
    }
    std::ranges::stable_sort(sorted, {}, [](const ClusterTemplate* cluster_template) {
        const auto& header = cluster_template->header;
        return std::pair(header.description.value_or("").empty(), header.name);
    });
    Json list = Json::array();
    for (const auto* cluster_template : sorted) list.push_back(card_json(page, *cluster_template));
    Json json;
    json["has_templates"] = !page.templates.empty();
    json["is_searched"] = page.templates.size() > cards_without_search || !page.search.empty();
    json["search"] = page.search;
    json["found"] = page.search.empty() ? "" : found_words(list.size(), page);
    json["has_cards"] = !list.empty();
    json["templates"] = std::move(list);
    return json;
}

http::Response list_templates(const http::Request& request, const auth::Visitor& visitor,
                              App& app) {
    TemplatesPage page{.search = std::string(http::trim(request.query_value("q").value_or(""))),
                       .may_create = visitor.who().may(provisioner::model::Right::use_clusters)};
    app.database.read([&](provisioner::store::Connection& c) {
        Offer offer = read_offer(c, visitor.who(), "", "");
        page.labels = offer.labels();
        page.unfit.clear();
        for (const ClusterTemplate& cluster_template : offer.templates) {
            if (!offer.can_work(cluster_template)) page.unfit.insert(cluster_template.header.name);
        }
        page.templates = std::move(offer.templates);
        page.size_troubles = std::move(offer.size_troubles);
        page.drafts = templates_that_are_drafts(
            provisioner::store::list_permissions(c, visitor.who().tenant.id));
    });
    page.costs = costs_of(page, visitor, app);
    Frame frame{.title = translated("Templates"), .section = "templates"};
    const std::string unknown = request.query_value("unknown").value_or("");
    if (!unknown.empty()) {
        frame.notes.push_back(
            unknown_value(translated("template"), unknown, translated("showing all")));
    }
    return drawn(app, visitor, 200, "catalogue/templates", frame, to_json(page));
}

}  // namespace fcgi::pages
