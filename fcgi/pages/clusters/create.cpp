#include "fcgi/pages/clusters/create.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/clusters/page_reads.hpp"
#include "fcgi/pages/clusters/preview_page.hpp"
#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/clusters/preview.hpp"
#include "provisioner/operations/prices/budgets.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::messages::translated;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace solver = provisioner::solver;

namespace {

Frame form_frame() {
    return {.title = translated("New cluster"), .section = "clusters"};
}

Response form_page(App& app, const auth::Visitor& visitor, int status, NewClusterPage page) {
    page.is_admin = visitor.who().is_admin();
    const auto unpriced = app.database.read([&](provisioner::store::Connection& connection) {
        return operations::unpriced_currency(connection, visitor.who().tenant);
    });
    if (!unpriced.empty()) page.unpriced = unpriced_words(unpriced);
    return drawn(app, visitor, status, "clusters/new", form_frame(), to_json(page));
}

/// A cluster of the visitor by its id in a form or an address.
std::optional<model::Cluster> find_like(provisioner::store::Connection& connection,
                                        const auth::Visitor& visitor, const std::string& id) {
    return provisioner::store::find_cluster(
        connection, visitor.who(),
        model::ClusterId{provisioner::base::parse_number(id).value_or(0)});
}

Offer offer_for(App& app, const auth::Visitor& visitor, const ClusterForm& form) {
    return app.database.read([&](provisioner::store::Connection& c) {
        return read_offer(c, visitor.who(), form.cluster_template, form.provider, form.of_draft);
    });
}

/// Said at once, whatever else is wrong with the form.
std::vector<MissingService> missing_services_in(App& app, const auth::Visitor& visitor,
                                                const Offer& offer, const ClusterForm& form) {
    const auto* chosen = offer.find(form.cluster_template);
    if (chosen == nullptr) return {};
    std::vector<model::Service> catalogue;
    app.database.read([&](provisioner::store::Connection& connection) {
        for (const Json& entry : provisioner::store::list_entries(
                 connection, visitor.who().tenant.id, model::CatalogueKind::service)) {
            if (auto service = model::service_from_json(entry)) {
                catalogue.push_back(*std::move(service));
            }
        }
    });
    return missing_services(form.services.empty() ? chosen->defaults.services : form.services,
                            chosen->compatibility.services, catalogue);
}

Response form_again(App& app, const auth::Visitor& visitor, const ClusterForm& form,
                    const Problems& problems, const std::vector<solver::Remedy>& remedies = {}) {
    auto offer = offer_for(app, visitor, form);
    NewClusterPage page{.offer = std::move(offer),
                        .form = form,
                        .is_refused = true,
                        .is_none_chosen = form.services.empty(),
                        .remedies = remedies};
    const Labels labels = page.offer.labels();
    page.missing = missing_services_in(app, visitor, page.offer, form);
    page.problems = problems;
    page.unpriced = unpriced_words(problems);
    if (!page.missing.empty()) {
        // The form says the same in its own words.
        std::erase_if(page.problems, [](const auto& problem) {
            return problem.field == "services" &&
                   problem.message.find("in the list of services to add") != std::string::npos;
        });
    }
    page.problems = labels.in(page.problems);
    return form_page(app, visitor, 422, std::move(page));
}

// A refusal for missing fields lists alternative sets. The page shows the first set beside its
// controls.
Problems problems_of(const operations::Refusal& refusal) {
    auto problems = refusal.problems;
    if (refusal.missing_fields.empty()) return problems;
    const auto& alternative = refusal.missing_fields.front();
    for (const auto& [name, field] : alternative.items()) {
        problems.push_back({"providerFields." + name, translated("The provider needs this.")});
    }
    return problems;
}

Response form_again(App& app, const auth::Visitor& visitor, const ClusterForm& form,
                    const operations::Refusal& refusal) {
    return with_status_of(refusal,
                          form_again(app, visitor, form, problems_of(refusal), refusal.remedies));
}

/// What the masks in the form's configuration stand for: nothing if that is not there any more.
std::optional<Json> unmasked(App& app, const auth::Visitor& visitor, const ClusterForm& form) {
    return app.database.read([&](provisioner::store::Connection& c) -> std::optional<Json> {
        if (!form.like.empty()) {
            const auto cluster = find_like(c, visitor, form.like);
            return cluster ? std::optional(cluster->config) : std::nullopt;
        }
        const auto offer =
            read_offer(c, visitor.who(), form.cluster_template, form.provider, form.of_draft);
        const auto* chosen = offer.find(form.cluster_template);
        return chosen ? std::optional(chosen->defaults.config) : std::nullopt;
    });
}

/// Puts what they stand for in place of the masks of a configuration.
void take_off_masks(App& app, const auth::Visitor& visitor, const ClusterForm& form, Json& config,
                    Problems& problems) {
    const bool has_mask = form.config.find(model::secret_mask) != std::string::npos;
    if (config.is_null() || !has_mask) return;
    const Json nothing = Json::object();
    auto whole = model::with_masked_config(config, unmasked(app, visitor, form).value_or(nothing));
    if (whole) config = *std::move(whole);
    if (!whole) problems.insert(problems.end(), whole.error().begin(), whole.error().end());
}

/// What the form asks for; or the form again, with all that is wrong with it. The operation says
/// what is wrong with those values that can be read.
provisioner::base::expected<operations::CreateCluster, Response> asked_for(
    App& app, const auth::Visitor& visitor, const ClusterForm& form) {
    Problems problems;
    auto request = wanted(form, problems);
    take_off_masks(app, visitor, form, request.config, problems);
    if (problems.empty()) return request;
    // What the preview asks for is not missing here.
    auto without_secrets = request;
    without_secrets.secrets_come_later = true;
    const auto preview =
        operations::preview_cluster(app.database, visitor.who(), without_secrets, app.clock.now());
    if (!preview) {
        for (const auto& problem : problems_of(preview.error())) {
            const bool is_new = std::ranges::none_of(
                problems, [&](const auto& known) { return known.field == problem.field; });
            if (is_new) problems.push_back(problem);
        }
    }
    return provisioner::base::unexpected(form_again(app, visitor, form, problems));
}

/// Tells of a form that was just drawn what its preview would say of the layout.
void add_doubts(App& app, const auth::Visitor& visitor, NewClusterPage& page) {
    Problems problems;
    ClusterForm named = form_as_drawn(page);
    if (named.name.empty()) named.name = "cluster";
    auto request = wanted(named, problems);
    take_off_masks(app, visitor, named, request.config, problems);
    if (!problems.empty()) return;
    request.secrets_come_later = true;
    const auto preview =
        operations::preview_cluster(app.database, visitor.who(), request, app.clock.now());
    const auto labels = page.offer.labels();
    if (preview) {
        page.doubts = words_of_lacking(preview->lacking, labels);
        return;
    }
    page.unpriced = unpriced_words(preview.error().problems);
    if (preview.error().kind != operations::Refusal::Kind::unsatisfiable) return;
    page.is_impossible = true;
    for (const auto& problem : labels.in(preview.error().problems)) {
        page.doubts.push_back(problem.message);
    }
}

/// A size that is offered, in place of one that nobody typed.
void fit_size(NewClusterPage& page) {
    const auto machines = provisioner::base::parse_number(page.form.machines);
    if (!machines || *machines > operations::max_cluster_size) return;
    const auto sizes = page.offer.sizes_of(page.form);
    page.form.machines = std::to_string(sizes.nearest(static_cast<int>(*machines)));
}

/// The fields that may be kept, or stand in hidden fields of a page.
http::FormData open_fields(const http::FormData& sent, const Offer& offer) {
    http::FormData open;
    for (const auto& field : sent.fields) {
        if (travels_on(offer.provider_fields, field.first)) open.fields.push_back(field);
    }
    return open;
}

/// Keeps the form and leads to the page at `path` of it, which has an address of its own: so Back,
/// Forward and reload work.
Response to_draft(const Request& request, const auth::Visitor& visitor, App& app,
                  const std::string& path) {
    const auto sent = http::parse_form(request.body);
    const auto open = open_fields(sent, offer_for(app, visitor, read_cluster_form(sent)));
    return http::see_other(path + "?draft=" + keep_draft(app, visitor, path, open));
}

/// Of a form whose services were chosen.
void tell_of_services(App& app, const auth::Visitor& visitor, NewClusterPage& page) {
    page.missing = missing_services_in(app, visitor, page.offer, page.form);
    page.is_none_chosen = page.form.services.empty();
}

/// What of the form that is drawn anew stands in the address, because services were chosen: it is
/// asked for whenever a box is ticked (static/js/forms.js).
void read_choice(const http::FormData& sent, ClusterForm& form) {
    form.services = sent.all("services");
    std::erase(form.services, "");
    form.machines = sent.trimmed("numMachines");
    form.provider = sent.trimmed("provider");
    form.hardware_type = sent.trimmed("hardwaretype");
    form.image_type = sent.trimmed("imagetype");
}

Response form_of_draft(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto draft = draft_in(request, visitor, app);
    if (!draft) {
        return gone_draft(app, visitor, "/templates", translated("Choose a template"));
    }
    const auto& sent = *draft;
    auto form = read_cluster_form(sent);
    const bool other = sent.trimmed("drawn") != form.cluster_template;
    if (other) form.provider.clear();
    auto offer = offer_for(app, visitor, form);
    const auto* chosen = offer.find(form.cluster_template);
    if (!chosen) return http::see_other("/templates");
    if (other) form = switched(form, *chosen);
    NewClusterPage page{.offer = std::move(offer),
                        .form = std::move(form),
                        .drawn_provider = other ? "" : sent.trimmed("drawnProvider")};
    if (other) {
        fit_size(page);
        add_doubts(app, visitor, page);
    } else {
        tell_of_services(app, visitor, page);
    }
    return form_page(app, visitor, 200, std::move(page));
}

std::string title_of_template(const ClusterForm& form, const model::ClusterTemplate* chosen) {
    const std::string title = chosen ? title_of(chosen->header) : form.cluster_template;
    return form.of_draft ? translated("{0}, draft of a change", title) : title;
}

/// The templates, which say that there is none of that name.
Response to_templates(const std::string& missing) {
    return http::see_other("/templates" + (missing.empty()
                                               ? std::string()
                                               : "?unknown=" + http::percent_encode(missing)));
}

/// The form with what an earlier cluster was made of.
Response form_like_cluster(const std::string& id, const auth::Visitor& visitor, App& app) {
    const auto cluster = app.database.read([&](provisioner::store::Connection& connection) {
        return find_like(connection, visitor, id);
    });
    if (!cluster) return http::see_other("/templates");
    const auto& snapshot = cluster->snapshot;
    auto offer = offer_for(app, visitor,
                           {.cluster_template = snapshot.cluster_template.header.name,
                            .provider = snapshot.provider.header.name});
    const auto* chosen = offer.find(snapshot.cluster_template.header.name);
    if (!chosen) return to_templates(snapshot.cluster_template.header.name);
    auto form = form_like(*cluster, *chosen);
    auto not_copied = words_not_copied(*cluster, *chosen);
    NewClusterPage page{
        .offer = std::move(offer), .form = std::move(form), .not_copied = std::move(not_copied)};
    fit_size(page);
    add_doubts(app, visitor, page);
    return form_page(app, visitor, 200, std::move(page));
}

}  // namespace

