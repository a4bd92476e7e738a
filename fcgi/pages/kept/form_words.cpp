#include "fcgi/pages/kept/form_words.hpp"

#include <array>

#include "fcgi/http/form_data.hpp"
#include "fcgi/http/router.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;

namespace {

struct FormRow {
    std::string_view pattern;
    /// What the audit log calls the act that the form asks for; empty where one form has several.
    const char* action;
    /// What purpose_of_form() says. {0}: the value of `names` in the path.
    const char* words;
    const char* names = nullptr;
};

constexpr std::array form_rows{
    FormRow{"/viewing/{tenant}", "tenant.view", for_translation("view the tenant {0}"), "tenant"},
    FormRow{"/viewing/{tenant}/leave", "tenant.leave",
            for_translation("stop viewing the tenant {0}"), "tenant"},
    FormRow{"/profile/notifications", "user.choose-mails",
            for_translation("change your notifications")},
    FormRow{"/profile/notifications/code", "", for_translation("confirm your email address")},
    FormRow{"/profile/factor", "", for_translation("manage your second factor")},
    FormRow{"/profile/sessions/end", "user.end-sessions",
            for_translation("end your other sessions")},
    FormRow{"/profile/sessions/{id}/end", "user.end-session", for_translation("end a session")},
    FormRow{"/profile/keys", "api-key.create", for_translation("create an API key")},
    FormRow{"/profile/keys/{id}/delete", "api-key.delete", for_translation("delete an API key")},
    FormRow{"/people", "user.create", for_translation("create a user")},
    FormRow{"/people/second-factor", "tenant.require-factor",
            for_translation("choose who must have a second factor")},
    FormRow{"/people/{user}/role", "user.change-role", for_translation("change the role of {0}"),
            "user"},
    FormRow{"/people/{user}/password", "user.reset-password",
            for_translation("set an initial password for {0}"), "user"},
    FormRow{"/people/{user}/factor/remove", "user.remove-factor",
            for_translation("remove the second factor of {0}"), "user"},
    FormRow{"/people/{user}/access", "", for_translation("lock or unlock {0}"), "user"},
    FormRow{"/people/{user}/sessions/end", "user.end-sessions",
            for_translation("end sessions of {0}"), "user"},
    FormRow{"/people/{user}/keys/delete", "api-key.delete",
            for_translation("delete an API key of {0}"), "user"},
    FormRow{"/people/{user}/delete", "user.delete", for_translation("delete the user {0}"), "user"},
    FormRow{"/groups", "group.create", for_translation("create a group")},
    FormRow{"/groups/{group}", "group.replace", for_translation("change the group {0}"), "group"},
    FormRow{"/groups/{group}/delete", "group.delete", for_translation("delete the group {0}"),
            "group"},
    FormRow{"/permissions/{kind}/{name}", "permission.set",
            for_translation("change who may use {0}"), "name"},
    FormRow{"/clusters", "cluster.create", for_translation("create a cluster")},
    FormRow{"/clusters/new", "", for_translation("fill in the form of a new cluster")},
    FormRow{"/clusters/preview", "", for_translation("preview a new cluster")},
    FormRow{"/clusters/{id}/delete", "cluster.delete", for_translation("delete the cluster {0}"),
            "id"},
    FormRow{"/clusters/{id}/give-up", "cluster.give-up",
            for_translation("delete the cluster {0} without its provider"), "id"},
    FormRow{"/clusters/{id}/abort", "cluster.abort",
            for_translation("abort the job of the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/pause", "cluster.pause",
            for_translation("pause the job of the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/resume", "cluster.resume",
            for_translation("resume the job of the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/retry", "cluster.retry",
            for_translation("retry the job of the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/services/start", "cluster.start-services",
            for_translation("start services of the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/services/stop", "cluster.stop-services",
            for_translation("stop services of the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/services/restart", "cluster.restart-services",
            for_translation("restart services of the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/services/add", "cluster.add-services",
            for_translation("add services to the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/services/remove", "cluster.remove-services",
            for_translation("remove services from the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/configure", "cluster.configure",
            for_translation("configure the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/grow", "cluster.grow",
            for_translation("add machines to the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/shrink", "cluster.shrink",
            for_translation("remove machines from the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/nodes/{node}/replace", "cluster.replace-node",
            for_translation("replace a machine of the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/sync", "cluster.sync-template",
            for_translation("update the template of the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/description", "cluster.describe",
            for_translation("change the description of the cluster {0}"), "id"},
    FormRow{"/clusters/{id}/lease", "cluster.change-lease",
            for_translation("change the lease of the cluster {0}"), "id"},
    FormRow{"/login-keys", "login-key.rotate", for_translation("replace the login key")},
    FormRow{"/login-keys/{id}/give-up", "login-key.give-up",
            for_translation("give up older login keys")},
    FormRow{"/prices", "price-list.replace", for_translation("change prices")},
    FormRow{"/daemons/drain", "provisioner.drain", for_translation("drain a provisioner")},
    FormRow{"/tenants", "tenant.create", for_translation("create a tenant")},
    FormRow{"/tenants/{tenant}", "tenant.replace", for_translation("change the tenant {0}"),
            "tenant"},
    FormRow{"/tenants/{tenant}/prices", "price-list.replace",
            for_translation("change prices of the tenant {0}"), "tenant"},
    FormRow{"/tenants/{tenant}/clusters/delete", "cluster.delete",
            for_translation("delete clusters of the tenant {0}"), "tenant"},
    FormRow{"/tenants/{tenant}/delete", "tenant.delete", for_translation("delete the tenant {0}"),
            "tenant"},
    FormRow{"/identity-providers", "", for_translation("save an identity provider")},
    FormRow{"/identity-providers/{name}/delete", "identity-provider.delete",
            for_translation("delete the identity provider {0}"), "name"},
    FormRow{"/builder/{kind}", "", for_translation("edit a template")},
    FormRow{"/builder/{kind}/preview", "", for_translation("preview a template")},
    FormRow{"/builder/{kind}/save", "", for_translation("save a template")},
    FormRow{"/catalogue/new/{kind}", "", for_translation("create a catalogue entry")},
    FormRow{"/catalogue/{kind}/{name}/edit", "", for_translation("change {0}"), "name"},
    FormRow{"/catalogue/{kind}/{name}/versions/{line}/restore", "",
            for_translation("restore a version of {0}"), "name"},
    FormRow{"/catalogue/clustertemplates/{name}/draft", "",
            for_translation("end the draft of a change to {0}"), "name"},
    FormRow{"/catalogue/clustertemplates/{name}/update", "",
            for_translation("update all clusters of {0}"), "name"},
    FormRow{"/catalogue/delete/{kind}", "", for_translation("delete catalogue entries")},
    FormRow{"/catalogue/files/sync", "plugin-file.sync", for_translation("sync files")},
    FormRow{"/catalogue/files/{plugins}/{plugin}/{resourcetype}", "",
            for_translation("save a file")},
    FormRow{"/catalogue/files/{plugins}/{plugin}/{resourcetype}/{name}", "",
            for_translation("change the file {0}"), "name"},
};

/// What a form does that does one of two things, by the value of a field.
struct PurposeByField {
    std::string_view pattern;
    const char* field;
    std::string_view value;
    const char* words;
};

constexpr std::array purposes_by_field{
    PurposeByField{"/identity-providers", "do", "test",
                   for_translation("test an identity provider")},
    PurposeByField{"/people/{user}/access", "disabled", "yes", for_translation("lock {0}")},
    PurposeByField{"/people/{user}/access", "disabled", "no", for_translation("unlock {0}")},
    PurposeByField{"/catalogue/clustertemplates/{name}/draft", "do", "use",
                   for_translation("put the draft of a change to {0} to use")},
    PurposeByField{"/catalogue/clustertemplates/{name}/draft", "do", "drop",
                   for_translation("throw the draft of a change to {0} away")},
};

const char* words_of_row(const FormRow& row, const std::string& body) {
    if (body.empty()) return row.words;
    const auto sent = http::parse_form(body);
    for (const auto& [pattern, field, value, words] : purposes_by_field) {
        if (pattern == row.pattern && sent.trimmed(field) == value) return words;
    }
    return row.words;
}

http::Router router_of_forms() {
    http::Router router;
    for (std::size_t i = 0; i < form_rows.size(); ++i) {
        const std::string_view pattern = form_rows[i].pattern;
        router.add("POST", pattern, i);
        if (pattern.starts_with("/people"))
            router.add("POST", "/tenants/{tenant}" + std::string(pattern), i);
    }
    return router;
}

http::RouteMatch matching_form(const std::string& path) {
    static const http::Router router = router_of_forms();
    return router.find("POST", path.substr(0, path.find('?')));
}

}  // namespace

std::string purpose_of_form(const std::string& path, const std::string& body) {
    const auto match = matching_form(path);
    const auto* found = std::get_if<http::RouteFound>(&match);
    if (found == nullptr) return "";
    const FormRow& row = form_rows.at(found->route);
    const char* const words = words_of_row(row, body);
    if (row.names == nullptr) return translated(words);
    return translated(words, found->path_values.at(row.names));
}

std::string action_of_form(const std::string& path) {
    const auto match = matching_form(path);
    const auto* found = std::get_if<http::RouteFound>(&match);
    return found == nullptr ? "" : form_rows.at(found->route).action;
}

std::string requests_for_action(const std::string& action) {
    std::string paths;
    for (const FormRow& row : form_rows) {
        if (action.empty() || row.action != action) continue;
        if (!paths.empty()) paths += '|';
        if (row.pattern.starts_with("/people")) paths += "(/tenants/[^/]+)?";
        for (std::size_t at = 0; at < row.pattern.size(); ++at) {
            const bool is_value = row.pattern[at] == '{';
            if (is_value) at = row.pattern.find('}', at);
            paths += is_value ? "[^/]+" : std::string(1, row.pattern[at]);
        }
    }
    return paths.empty() ? "" : "^POST (" + paths + ")$";
}

}  // namespace fcgi::pages
