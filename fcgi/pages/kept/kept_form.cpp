#include "fcgi/pages/kept/kept_form.hpp"

#include <algorithm>
#include <array>

#include "fcgi/auth/csrf.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/form_words.hpp"
#include "fcgi/pages/kept/next.hpp"
#include "fcgi/pages/kept/sealed_secrets.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::store::KeptForm;
namespace store = provisioner::store;

namespace {

constexpr std::size_t longest_kept_path = 2048;
constexpr std::size_t length_of_id = 32;
/// Marks a form that lacks_only_a_proof().
const std::string kept_for_proof = "kept-for-proof";
/// Marks a form that a sign-in brought with it; its value is the id of the session.
const std::string kept_in_session = "kept-in-session";

/// Forms that only have secrets, whose secrets are not told by their names (fields of providers,
/// JSON, files with keys), or that begin and end sessions.
constexpr std::array never_kept{"/login",
                                "/logout",
                                "/profile/proof",
                                "/profile/password",
                                "/profile/factor",
                                "/forms",
                                "/viewing",
                                "/catalogue/new/providers",
                                "/catalogue/providers",
                                "/catalogue/files/providertypes",
                                "/exchange"};

bool is_carried_on(const std::string& name) {
    return name != "csrf" && name != kept_secret && name != kept_sealed && name != kept_for_proof &&
           name != kept_in_session;
}

void add_field(std::string& body, const std::string& name, const std::string& value) {
    http::FormData fields = http::parse_form(body);
    fields.fields.emplace_back(name, value);
    body = http::urlencoded(fields);
}

/// The fields and the names of secrets, without marks.
std::string without_marks(const std::string& body) {
    http::FormData fields = http::parse_form(body);
    std::erase_if(fields.fields, [](const auto& field) {
        return !is_carried_on(field.first) && field.first != kept_secret;
    });
    return http::urlencoded(fields);
}

bool is_marked(const http::FormData& fields) {
    return fields.has(kept_for_proof) || fields.has(kept_in_session);
}

std::optional<KeptForm> find_own(store::Connection& connection, const auth::Visitor& visitor,
                                 const std::string& id) {
    auto form = store::find_form(connection, visitor.who().user.id, id);
    if (form && !may_see(*form, visitor)) return std::nullopt;
    return form;
}

/// The path as the router reads it: decoded, and with one slash between segments.
std::string as_routed(const std::string& path) {
    std::string plain;
    for (const char c : http::percent_decode(path)) {
        if (c != '/' || !plain.ends_with('/')) plain += c;
    }
    return plain;
}

bool is_kept(const std::string& path) {
    const std::string plain = as_routed(path);
    // Browsers send no fragment, and a path with one would not be what is looked up here.
    if (path.find('#') != std::string::npos) return false;
    return std::ranges::none_of(never_kept, [&](const char* never) {
        return plain == never || plain.starts_with(std::string(never) + '/') ||
               plain.starts_with(std::string(never) + '?');
    });
}

/// Which fields of a provider are secrets is not known here.
bool may_be_secret(const std::string& name) {
    return name.starts_with("providerFields.") || provisioner::model::sounds_secret(name);
}

Json kept_fields_json(const http::FormData& fields) {
    Json hidden = Json::array();
    for (const auto& [name, value] : fields.fields) {
        if (is_carried_on(name)) hidden.push_back({{"name", name}, {"value", value}});
    }
    return hidden;
}

/// Fields of a page that nobody types in, beside those with names of objects and versions.
constexpr std::array untyped_fields{"once", "drawn", "seen"};

/// What people typed, by the names of the controls: the page of the form is not at hand.
Json typed_json(const http::FormData& fields) {
    Json typed = Json::array();
    for (const auto& [name, value] : fields.fields) {
        const bool is_untyped = std::ranges::find(untyped_fields, name) != untyped_fields.end();
        if (!is_carried_on(name) || is_untyped || value.empty()) continue;
        typed.push_back({{"name", name}, {"value", value}});
    }
    return typed;
}

Json secrets_json(const http::FormData& fields) {
    Json secrets = Json::array();
    for (const std::string& name : fields.all(kept_secret)) {
        std::string words = name;
        std::ranges::replace_if(
            words, [](char c) { return c == '_' || c == '-' || c == '.'; }, ' ');
        FormField field{.id = "secret-" + std::to_string(secrets.size()),
                        .name = name,
                        .label = with_capital(std::move(words)),
                        .hint = translated("Enter it again: secrets are not kept.")};
        // It was filled in.
        field.required = true;
        field.type = "password";
        field.autocomplete = "off";
        secrets.push_back(to_json(field, {}));
    }
    return secrets;
}

const std::string page_of_forms = "/forms/";

/// The form, and takes the marks from what is stored: what was sent once is not sent again by
/// itself, and what its session saw is its user's.
std::optional<KeptForm> find_and_unmark(App& app, const auth::Visitor& visitor,
                                        const std::string& id) {
    if (id.size() != length_of_id) return std::nullopt;
    return app.database.write([&](store::Connection& connection) {
        auto found = find_own(connection, visitor, id);
        if (found && is_marked(http::parse_form(found->body))) {
            store::replace_form(connection, visitor.who().user.id, id, without_marks(found->body));
        }
        return found;
    });
}

}  // namespace