Response new_cluster(const Request& request, const auth::Visitor& visitor, App& app) {
    if (request.query_value("draft")) return form_of_draft(request, visitor, app);
    if (const auto id = request.query_value("like")) return form_like_cluster(*id, visitor, app);
    ClusterForm asked{.cluster_template = request.query_value("template").value_or(""),
                      .of_draft = request.query_value("of") == "draft"};
    auto offer = offer_for(app, visitor, asked);
    const auto* chosen = offer.find(asked.cluster_template);
    if (!chosen) return to_templates(asked.cluster_template);
    auto form = form_for(*chosen);
    form.of_draft = asked.of_draft && visitor.who().is_admin();
    NewClusterPage page{.offer = std::move(offer), .form = std::move(form)};
    const auto sent = http::parse_form(request.query);
    if (sent.has("services")) {
        read_choice(sent, page.form);
        tell_of_services(app, visitor, page);
        return form_page(app, visitor, 200, std::move(page));
    }
    fit_size(page);
    add_doubts(app, visitor, page);
    return form_page(app, visitor, 200, std::move(page));
}

Response change_new_cluster(const Request& request, const auth::Visitor& visitor, App& app) {
    return to_draft(request, visitor, app, "/clusters/new");
}

Response ask_for_preview(const Request& request, const auth::Visitor& visitor, App& app) {
    return to_draft(request, visitor, app, "/clusters/preview");
}

