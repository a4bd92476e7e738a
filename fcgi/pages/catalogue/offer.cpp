#include "fcgi/pages/catalogue/offer.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/access/permissions.hpp"
#include "fcgi/pages/catalogue/template_checks.hpp"
#include "fcgi/pages/catalogue/withheld_needs.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/kinds.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::CatalogueKind;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

std::size_t users_without_offer(store::Connection& connection, model::TenantId tenant) {
    const auto users = store::list_users(connection, tenant);
    return static_cast<std::size_t>(std::ranges::count_if(users, [](const model::User& user) {
        return !user.disabled && !model::has(user.role, model::Right::every_entry);
    }));
}

/// What is to be read before an entry gets another permission: what those who lose it cannot do
/// any more, and of a template that more people may use what there is to check in it.
std::vector<std::string> broken_or_to_check(const auth::Visitor& visitor, App& app,
                                            const model::EntryName& entry,
                                            const std::optional<model::Permission>& after) {
    std::optional<Json> stored;
    std::optional<model::Permission> before;
    std::vector<std::string> to_check;
    app.database.read([&](store::Connection& connection) {
        const auto tenant = visitor.who().tenant.id;
        stored = store::find_entry(connection, tenant, entry.kind, entry.name);
        if (!stored) return;
        before = store::find_permission(connection, tenant, entry);
        to_check = broken_by_permission(provisioner::operations::read_catalogue(connection, tenant),
                                        read_audience(connection, tenant, true), entry, after);
    });
    if (stored && entry.kind == CatalogueKind::cluster_template && is_wider(before, after)) {
        std::ranges::move(things_to_check(visitor, app, entry.kind, *stored),
                          std::back_inserter(to_check));
    }
    return to_check;
}

/// The question, for the first time or once more.
Response drawn_question(const Request& request, const auth::Visitor& visitor, App& app,
                        bool is_asked) {
    const auto tenant = visitor.who().tenant;
    const auto kind = CatalogueKind::cluster_template;
    OfferPage page{.name = request.path_value("name"), .tenant = tenant.name, .is_asked = is_asked};
    std::optional<Json> offered;
    bool is_draft = false;
    app.database.read([&](store::Connection& connection) {
        offered = store::find_entry(connection, tenant.id, kind, page.name);
        if (!offered) return;
        const auto permission = store::find_permission(connection, tenant.id, {kind, page.name});
        is_draft = permission && is_for_administrators_only(*permission);
        page.label = text_at(*offered, "label");
        if (request.query_value("done") == "saved") {
            page.done = translated("Saved as version {0}. It is still a draft.",
                                   offered->value("version", 0));
        }
        page.users = users_without_offer(connection, tenant.id);
    });
    if (!offered) return nothing_there(translated("entry"));
    if (!is_draft) return http::see_other(entry_page(kind, page.name));
    page.to_check = broken_or_to_check(visitor, app, {kind, page.name}, std::nullopt);
    return drawn(app, visitor, is_asked ? 422 : 200, "catalogue/offer",
                 {.title = title_of(page), .section = "catalogue"}, to_json(page));
}

}  // namespace

std::string title_of(const OfferPage& page) {
    return translated("Offer {0} to everybody?", page.label.empty() ? page.name : page.label);
}

Json to_json(const OfferPage& page) {
    Json json;
    json["heading"] = title_of(page);
    json["name"] = page.label.empty() ? page.name : page.label;
    json["href"] = entry_page(CatalogueKind::cluster_template, page.name);
    json["offer_target"] = href_of_permission({CatalogueKind::cluster_template, page.name});
    json["who"] = page.users == 0 ? translated(
                                        "{0} has no other users yet. Those who come are "
                                        "offered it for new clusters.",
                                        page.tenant)
                                  : translated_count(page.users,
                                                     "From now on {0} user of {1} is offered it "
                                                     "for new clusters.",
                                                     "From now on {0} users of {1} are offered it "
                                                     "for new clusters.",
                                                     page.tenant);
    json["done"] = page.done;
    json.update(
        to_json(CheckBox{.title = page.is_asked ? translated("Not offered yet: please check")
                                                : translated("Before you offer it: please check"),
                         .to_check = page.to_check,
                         .act = translated("Offer it to everybody"),
                         .name = "whom",
                         .value = "everybody",
                         .is_asked = page.is_asked}));
    return json;
}

Response ask_to_offer(const Request& request, const auth::Visitor& visitor, App& app) {
    if (!auth::may_administer(visitor)) {
        return auth::refusal(request, visitor, auth::Need::admin);
    }
    return drawn_question(request, visitor, app, false);
}

Response save_permission(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const auto kind = model::kind_of_collection(request.path_value("kind"));
    const std::string whom = sent.trimmed("whom");
    const bool is_complete = kind && (whom == "everybody" || whom == "some");
    if (!is_complete) return replace_permission(request, visitor, app);
    const model::EntryName entry{*kind, request.path_value("name")};
    std::optional<model::Permission> after;
    if (whom == "some") after = permission_in(entry, sent);
    const auto to_check = broken_or_to_check(visitor, app, entry, after);
    if (are_checked(sent, to_check)) return replace_permission(request, visitor, app);
    return sent.trimmed("from") == "template" && !after
               ? drawn_question(request, visitor, app, true)
               : ask_about_permission(request, visitor, app, to_check);
}

}  // namespace fcgi::pages
