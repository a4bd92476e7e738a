#include "fcgi/pages/profile/factor.hpp"

#include <stdexcept>

#include "fcgi/auth/sign_ins.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/kept/next.hpp"
#include "fcgi/pages/profile/qr_picture.hpp"
#include "fcgi/pages/profile/small_form.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/tenants/login.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/identity/codes/one_time_codes.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
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
    if (page.factor.has_app || page.factor.secret.empty()) return {};
    const auto picture = qr_picture(identity::code_address(page.factor.secret, page.account));
    Json json;
    json["size"] = picture.size;
    json["path"] = picture.path;
    json["secret"] = in_groups(page.factor.secret.reveal());
    return json;
}

FormField key_name_field(const std::string& typed) {
    FormField field{
        .id = "input-name", .name = "name", .label = translated("Name of the key"), .value = typed};
    field.hint = translated("A name you will recognise, such as \"the blue one\" or \"phone\".");
    field.required = true;
    return field;
}

Json security_keys_json(const FactorPage& page) {
    Json list = Json::array();
    for (const auto& key : page.factor.keys) {
        Json item;
        item["id"] = key.id;
        item["key_name"] = key.name;
        item["host"] = key.host;
        item["created"] = moment(key.created_at, page.now);
        item["used"] = key.last_used_at ? moment(*key.last_used_at, page.now) : Json();
        item["is_backed_up"] = key.is_backed_up;
        list.push_back(std::move(item));
    }
    return list;
}

std::string duty_words(operations::FactorDemand demand) {
    return demand == operations::FactorDemand::tenant
               ? translated("Your tenant requires a second factor. Set one up to continue.")
               : translated("This installation requires a second factor. Set one up to continue.");
}

std::string use_words(operations::FirstFactor first) {
    using operations::FirstFactor;
    switch (first) {
        case FirstFactor::password:
            return translated(
                "When you log in, you enter your password and confirm with a second factor: a "
                "security key, or an app that shows codes.");
        case FirstFactor::provider:
            return translated(
                "When you log in with your identity provider, you confirm here with a second "
                "factor: a security key, or an app that shows codes.");
        case FirstFactor::trusted_provider:
            return translated(
                "When you log in and your identity provider does not ask for a second factor, you "
                "confirm here with one: a security key, or an app that shows codes.");
    }
    throw std::logic_error("unknown first factor");
}

/// The question to a new key. Keys that are there already do not answer it.
KeyPrompt new_key_prompt(const Request& request, const auth::Visitor& visitor, App& app,
                         const FactorPage& page) {
    const auto ceremony = key_ceremony(request, visitor, app);
    return {.challenge = identity::key_challenge(ceremony),
            .host = ceremony.site.host,
            .credentials = credentials_of(page.factor, ceremony.site.host),
            .account = page.account,
            .handle = std::to_string(visitor.who().user.id.value)};
}

FactorPage page_of(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto& caller = visitor.who();
    FactorPage page{.account = caller.tenant.name + '/' + caller.user.name, .now = app.clock.now()};
    page.is_duty = visitor.login->stage == provisioner::model::SessionStage::factor;
    app.database.read([&](provisioner::store::Connection& connection) {
        page.demand = operations::factor_demand(connection, app.sign_in, caller.user);
        page.first = operations::first_factor_of(connection, caller.user.id);
    });
    page.factor = operations::begin_factor(app.database, visitor.open_session(), page.now);
    page.new_key = new_key_prompt(request, visitor, app, page);
    return page;
}

Response draw(App& app, const auth::Visitor& visitor, int status, const FactorPage& page) {
    return drawn(
        app, visitor, status, "profile/factor",
        {.title = translated("Second factor"), .section = "profile", .script = "security_key.js"},
        to_json(page));
}

}  // namespace

Json to_json(const FactorPage& page) {
    auto code = code_field();
    code.hint = translated("Six digits that the app shows now.");
    const auto name = key_name_field(page.key_name);
    Json json = problems_json(translated("Couldn't turn on the second factor"), page.problems,
                              {{code.name, code.id, code.label},
                               {name.name, name.id, name.label},
                               {"security-key", "add-security-key", translated("Security key")}});
    json["has_factor"] = page.factor.has_factor;
    json["has_app"] = page.factor.has_app;
    json["since"] = page.factor.has_app ? moment(page.factor.since, page.now) : Json();
    json["security_keys"] = security_keys_json(page);
    json["has_security_keys"] = !page.factor.keys.empty();
    json["key"] = page.new_key ? to_json(*page.new_key) : Json();
    json["key_fields"] = {to_json(name, page.problems)};
    json["key_problem"] = messages_for("security-key", page.problems);
    json["codes_left"] =
        translated_count(page.factor.recovery_codes, "{0} recovery code", "{0} recovery codes");
    json["has_few_codes"] = page.factor.recovery_codes <= few_recovery_codes;
    json["go_on"] = page.go_on;
    json["set_up"] = set_up_json(page);
    json["duty_words"] = page.is_duty ? duty_words(page.demand) : "";
    json["use_words"] = use_words(page.first);
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

std::string page_after_recovery_code(const std::string& next) {
    return "/profile/factor?done=recovery-code&next=" + http::percent_encode(next);
}

Response show_factor(const Request& request, const auth::Visitor& visitor, App& app) {
    FactorPage page = page_of(request, visitor, app);
    if (request.query_value("done") == "recovery-code") {
        page.go_on = safe_next(request.query_value("next").value_or("/"));
    }
    return draw(app, visitor, 200, page);
}

Response show_new_factor(const Request& request, const auth::Visitor& visitor, App& app,
                         operations::FactorConfirmed confirmed, const std::string& field,
                         const std::string& key_name) {
    const bool was_tried = confirmed.problems.empty() || confirmed.result.user_id.value != 0;
    if (was_tried) {
        auth::record_sign_in({app.database, app.log}, request, confirmed.result,
                             auth::SignInFor::set_up);
    }
    if (confirmed.result.end != operations::SignInResult::End::done) {
        FactorPage page = page_of(request, visitor, app);
        page.key_name = key_name;
        page.problems = confirmed.problems;
        if (page.problems.empty()) page.problems = {{field, refusal_words(confirmed.result)}};
        return with_refusal(draw(app, visitor, 422, page), confirmed.result);
    }
    // The forms of the page belong to the new token.
    auth::Visitor renewed = visitor;
    renewed.session = confirmed.result.token;
    FactorPage page = page_of(request, renewed, app);
    page.recovery_codes = std::move(confirmed.recovery_codes);
    page.is_duty = false;
    return with_session(draw(app, renewed, 200, page), request, confirmed.result.token, app);
}

Response confirm_factor(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    auto confirmed =
        operations::confirm_factor(app.database, visitor.open_session(), sent.trimmed("code"),
                                   auth::client_of(request), app.clock.now());
    return show_new_factor(request, visitor, app, std::move(confirmed), "code", "");
}

Response replace_recovery_codes(const Request& request, const auth::Visitor& visitor, App& app) {
    auto codes = operations::replace_recovery_codes(app.database, visitor.who());
    if (!codes) return http::see_other("/profile/factor");
    FactorPage page = page_of(request, visitor, app);
    page.recovery_codes = *std::move(codes);
    return draw(app, visitor, 200, page);
}

Response remove_own_app(const Request&, const auth::Visitor& visitor, App& app) {
    operations::remove_app(app.database, visitor.open_session(), app.sign_in);
    return http::see_other("/profile?done=factor");
}

}  // namespace fcgi::pages
