#include "fcgi/pages/profile/small_form.hpp"

#include "fcgi/pages/kept/kept_form.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;

namespace {

std::string script_of(const SmallForm& page) {
    return page.key ? "security_key.js" : "";
}

}  // namespace

Json to_json(const SmallForm& page) {
    std::vector<NamedControl> others;
    if (page.key)
        others.push_back({"security-key", "use-security-key", translated("Security key")});
    Json json = form_json(page.problems_title, page.fields, page.problems, others);
    json["heading"] = page.heading;
    json["sentence"] = page.sentence;
    json["action"] = page.action;
    json["next"] = page.next;
    json.update(travelling_json(page.kept));
    json["button"] = page.button;
    json["cancel"] = page.cancel;
    json["key"] = page.key ? to_json(*page.key) : Json();
    json["key_problem"] = messages_for("security-key", page.problems);
    return json;
}

http::Response small_form(App& app, const auth::Visitor& visitor, int status,
                          const SmallForm& page) {
    return drawn(app, visitor, status, "profile/form",
                 {.title = page.heading, .section = "profile", .script = script_of(page)},
                 to_json(page));
}

http::Response small_login_form(App& app, const auth::Visitor& visitor, int status,
                                const SmallForm& page) {
    return drawn(app, visitor, status, "profile/form",
                 {.title = page.heading, .section = "login", .script = script_of(page)},
                 to_json(page));
}

FormField secret_field(const std::string& name, const std::string& label,
                       const std::string& autocomplete) {
    FormField field{.id = "input-" + name, .name = name, .label = label};
    field.type = "password";
    field.autocomplete = autocomplete;
    field.required = true;
    return field;
}

FormField code_field() {
    FormField field{.id = "input-code", .name = "code", .label = translated("Code")};
    field.autocomplete = "one-time-code";
    field.required = true;
    return field;
}

}  // namespace fcgi::pages
