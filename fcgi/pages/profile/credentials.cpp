#include "fcgi/pages/profile/credentials.hpp"

#include <algorithm>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/auth/sign_ins.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/kept/form_words.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/profile/factor.hpp"
#include "fcgi/pages/tenants/external.hpp"
#include "fcgi/pages/tenants/login.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/sign_in/factors.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Problems;
using provisioner::base::Secret;
using provisioner::messages::translated;
using provisioner::model::IdentityKind;
namespace operations = provisioner::operations;

namespace {

Secret secret_in(const http::FormData& sent, std::string_view name) {
    return Secret(sent.first(name).value_or(""));
}

operations::FactorView factor_of(App& app, const provisioner::model::Caller& caller) {
    return app.database.read([&](provisioner::store::Connection& connection) {
        return operations::view_factor(connection, caller.user.id);
    });
}

/// A second step that was tried, with a code or a key.
struct SecondStep {
    operations::SignInResult result{};
    /// Where it was wrong; empty when it was right.
    Problems problems{};
};

SecondStep take_step(const Request& request, const auth::Visitor& visitor, App& app,
                     const provisioner::model::OpenSession& session) {
    const auto sent = http::parse_form(request.body);
    const auto client = auth::client_of(request);
    using End = operations::SignInResult::End;
    SecondStep step;
    if (has_key_answer(sent)) {
        auto signature =
            operations::give_security_key(app.database, session, key_answer_in(sent),
                                          key_ceremony(request, visitor, app), client, app.sign_in);
        step.result = std::move(signature.result);
        const bool is_wrong = step.result.end == End::wrong_code;
        step.problems = {
            {"security-key", is_wrong ? signature.reason : refusal_words(step.result)}};
    } else {
        step.result = operations::give_code(app.database, session, sent.trimmed("code"), client,
                                            app.sign_in, app.clock.now());
        step.problems = {{"code", refusal_words(step.result)}};
    }
    if (step.result.end == End::done) step.problems.clear();
    auth::record_sign_in({app.database, app.log}, request, step.result,
                         visitor.first_step ? auth::SignInFor::session : auth::SignInFor::proof);
    return step;
}

/// What the proof is for.
std::string why_proof(const std::string& purpose) {
    if (purpose.empty()) return translated("You are about to make a sensitive change.");
    return translated("You are about to {0}.", purpose);
}

/// What a form is for whose proof leads to `next`.
std::string purpose_of(App& app, const auth::Visitor& visitor, const std::string& next) {
    const auto form = form_at(app, visitor, next);
    return form ? purpose_of_form(form->path, form->body) : purpose_of_form(next);
}

/// What to do in the second step.
std::string second_step_words(const FactorPrompt& prompt) {
    if (prompt.key) {
        return prompt.has_app ? translated("Use your security key, or enter a code.")
                              : translated("Use your security key, or enter a recovery code.");
    }
    if (prompt.has_app) return translated("Enter the code that your app shows for Cooperage.");
    return translated(
        "Your security key works only at {0}: open the site by that name, or enter a recovery "
        "code.",
        prompt.other_sites);
}

FormField second_step_field(const FactorPrompt& prompt) {
    FormField code = code_field();
    if (!prompt.has_app) {
        code.hint = translated("One of your recovery codes.");
    } else if (prompt.key) {
        code.hint = translated("A code from your app, or one of your recovery codes.");
    } else {
        code.hint = translated("Without the app, use one of your recovery codes.");
        if (!prompt.other_sites.empty()) {
            code.hint +=
                ' ' + translated("Your security key works only at {0}.", prompt.other_sites);
        }
    }
    // A key is asked before it.
    code.takes_focus = !prompt.key;
    return code;
}

Response draw_password_form(App& app, const auth::Visitor& visitor, int status,
                            const Problems& problems) {
    const bool is_duty = visitor.login->stage == provisioner::model::SessionStage::password;
    return small_form(app, visitor, status,
                      password_form(is_duty, app.sign_in.password_length, problems));
}

}  // namespace

std::optional<operations::SignInChoice> provider_of(const auth::Visitor& visitor, App& app) {
    if (app.identity_providers == nullptr) return std::nullopt;
    return app.identity_providers->provider_of(visitor.who().user.id);
}

