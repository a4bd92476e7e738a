#include "fcgi/pages/people/second_factors.hpp"

#include <optional>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/tenants/user_words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/sign_in/factors.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

/// Nothing without such a user whom the visitor administers.
std::optional<FactorRemovalPage> read_removal(const Request& request, const auth::Visitor& visitor,
                                              App& app) {
    const auto& caller = visitor.who();
    return app.database.read(
        [&](store::Connection& connection) -> std::optional<FactorRemovalPage> {
            const auto of = people_of(request, visitor, connection);
            if (!of) return std::nullopt;
            const auto user =
                operations::seen_user(connection, caller, of->tenant, request.path_value("user"));
            if (!user || !operations::may_administer(caller, *user)) return std::nullopt;
            return FactorRemovalPage{
                .of = *of,
                .person = user->name,
                .has_factor = operations::view_factor(connection, user->id).has_factor};
        });
}

Response draw_removal(App& app, const auth::Visitor& visitor, int status,
                      const FactorRemovalPage& page) {
    return drawn(app, visitor, status, "people/remove_factor",
                 {.title = translated("Remove the second factor of {0}", page.person),
                  .section = page.of.section()},
                 to_json(page));
}

}  // namespace

FormField second_factor_field(model::SecondFactorFor of_tenant, model::SecondFactorFor of_all) {
    using model::SecondFactorFor;
    FormField field{.id = "input-who",
                    .name = "who",
                    .label = translated("Who must have a second factor"),
                    .value = std::string(base::to_word(of_tenant)),
                    .control = FormField::Control::select};
    if (of_all == SecondFactorFor::admins) {
        field.hint = translated(
            "This installation requires a second factor from administrators in any case.");
    } else if (of_all == SecondFactorFor::everybody) {
        field.hint =
            translated("This installation requires a second factor from everybody in any case.");
    }
    for (const auto& [who, word] : base::words<SecondFactorFor>) {
        field.options.emplace_back(std::string(word), second_factor_words(who));
    }
    return field;
}

Json to_json(const FactorRemovalPage& page) {
    Json json = to_json(page.of);
    json["person"] = page.person;
    json["href"] = page.of.person_href(page.person);
    json["has_factor"] = page.has_factor;
    json["problem"] = page.problem;
    return json;
}

Response require_second_factor(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto who =
        base::from_word<model::SecondFactorFor>(http::parse_form(request.body).trimmed("who"));
    if (!who) return http::see_other(list_of_people(request));
    const auto required = operations::require_second_factor(
        app.database, visitor.who(), tenant_named_in(request, visitor), *who);
    if (!required) return nothing_there(translated("tenant"));
    return http::see_other(list_of_people(request) + "?done=factor");
}

Response ask_to_remove_factor(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto page = read_removal(request, visitor, app);
    if (!page) return nothing_there(translated("user"));
    return draw_removal(app, visitor, 200, *page);
}

Response remove_factor_of_person(const Request& request, const auth::Visitor& visitor, App& app) {
    auto page = read_removal(request, visitor, app);
    if (!page) return nothing_there(translated("user"));
    const auto removed = operations::remove_factors_of(
        app.database, visitor.who(), tenant_named_in(request, visitor), page->person);
    if (removed) return http::see_other(page->of.person_href(page->person) + "?done=factor");
    page->problem = removed.error().problems.front().message;
    return with_status_of(removed.error(), draw_removal(app, visitor, 200, *page));
}

}  // namespace fcgi::pages
