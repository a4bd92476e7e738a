#include "fcgi/pages/catalogue/template_checks.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/catalogue/builder/sizes.hpp"
#include "fcgi/pages/catalogue/change_effects.hpp"
#include "fcgi/pages/catalogue/editors/edit.hpp"
#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "fcgi/pages/catalogue/files/given_files.hpp"
#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/catalogue/withheld_needs.hpp"
#include "fcgi/turns.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/operations/catalogue/template_relatives.hpp"
#include "provisioner/operations/clusters/kept_sizes.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/size_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

constexpr std::chrono::seconds longest_look_at_change{3};
constexpr int most_sized_of_change = 24;

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

/// What is told of an entry by itself, but for the templates that take something from it.
std::vector<std::string> told_of_entry(const auth::Visitor& visitor, App& app, CatalogueKind kind,
                                       const operations::CatalogueEntries& all, const Json& entry) {
    if (kind == CatalogueKind::service) return contradictions_of_service(all, entry);
    if (kind != CatalogueKind::cluster_template && kind != CatalogueKind::partial_template)
        return {};
    auto warnings = things_to_check(visitor, app, kind, entry);
    if (warnings.empty()) return warnings;
    const auto of_heirs = misfits_of_heirs(all, kind, entry);
    std::erase_if(warnings, [&](const std::string& warning) {
        return std::ranges::count(of_heirs, warning) > 0;
    });
    return warnings;
}

/// The same without what was so `before`, if there was anything.
std::vector<std::string> new_in_entry(const auth::Visitor& visitor, App& app, CatalogueKind kind,
                                      const operations::CatalogueEntries& all, const Json& before,
                                      const Json& entry) {
    auto warnings = told_of_entry(visitor, app, kind, all, entry);
    if (warnings.empty() || before.is_null()) return warnings;
    const auto known = told_of_entry(visitor, app, kind, all, before);
    std::erase_if(warnings, [&](const std::string& warning) {
        return std::ranges::count(known, warning) > 0;
    });
    return warnings;
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

std::vector<std::string> told_of_template(const EditContext& context, CatalogueKind kind,
                                          const Json& entry, const SizeCheck& check) {
    auto warnings = warnings_about(kind, entry, context);
    if (kind != CatalogueKind::cluster_template) return warnings;
    // Why there are no sizes at all has been said then.
    if (check.is_about_sizes || warnings.empty()) {
        std::ranges::copy(check.warnings, std::back_inserter(warnings));
    }
    const auto lacking = services_lacking_files(context.entries, context.given);
    std::ranges::move(words_on_lacking_files(context.entries, lacking, entry),
                      std::back_inserter(warnings));
    return warnings;
}

std::vector<std::string> things_to_check(const auth::Visitor& visitor, App& app, CatalogueKind kind,
                                         const Json& entry) {
    const auto context = app.database.read([&](store::Connection& connection) {
        return read_edit_context(connection, visitor.who().tenant.id, kind);
    });
    SizeCheck check;
    if (kind == CatalogueKind::cluster_template) {
        check = check_sizes(visitor, app, entry, context.entries);
    }
    return told_of_template(context, kind, entry, check);
}

ChangeCheck check_change(const auth::Visitor& visitor, App& app,
                         operations::CatalogueEntries before, operations::CatalogueEntries after,
                         std::set<std::string> apart) {
    CatalogueChange change{
        .before = std::move(before), .after = std::move(after), .apart = std::move(apart)};
    std::map<std::string, Json> kept;
    app.database.read([&](store::Connection& connection) {
        const auto tenant = visitor.who().tenant.id;
        change.drafts = templates_that_are_drafts(store::list_permissions(connection, tenant));
        kept = store::list_template_sizes(connection, tenant);
    });
    std::optional<Turns::Turn> turn;
    if (app.turns != nullptr) turn.emplace(*app.turns, visitor.who().user.id);
    const auto end = std::chrono::steady_clock::now() + longest_look_at_change;
    int worked_out = 0;
    const auto troubles_of = [&](const std::string& digest,
                                 const provisioner::solver::LayoutProblem& problem)
        -> std::optional<std::vector<operations::SizeTrouble>> {
        const auto known = kept.find(digest);
        if (known != kept.end()) return operations::troubles_from_json(known->second);
        const bool may_take_long = turn && turn->has_begun() && worked_out < most_sized_of_change &&
                                   std::chrono::steady_clock::now() < end;
        if (!may_take_long) return std::nullopt;
        ++worked_out;
        const auto sizes = operations::sizes_of_problem(problem);
        keep_for_lists(visitor, app, sizes);
        return operations::troubles_of_sizes(sizes);
    };
    const auto effects = effects_of_change(change, troubles_of);
    return {.to_check = words_to_confirm(effects), .notes = notes_on(effects)};
}

ChangeCheck check_of_entry(const auth::Visitor& visitor, App& app, CatalogueKind kind,
                           const Json& before, const Json& entry) {
    if (kind == CatalogueKind::provider) return {};
    const std::string name = provisioner::base::text_at(entry, "name");
    const bool is_template = kind == CatalogueKind::cluster_template;
    operations::CatalogueEntries all;
    bool is_draft = false;
    app.database.read([&](store::Connection& connection) {
        const auto tenant = visitor.who().tenant.id;
        all = operations::read_catalogue(connection, tenant);
        const auto permission = store::find_permission(connection, tenant, {kind, name});
        is_draft = is_template && permission && is_for_administrators_only(*permission);
    });
    ChangeCheck check;
    if (!is_draft) {
        check.to_check = new_in_entry(visitor, app, kind, all, before, entry);
        std::ranges::move(withheld_defaults(visitor, app, kind, before, entry),
                          std::back_inserter(check.to_check));
    }
    const bool takes_from_it = is_template || kind == CatalogueKind::partial_template;
    if (takes_from_it && operations::heirs_of(all, kind, name).empty()) return check;
    auto after = with_entry(all, kind, entry);
    const auto apart = is_template ? std::set<std::string>{name} : std::set<std::string>{};
    auto others = check_change(visitor, app, std::move(all), std::move(after), apart);
    std::ranges::move(others.to_check, std::back_inserter(check.to_check));
    check.notes = std::move(others.notes);
    return check;
}

}  // namespace fcgi::pages