SmallForm password_form(bool is_duty, int least, const Problems& problems) {
    SmallForm page{
        .heading = translated("Change your password"),
        .sentence =
            is_duty ? translated(
                          "Somebody else set your current password. Choose your own to continue.")
                    : translated("This ends all your other sessions."),
        .action = "/profile/password",
        .button = translated("Change password"),
        .cancel = is_duty ? "" : "/profile",
        .problems_title = translated("Couldn't change the password"),
        .problems = problems};
    auto wanted = secret_field("wanted", translated("New password"), "new-password");
    wanted.hint = translated(
        "At least {0} characters of any kind. Several words are easy to keep in mind.", least);
    page.fields = {secret_field("current", translated("Current password"), "current-password"),
                   wanted,
                   secret_field("repeated", translated("New password again"), "new-password")};
    return page;
}

Problems problems_with_password_form(const operations::PasswordChanged& changed) {
    using End = operations::SignInResult::End;
    Problems problems = changed.problems;
    if (!changed.proof || changed.proof->end == End::done) return problems;
    problems.insert(problems.begin(), {"current", changed.proof->end == End::wrong_password
                                                      ? translated("This is not your password.")
                                                      : refusal_words(*changed.proof)});
    return problems;
}

FactorPrompt factor_prompt(const operations::FactorView& factor,
                           const provisioner::identity::KeyCeremony& ceremony) {
    std::vector<std::string> others;
    for (const auto& key : factor.keys) {
        if (key.host == ceremony.site.host || std::ranges::count(others, key.host) > 0) continue;
        others.push_back(key.host);
    }
    return {.has_factor = factor.has_factor,
            .has_app = factor.has_app,
            .key = key_question(factor, ceremony),
            .other_sites = others.empty() ? "" : listed(others)};
}

SmallForm proof_form(const FactorPrompt& prompt, const std::string& purpose,
                     const std::string& next, const Problems& problems) {
    SmallForm page{.heading = translated("Confirm that it is you"),
                   .sentence = why_proof(purpose),
                   .action = "/profile/proof",
                   .next = next,
                   .button = translated("Continue"),
                   .key = prompt.key,
                   // What was typed is still there.
                   .cancel = next.starts_with("/forms/") ? next : "/profile",
                   .problems_title = translated("Couldn't confirm that it is you"),
                   .problems = problems};
    if (prompt.has_factor) {
        page.sentence += ' ' + second_step_words(prompt);
        page.fields = {second_step_field(prompt)};
        return page;
    }
    page.sentence += ' ' + translated("Enter your password to continue.");
    page.fields = {secret_field("password", translated("Password"), "current-password")};
    page.fields.front().takes_focus = true;
    return page;
}

SmallForm code_form(const FactorPrompt& prompt, const std::string& next, const Problems& problems) {
    SmallForm page{.heading = translated("Enter your second factor"),
                   .sentence = second_step_words(prompt),
                   .action = "/login/code",
                   .next = next,
                   .button = translated("Log in"),
                   .key = prompt.key,
                   .cancel = "/login",
                   .problems_title = translated("Couldn't log in"),
                   .problems = problems};
    page.fields = {second_step_field(prompt)};
    return page;
}

