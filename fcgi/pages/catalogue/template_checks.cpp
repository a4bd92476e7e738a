#include "fcgi/pages/catalogue/template_checks.hpp"

#include <algorithm>
#include <iterator>

#include "fcgi/pages/catalogue/builder/sizes.hpp"
#include "fcgi/pages/catalogue/editors/edit.hpp"
#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/catalogue/withheld_needs.hpp"
#include "fcgi/turns.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/operations/clusters/kept_sizes.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

/// Lists read it. Daemons work it out once more where that fails.
void keep_for_lists(const auth::Visitor& visitor, App& app,
                    const operations::TemplateSizes& sizes) {
    try {
        operations::keep_sizes(app.database, visitor.who().tenant.id, sizes);
    } catch (const std::exception& error) {
        app.log.warn("sizes.not_kept", {{"error", error.what()}});
    }
}

std::vector<std::string> why_without_sizes(
    const auth::Visitor& visitor, App& app,
    const provisioner::model::ClusterTemplate& cluster_template) {
    std::vector<std::string> reasons;
    const auto refused =
        operations::sizes_of_template(app.database, visitor.who(), cluster_template, std::nullopt);
    if (refused) return reasons;
    for (const auto& problem : refused.error().problems) reasons.push_back(problem.message);
    return reasons;
}

/// What users of a cluster template may not use of what is a default of it only now.
std::vector<std::string> withheld_defaults(const auth::Visitor& visitor, App& app,
                                           CatalogueKind kind, const Json& before,
                                           const Json& entry) {
    std::vector<std::string> sentences;
    if (kind != CatalogueKind::cluster_template) return sentences;
    app.database.read([&](store::Connection& connection) {
        const auto tenant = visitor.who().tenant.id;
        const auto audience = read_audience(connection, tenant);
        if (audience.members.empty()) return;
        const auto entries = operations::read_catalogue(connection, tenant);
        const auto known = withheld_needs_of(entries, audience, before);
        for (const auto& need : withheld_needs_of(entries, audience, entry)) {
            const bool is_known = std::ranges::count(known, need.entry, &WithheldNeed::entry) > 0;
            if (!is_known) sentences.push_back(words_on_withheld(need, entries));
        }
    });
    return sentences;
}

}  // namespace

SizeCheck check_sizes(const auth::Visitor& visitor, App& app, const Json& cluster_template,
                      operations::CatalogueEntries entries) {
    SizeCheck check;
    auto made = provisioner::model::cluster_template_from_json(cluster_template);
    if (!made || app.turns == nullptr) return check;
    // What services lack is told elsewhere: sizes are those with it.
    const auto lacking = services_lacking_in(entries, cluster_template);
    const auto misfits = misfits_of_template(entries, cluster_template);
    const bool can_add = !lacking.to_add.empty() && misfits.size() == lacking.sentences.size();
    if (!misfits.empty() && !can_add) return check;
    if (can_add) {
        auto form = template_form_of(CatalogueKind::cluster_template, *made);
        add_services(form, lacking.to_add);
        made = template_in(form);
        if (!made) return check;
    }
    const Turns::Turn turn(*app.turns, visitor.who().user.id);
    if (!turn.has_begun()) return check;
    auto problem =
        operations::SizedCatalogue(entries).problem_of(provisioner::model::to_json(*made));
    if (!problem) {
        check.warnings = why_without_sizes(visitor, app, *made);
        return check;
    }
    const auto sizes = operations::sizes_of_problem(*std::move(problem));
    keep_for_lists(visitor, app, sizes);
    check.is_about_sizes = true;
    check.warnings =
        warnings_about_sizes(sizes, template_form_of(CatalogueKind::cluster_template, *made),
                             surroundings_in(std::move(entries)));
    if (can_add) {
        for (auto& warning : check.warnings) {
            warning = translated("With what it lacks: {0}", warning);
        }
    }
    return check;
}

std::vector<std::string> things_to_check(const auth::Visitor& visitor, App& app, CatalogueKind kind,
                                         const Json& entry) {
    auto context = app.database.read([&](store::Connection& connection) {
        return read_edit_context(connection, visitor.who().tenant.id, kind);
    });
    auto warnings = warnings_about(kind, entry, context);
    if (kind != CatalogueKind::cluster_template) return warnings;
    auto check = check_sizes(visitor, app, entry, std::move(context.entries));
    // Why there are no sizes at all has been said then.
    if (check.is_about_sizes || warnings.empty()) {
        std::ranges::move(check.warnings, std::back_inserter(warnings));
    }
    return warnings;
}

std::vector<std::string> new_things_to_check(const auth::Visitor& visitor, App& app,
                                             CatalogueKind kind, const Json& before,
                                             const Json& entry) {
    auto warnings = things_to_check(visitor, app, kind, entry);
    std::ranges::move(withheld_defaults(visitor, app, kind, before, entry),
                      std::back_inserter(warnings));
    if (warnings.empty()) return warnings;
    const auto known = things_to_check(visitor, app, kind, before);
    std::erase_if(warnings, [&](const std::string& warning) {
        return std::ranges::count(known, warning) > 0;
    });
    return warnings;
}

}  // namespace fcgi::pages
