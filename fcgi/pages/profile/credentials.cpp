#include "fcgi/pages/profile/credentials.hpp"

#include "fcgi/auth/sign_ins.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/tenants/external.hpp"
#include "fcgi/pages/tenants/login.hpp"
#include "provisioner/operations/identity_providers/providers.hpp"
#include "provisioner/operations/sign_in/factors.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Problems;
using provisioner::base::Secret;
using provisioner::model::IdentityKind;
namespace operations = provisioner::operations;

namespace {

Secret secret_in(const http::FormData& sent, std::string_view name) {
    return Secret(sent.first(name).value_or(""));
}

bool has_factor(const auth::Visitor& visitor, App& app) {
    return operations::view_factor(app.database, visitor.who()).has_factor;
}

std::optional<operations::SignInChoice> provider_of(const auth::Visitor& visitor, App& app) {
    if (app.identity_providers == nullptr) return std::nullopt;
    return app.identity_providers->provider_of(visitor.who().user.id);
}

Response draw_password_form(App& app, const auth::Visitor& visitor, int status,
                            const Problems& problems) {
    const bool is_duty = visitor.login->stage == provisioner::model::SessionStage::password;
    return small_form(app, visitor, status,
                      password_form(is_duty, app.sign_in.password_length, problems));
}

}  // namespace

SmallForm password_form(bool is_duty, int least, const Problems& problems) {
    SmallForm page{.heading = "Change your password",
                   .sentence = is_duty ? "Somebody else gave you the present one. Choose your own "
                                         "before you go on."
                                       : "All your other sessions end with it.",
                   .action = "/profile/password",
                   .button = "Change password",
                   .cancel = is_duty ? "" : "/profile",
                   .problems_title = "The password was not changed",
                   .problems = problems};
    auto wanted = secret_field("wanted", "New password", "new-password");
    wanted.hint = "At least " + std::to_string(least) +
                  " characters of any kind. Several words are easy to keep in mind.";
    page.fields = {secret_field("current", "Present password", "current-password"), wanted,
                   secret_field("repeated", "New password again", "new-password")};
    return page;
}

SmallForm proof_form(bool has_factor, const std::string& next, const Problems& problems) {
    SmallForm page{.heading = "Is it still you?",
                   .sentence = has_factor
                                   ? "The next page can do harm. Enter a code of your app first."
                                   : "The next page can do harm. Enter your password first.",
                   .action = "/profile/proof",
                   .next = next,
                   .button = "Go on",
                   .cancel = "/profile",
                   .problems_title = "That was not right",
                   .problems = problems};
    page.fields = {has_factor ? code_field()
                              : secret_field("password", "Password", "current-password")};
    return page;
}

SmallForm code_form(const std::string& next, const Problems& problems) {
    SmallForm page{.heading = "Second step",
                   .sentence = "Enter the code that your app shows for Cooperage.",
                   .action = "/login/code",
                   .next = next,
                   .button = "Log in",
                   .cancel = "/login",
                   .problems_title = "Couldn't log in",
                   .problems = problems};
    auto code = code_field();
    code.hint = "Without the app, one of your recovery codes does instead.";
    page.fields = {code};
    return page;
}

Response show_password_form(const Request&, const auth::Visitor& visitor, App& app) {
    if (const auto provider = provider_of(visitor, app)) {
        return notice(app, visitor, 200,
                      {.heading = "Your password is not here",
                       .text = provider->label + " signs you in. Change your password there.",
                       .links = {{"/profile", "Your profile"}}});
    }
    return draw_password_form(app, visitor, 200, {});
}

Response change_password(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const auto changed =
        operations::change_password(app.database, visitor.open_session(),
                                    {.current = secret_in(sent, "current"),
                                     .wanted = secret_in(sent, "wanted"),
                                     .repeated = secret_in(sent, "repeated")},
                                    auth::client_of(request), app.sign_in, app.clock.now());
    if (!changed.problems.empty()) {
        return draw_password_form(app, visitor, 422, changed.problems);
    }
    auth::record_sign_in({app.database, app.log}, request, *changed.proof);
    if (changed.proof->end == operations::SignInResult::End::done) {
        return with_session(http::see_other("/profile?done=password"), request, changed.token, app);
    }
    const bool is_wrong = changed.proof->end == operations::SignInResult::End::wrong_password;
    const Problems problems{
        {"current", is_wrong ? "This is not your password." : refusal_words(*changed.proof)}};
    return with_refusal(draw_password_form(app, visitor, 422, problems), *changed.proof);
}

Response show_proof_form(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto next = safe_next(request.query_value("next").value_or("/profile"));
    const auto provider = provider_of(visitor, app);
    if (provider && provider->kind == IdentityKind::oidc && !has_factor(visitor, app)) {
        const std::string way = "/login/with/" + http::percent_encode(provider->name) +
                                "?again=1&next=" + http::percent_encode(next);
        return notice(app, visitor, 200,
                      {.heading = "Is it still you?",
                       .text = "The next page can do harm. Give your password at " +
                               provider->label + " again first.",
                       .links = {{way, "Go to " + provider->label}, {"/profile", "Cancel"}}});
    }
    return small_form(app, visitor, 200, proof_form(has_factor(visitor, app), next, {}));
}

Response prove(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const auto next = safe_next(sent.trimmed("next"));
    const bool by_code = has_factor(visitor, app);
    const auto session = visitor.open_session();
    const auto client = auth::client_of(request);
    const auto now = app.clock.now();
    operations::PasswordElsewhere elsewhere;
    if (provider_of(visitor, app)) {
        elsewhere = [&](const operations::SignInRequest& wanted) {
            return app.identity_providers->prove(visitor.who(), wanted);
        };
    }
    const auto result =
        by_code ? operations::give_code(app.database, session, sent.trimmed("code"), client,
                                        app.sign_in, now)
                : operations::prove_by_password(app.database, session, secret_in(sent, "password"),
                                                client, now, elsewhere);
    auth::record_sign_in({app.database, app.log}, request, result);
    if (result.end == operations::SignInResult::End::done) {
        return with_session(http::see_other(next), request, result.token, app);
    }
    const bool is_wrong = result.end == operations::SignInResult::End::wrong_password;
    const Problems problems{{by_code ? "code" : "password",
                             is_wrong ? "This is not your password." : refusal_words(result)}};
    return with_refusal(small_form(app, visitor, 422, proof_form(by_code, next, problems)), result);
}

Response show_code_form(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto next = safe_next(request.query_value("next").value_or("/"));
    if (visitor.caller) return http::see_other(next);
    if (!visitor.first_step) return http::see_other("/login");
    return small_login_form(app, visitor, 200, code_form(next, {}));
}

Response give_code(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const auto next = safe_next(sent.trimmed("next"));
    if (!visitor.first_step) return http::see_other("/login");
    const auto result =
        operations::give_code(app.database, *visitor.first_step, sent.trimmed("code"),
                              auth::client_of(request), app.sign_in, app.clock.now());
    auth::record_sign_in({app.database, app.log}, request, result);
    if (result.end == operations::SignInResult::End::done) {
        return with_session(http::see_other(next), request, result.token, app);
    }
    if (result.end == operations::SignInResult::End::no_first_step) {
        return http::see_other("/login");
    }
    const auto page = code_form(next, {{"code", refusal_words(result)}});
    return with_refusal(small_login_form(app, visitor, 422, page), result);
}

}  // namespace fcgi::pages