bool may_be_kept(const Request& request) {
    return request.method == "POST" && auth::says_same_origin(request) && is_kept(request.path);
}

std::string fields_to_keep(const http::FormData& sent,
                           const std::function<bool(const std::string&)>& is_secret) {
    http::FormData kept;
    for (const auto& [name, value] : sent.fields) {
        if (!is_carried_on(name)) continue;
        if (!is_secret(name)) {
            kept.fields.emplace_back(name, value);
        } else if (!value.empty()) {
            kept.fields.emplace_back(kept_secret, name);
        }
    }
    return http::urlencoded(kept);
}

std::optional<KeptForm> form_to_keep(const Request& request, std::size_t most) {
    if (!may_be_kept(request)) return std::nullopt;
    KeptForm form{.path = request.path, .body = {}};
    if (!request.query.empty()) form.path += '?' + request.query;
    form.body = fields_to_keep(http::parse_form(request.body), may_be_secret);
    if (form.path.size() > longest_kept_path || form.body.size() > most) return std::nullopt;
    return form;
}

void lacks_only_a_proof(App& app, const auth::Visitor& visitor, const Request& request,
                        KeptForm& form) {
    add_field(form.body, kept_for_proof, "yes");
    seal_secrets(form, http::parse_form(request.body), visitor.who().user.id, app.database.vault());
}

void belongs_to_session(KeptForm& form, provisioner::model::SessionId session) {
    add_field(form.body, kept_in_session, std::to_string(session.value));
}

bool may_see(const KeptForm& form, const auth::Visitor& visitor) {
    const auto session = http::parse_form(form.body).first(kept_in_session);
    return !session || (visitor.login && *session == std::to_string(visitor.login->id.value));
}

std::optional<KeptForm> travelling_form(const http::FormData& sent) {
    KeptForm form{.path = sent.first("kept_path").value_or(""),
                  .body = sent.first("kept_body").value_or("")};
    const bool leads_here = !form.path.empty() && safe_next(form.path) == form.path;
    const bool is_long = form.path.size() > longest_kept_path;
    const bool is_large = form.body.size() > longest_travelling_form;
    if (!leads_here || is_long || is_large || !is_kept(form.path)) return std::nullopt;
    // It comes from outside: marks are this site's own.
    form.body = without_marks(form.body);
    return form;
}

Json travelling_json(const std::optional<KeptForm>& form) {
    return {{"kept_path", form ? form->path : ""}, {"kept_body", form ? form->body : ""}};
}

std::string keep(App& app, provisioner::model::UserId user, const KeptForm& form) {
    return app.database.write([&](store::Connection& connection) {
        return store::keep_form(connection, user, form, app.clock.now());
    });
}

std::string keep_of_sign_in(App& app, const provisioner::operations::SignInResult& result,
                            KeptForm form) {
    belongs_to_session(form, result.session);
    return keep(app, result.user_id, form);
}