Response show_password_form(const Request&, const auth::Visitor& visitor, App& app) {
    if (const auto provider = provider_of(visitor, app)) {
        return notice(app, visitor, 200,
                      {.heading = translated("Your password is managed elsewhere"),
                       .text = translated("You log in with {0}. Change your password there.",
                                          provider->label),
                       .links = {{"/profile", translated("Your profile")}}});
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
    if (changed.proof) {
        auth::record_sign_in({app.database, app.log}, request, *changed.proof,
                             auth::SignInFor::change);
    }
    const auto problems = problems_with_password_form(changed);
    if (problems.empty()) {
        // Whoever had to change it first has come to do something else.
        const bool is_duty = visitor.login->stage == provisioner::model::SessionStage::password;
        return with_session(http::see_other(is_duty ? "/" : "/profile?done=password"), request,
                            changed.token, app);
    }
    auto form = draw_password_form(app, visitor, 422, problems);
    return changed.proof ? with_refusal(std::move(form), *changed.proof) : std::move(form);
}

Response show_proof_form(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto next = safe_next(request.query_value("next").value_or("/profile"));
    const auto factor = factor_of(app, visitor.who());
    const auto provider = provider_of(visitor, app);
    if (provider && provider->kind == IdentityKind::oidc && !factor.has_factor) {
        const std::string way = "/login/with/" + http::percent_encode(provider->name) +
                                "?again=1&next=" + http::percent_encode(next);
        return notice(
            app, visitor, 200,
            {.heading = translated("Confirm that it is you"),
             .text = why_proof(purpose_of(app, visitor, next)) + ' ' +
                     translated("Enter your password at {0} again to continue.", provider->label),
             .links = {{way, translated("Go to {0}", provider->label)},
                       {"/profile", translated("Cancel")}}});
    }
    const auto prompt = factor_prompt(factor, key_ceremony(request, visitor, app));
    const auto purpose = purpose_of(app, visitor, next);
    auto page = proof_form(prompt, purpose, next, {});
    page.cancel = way_back_to_form(app, visitor, page.cancel);
    return small_form(app, visitor, 200, page);
}

Response prove(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const auto next = safe_next(sent.trimmed("next"));
    const auto factor = factor_of(app, visitor.who());
    SecondStep step;
    if (factor.has_factor) {
        step = take_step(request, visitor, app, visitor.open_session());
    } else {
        operations::PasswordElsewhere elsewhere;
        if (provider_of(visitor, app)) {
            elsewhere = [&](const operations::SignInRequest& wanted) {
                return app.identity_providers->prove(visitor.who(), wanted);
            };
        }
        step.result = operations::prove_by_password(
            app.database, visitor.open_session(), secret_in(sent, "password"),
            auth::client_of(request), app.clock.now(), elsewhere);
        auth::record_sign_in({app.database, app.log}, request, step.result, auth::SignInFor::proof);
        const bool is_wrong = step.result.end == operations::SignInResult::End::wrong_password;
        step.problems = {{"password", is_wrong ? translated("This is not your password.")
                                               : refusal_words(step.result)}};
    }
    if (step.result.end == operations::SignInResult::End::done) {
        auto response = http::see_other(next);
        if (auto form = form_to_carry_out(app, visitor, next)) {
            // Without an address: who sends the proof again is told that this was carried out.
            response = http::empty(200);
            response.next_form = std::move(form->path);
            response.next_fields = std::move(form->body);
        }
        return with_session(std::move(response), request, step.result.token, app);
    }
    const auto prompt = factor_prompt(factor, key_ceremony(request, visitor, app));
    auto page = proof_form(prompt, purpose_of(app, visitor, next), next, step.problems);
    page.cancel = way_back_to_form(app, visitor, page.cancel);
    return with_refusal(small_form(app, visitor, 422, page), step.result);
}

Response show_code_form(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto next = safe_next(request.query_value("next").value_or("/"));
    if (visitor.caller) return http::see_other(next);
    if (!visitor.first_step) return http::see_other(auth::log_in_page(next));
    const auto prompt = factor_prompt(factor_of(app, visitor.first_step->caller),
                                      key_ceremony(request, visitor, app));
    return small_login_form(app, visitor, 200, code_form(prompt, next, {}));
}

Response give_code(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    auto next = safe_next(sent.trimmed("next"));
    const auto kept = travelling_form(sent);
    const auto from_the_start = [&] {
        if (!kept) return http::see_other(auth::log_in_page(next));
        return login_page(app, {}, 403, {.next = next, .kept = kept});
    };
    if (!visitor.first_step) return from_the_start();
    const auto prompt = factor_prompt(factor_of(app, visitor.first_step->caller),
                                      key_ceremony(request, visitor, app));
    auto page = code_form(prompt, next, {});
    page.kept = kept;
    // The first step leads here with the form that was brought along.
    if (kept && !sent.has("code")) return small_login_form(app, visitor, 200, page);
    const auto step = take_step(request, visitor, app, *visitor.first_step);
    if (step.result.end == operations::SignInResult::End::done) {
        if (kept) next = page_of_kept_form(keep_of_sign_in(app, step.result, *kept));
        const std::string to =
            step.result.given == "recovery code" ? page_after_recovery_code(next) : next;
        return with_session(http::see_other(to), request, step.result.token, app);
    }
    if (step.result.end == operations::SignInResult::End::no_first_step) return from_the_start();
    page.problems = step.problems;
    return with_refusal(small_login_form(app, visitor, 422, page), step.result);
}

}  // namespace fcgi::pages