Response preview_cluster(const Request& request, const auth::Visitor& visitor, App& app) {
    if (!request.query_value("draft")) return http::see_other("/templates");
    const auto draft = draft_in(request, visitor, app);
    if (!draft) {
        return gone_draft(app, visitor, "/templates", translated("Choose a template"));
    }
    const auto& sent = *draft;
    const auto form = read_cluster_form(sent);
    auto request_made = asked_for(app, visitor, form);
    if (!request_made) return request_made.error();
    request_made->secrets_come_later = true;

    const auto now = app.clock.now();
    const auto explain =
        sent.trimmed("explain").empty() ? operations::Explain::no : operations::Explain::yes;
    const auto preview =
        operations::preview_cluster(app.database, visitor.who(), *request_made, now, explain);
    if (!preview) return form_again(app, visitor, form, preview.error());
    const auto sizes = operations::preview_sizes(
        app.database, visitor.who(), *request_made,
        operations::sizes_near(request_made->machines, preview->allowed), now);
    auto offer = offer_for(app, visitor, form);
    const auto* chosen = offer.find(form.cluster_template);
    PreviewPage page{.wanted = *request_made,
                     .preview = *preview,
                     .sizes = sizes,
                     .sent = sent,
                     .provider_fields = offer.provider_fields,
                     .template_title = title_of_template(form, chosen),
                     .defaults = chosen ? chosen->defaults : model::TemplateDefaults(),
                     .labels = offer.labels(),
                     .now = now};
    app.database.read([&](provisioner::store::Connection& c) {
        page.namesakes = provisioner::store::clusters_named(c, visitor.who(), page.wanted.name);
        page.creation_times = provisioner::store::creation_times(
            c, visitor.who().tenant.id, form.cluster_template, preview->provider);
    });
    return drawn(app, visitor, 200, "clusters/preview",
                 {.title = translated("Preview: {0}", form.name), .section = "clusters"},
                 to_json(page));
}

Response create_cluster(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto form = read_cluster_form(http::parse_form(request.body));
    const auto request_made = asked_for(app, visitor, form);
    if (!request_made) return request_made.error();

    const auto cluster =
        operations::create_cluster(app.database, visitor.who(), *request_made, app.clock.now());
    if (!cluster) return form_again(app, visitor, form, cluster.error());
    return http::see_other("/clusters/" + model::wire_id(*cluster));
}

}  // namespace fcgi::pages