std::string keep_draft(App& app, const auth::Visitor& visitor, const std::string& path,
                       const http::FormData& fields) {
    const auto is_secret = [](const std::string&) { return false; };
    return keep(app, visitor.who().user.id,
                {.path = path, .body = fields_to_keep(fields, is_secret)});
}

std::optional<http::FormData> find_draft(App& app, const auth::Visitor& visitor,
                                         const std::string& id, const std::string& path) {
    const auto form = app.database.read(
        [&](store::Connection& connection) { return find_own(connection, visitor, id); });
    if (!form || form->path != path) return std::nullopt;
    return http::parse_form(form->body);
}

std::optional<http::FormData> draft_in(const http::Request& request, const auth::Visitor& visitor,
                                       App& app) {
    const auto id = request.query_value("draft");
    return id ? find_draft(app, visitor, *id, request.path) : std::nullopt;
}

http::Response gone_draft(App& app, const auth::Visitor& visitor, const std::string& href,
                          const std::string& label) {
    return error_page(
        app, visitor, 404,
        {.heading = translated("What you typed is no longer kept"),
         .text = translated("Forms that were not saved are kept for a day, and only the "
                            "newest of them. What was saved is still there."),
         .ways = {{href, label}}});
}

std::optional<http::Response> gone_draft_in(const http::Request& request,
                                            const auth::Visitor& visitor, App& app) {
    if (!request.query_value("draft")) return std::nullopt;
    // "//x" would be another site.
    const std::string path = '/' + request.path.substr(request.path.find_first_not_of('/'));
    return gone_draft(app, visitor, path, translated("Start again"));
}

std::string page_of_kept_form(const std::string& id) {
    return page_of_forms + id;
}

std::optional<KeptForm> form_at(App& app, const auth::Visitor& visitor, const std::string& page) {
    if (!page.starts_with(page_of_forms)) return std::nullopt;
    auto form = app.database.read([&](store::Connection& connection) {
        return find_own(connection, visitor, page.substr(page_of_forms.size()));
    });
    if (form) form->body = without_marks(form->body);
    return form;
}

std::string way_back_to_form(App& app, const auth::Visitor& visitor, const std::string& page) {
    const auto form = form_at(app, visitor, page);
    if (!form || form->path != "/identity-providers") return page;
    const auto fields = http::parse_form(form->body);
    const std::string place =
        fields.has("new") ? "/new-identity-provider/" + http::percent_encode(fields.trimmed("kind"))
                          : "/identity-providers/" + http::percent_encode(fields.trimmed("name"));
    return place + "?draft=" + page.substr(page_of_forms.size());
}

std::optional<KeptForm> form_to_carry_out(App& app, const auth::Visitor& visitor,
                                          const std::string& page) {
    if (!page.starts_with(page_of_forms)) return std::nullopt;
    auto form = find_and_unmark(app, visitor, page.substr(page_of_forms.size()));
    if (!form) return std::nullopt;
    const auto fields = http::parse_form(form->body);
    if (!fields.has(kept_for_proof)) return std::nullopt;
    if (!unseal_secrets(*form, visitor.who().user.id, app.database.vault())) return std::nullopt;
    form->body = without_marks(form->body);
    return form;
}

Json to_json(const KeptFormPage& page) {
    const auto fields = http::parse_form(page.form.body);
    Json json;
    json["path"] = page.form.path;
    const std::string purpose = purpose_of_form(page.form.path, page.form.body);
    json["sentence"] =
        purpose.empty()
            ? translated("Your form was not sent yet, but what you typed was kept.")
            : translated("Your form to {0} was not sent yet, but what you typed was kept.",
                         purpose);
    json["hidden"] = kept_fields_json(fields);
    json["typed"] = typed_json(fields);
    json["has_typed"] = !json["typed"].empty();
    json["secrets"] = secrets_json(fields);
    return json;
}

Response show_kept_form(const Request& request, const auth::Visitor& visitor, App& app) {
    auto form = find_and_unmark(app, visitor, request.path_value("id"));
    if (!form) return nothing_there(translated("form"));
    return drawn(app, visitor, 200, "kept/show",
                 {.title = translated("Send your form now?"), .section = "form"},
                 to_json(KeptFormPage{*std::move(form)}));
}

}  // namespace fcgi::pages
