#include "fcgi/pages/kept/kept_form.hpp"

#include <array>

#include "fcgi/auth/csrf.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/next.hpp"
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
/// Stands in place of a secret that was filled in.
const std::string kept_secret = "kept-secret";
/// Marks a form that lacks_only_a_proof().
const std::string kept_for_proof = "kept-for-proof";

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
    return name != "csrf" && name != kept_secret && name != kept_for_proof;
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

/// What people typed, by the names of the controls: the page of the form is not at hand.
Json typed_json(const http::FormData& fields) {
    Json typed = Json::array();
    for (const auto& [name, value] : fields.fields) {
        if (!is_carried_on(name) || name == "once" || name == "drawn" || value.empty()) continue;
        typed.push_back({{"name", name}, {"value", value}});
    }
    return typed;
}

Json secrets_json(const http::FormData& fields) {
    Json secrets = Json::array();
    for (const std::string& name : fields.all(kept_secret)) {
        FormField field{.id = "secret-" + std::to_string(secrets.size()),
                        .name = name,
                        .label = name,
                        .hint = translated("Enter it again: secrets are not kept.")};
        field.type = "password";
        field.autocomplete = "off";
        secrets.push_back(to_json(field, {}));
    }
    return secrets;
}

}  // namespace

bool may_be_kept(const Request& request) {
    return request.method == "POST" && auth::says_same_origin(request) && is_kept(request.path);
}

std::string fields_to_keep(const http::FormData& sent,
                           const std::function<bool(const std::string&)>& is_secret) {
    std::string body;
    const auto add = [&](const std::string& name, const std::string& value) {
        body += (body.empty() ? "" : "&") + http::percent_encode(name) + '=' +
                http::percent_encode(value);
    };
    for (const auto& [name, value] : sent.fields) {
        if (!is_carried_on(name)) continue;
        if (!is_secret(name)) {
            add(name, value);
        } else if (!value.empty()) {
            add(kept_secret, name);
        }
    }
    return body;
}

std::optional<KeptForm> form_to_keep(const Request& request, std::size_t most) {
    if (!may_be_kept(request)) return std::nullopt;
    KeptForm form{.path = request.path, .body = {}};
    if (!request.query.empty()) form.path += '?' + request.query;
    form.body = fields_to_keep(http::parse_form(request.body), may_be_secret);
    if (form.path.size() > longest_kept_path || form.body.size() > most) return std::nullopt;
    return form;
}

void lacks_only_a_proof(KeptForm& form) {
    form.body += (form.body.empty() ? "" : "&") + kept_for_proof + "=yes";
}

std::optional<KeptForm> travelling_form(const http::FormData& sent) {
    KeptForm form{.path = sent.first("kept_path").value_or(""),
                  .body = sent.first("kept_body").value_or("")};
    const bool leads_here = !form.path.empty() && safe_next(form.path) == form.path;
    const bool is_long = form.path.size() > longest_kept_path;
    const bool is_large = form.body.size() > longest_travelling_form;
    if (!leads_here || is_long || is_large || !is_kept(form.path)) return std::nullopt;
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

std::string keep_draft(App& app, const auth::Visitor& visitor, const std::string& path,
                       const http::FormData& fields) {
    const auto is_secret = [](const std::string&) { return false; };
    return keep(app, visitor.who().user.id,
                {.path = path, .body = fields_to_keep(fields, is_secret)});
}

std::optional<http::FormData> find_draft(App& app, const auth::Visitor& visitor,
                                         const std::string& id, const std::string& path) {
    const auto form = app.database.read([&](store::Connection& connection) {
        return store::find_form(connection, visitor.who().user.id, id);
    });
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
    return error_page(app, visitor, 404,
                      {.heading = translated("This draft is gone"),
                       .text = translated("Drafts are kept for a day, and only the newest of them. "
                                          "What was saved is still there."),
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
    return "/forms/" + id;
}

Json to_json(const KeptFormPage& page) {
    const auto fields = http::parse_form(page.form.body);
    Json json;
    json["path"] = page.form.path;
    json["hidden"] = kept_fields_json(fields);
    json["typed"] = typed_json(fields);
    json["has_typed"] = !json["typed"].empty();
    json["secrets"] = secrets_json(fields);
    json["sends_itself"] = fields.has(kept_for_proof) && json["secrets"].empty();
    return json;
}

Response show_kept_form(const Request& request, const auth::Visitor& visitor, App& app) {
    const std::string& id = request.path_value("id");
    std::optional<KeptForm> form;
    if (id.size() == length_of_id) {
        form = app.database.write([&](store::Connection& connection) {
            auto found = store::find_form(connection, visitor.who().user.id, id);
            if (found && http::parse_form(found->body).has(kept_for_proof)) {
                // Without the mark: what was sent once is not sent again by itself.
                const auto as_it_is = [](const std::string&) { return false; };
                store::replace_form(connection, visitor.who().user.id, id,
                                    fields_to_keep(http::parse_form(found->body), as_it_is));
            }
            return found;
        });
    }
    if (!form) return nothing_there(translated("form"));
    return drawn(app, visitor, 200, "kept/show",
                 {.title = translated("Send your form now?"), .section = "form"},
                 to_json(KeptFormPage{*std::move(form)}));
}

}  // namespace fcgi::pages
