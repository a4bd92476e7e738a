#include "fcgi/pages/profile/factor.hpp"

#include "fcgi/auth/sign_ins.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/profile/qr_picture.hpp"
#include "fcgi/pages/profile/small_form.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/tenants/login.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/identity/codes/one_time_codes.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
namespace operations = provisioner::operations;
namespace identity = provisioner::identity;

namespace {

/// In groups of four, as people copy it.
std::string in_groups(const std::string& text) {
    std::string grouped;
    for (std::size_t at = 0; at < text.size(); at += 4) {
        grouped += (at == 0 ? "" : " ") + text.substr(at, 4);
    }
    return grouped;
}

Json set_up_json(const FactorPage& page) {
    if (page.factor.has_factor || page.factor.secret.empty()) return {};
    const auto picture = qr_picture(identity::code_address(page.factor.secret, page.account));
    Json json;
    json["size"] = picture.size;
    json["path"] = picture.path;
    json["secret"] = in_groups(page.factor.secret.reveal());
    return json;
}

FactorPage page_of(const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    FactorPage page{.account = caller.tenant.name + '/' + caller.user.name, .now = app.clock.now()};
    page.is_duty = visitor.login->stage == provisioner::model::SessionStage::factor;
    return page;
}

Response draw(App& app, const auth::Visitor& visitor, int status, const FactorPage& page) {
    return drawn(app, visitor, status, "profile/factor",
                 {.title = "Second factor", .section = "profile"}, to_json(page));
}

}  // namespace

Json to_json(const FactorPage& page) {
    auto code = code_field();
    code.hint = "Six digits that the app shows now.";
    Json json = problems_json("The second factor was not turned on", page.problems,
                              {{code.name, code.id, code.label}});
    json["has_factor"] = page.factor.has_factor;
    json["since"] = page.factor.has_factor ? moment(page.factor.since, page.now) : Json();
    json["codes_left"] =
        counted(static_cast<std::size_t>(page.factor.recovery_codes), "recovery code");
    json["set_up"] = set_up_json(page);
    json["is_duty"] = page.is_duty;
    json["fields"] = {to_json(code, page.problems)};
    json["has_codes"] = !page.recovery_codes.empty();
    json["codes"] = Json::array();
    for (const auto& one : page.recovery_codes) {
        Json item;
        item["code"] = one.reveal();
        json["codes"].push_back(std::move(item));
    }
    return json;
}

Response show_factor(const Request&, const auth::Visitor& visitor, App& app) {
    FactorPage page = page_of(visitor, app);
    page.factor = operations::begin_factor(app.database, visitor.who(), page.now);
    return draw(app, visitor, 200, page);
}

Response confirm_factor(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    FactorPage page = page_of(visitor, app);
    auto confirmed =
        operations::confirm_factor(app.database, visitor.open_session(), sent.trimmed("code"),
                                   auth::client_of(request), app.sign_in, page.now);
    auth::record_sign_in({app.database, app.log}, request, confirmed.result);
    page.factor = operations::begin_factor(app.database, visitor.who(), page.now);
    if (confirmed.result.end != operations::SignInResult::End::done) {
        page.problems = {{"code", refusal_words(confirmed.result)}};
        return with_refusal(draw(app, visitor, 422, page), confirmed.result);
    }
    page.recovery_codes = std::move(confirmed.recovery_codes);
    page.is_duty = false;
    // The forms of the page belong to the new token.
    auth::Visitor renewed = visitor;
    renewed.session = confirmed.result.token;
    return with_session(draw(app, renewed, 200, page), request, confirmed.result.token, app);
}

Response replace_recovery_codes(const Request&, const auth::Visitor& visitor, App& app) {
    FactorPage page = page_of(visitor, app);
    auto codes = operations::replace_recovery_codes(app.database, visitor.who());
    if (!codes) return http::see_other("/profile/factor");
    page.factor = operations::view_factor(app.database, visitor.who());
    page.recovery_codes = *std::move(codes);
    return draw(app, visitor, 200, page);
}

Response remove_own_factor(const Request&, const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    operations::remove_factor(app.database, caller, caller.tenant.name, caller.user.name,
                              visitor.login->id);
    return http::see_other("/profile?done=factor");
}

}  // namespace fcgi::pages
