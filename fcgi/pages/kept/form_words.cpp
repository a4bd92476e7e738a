#include "fcgi/pages/kept/form_words.hpp"

#include <array>

#include "fcgi/http/form_data.hpp"
#include "fcgi/http/router.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;

namespace {

struct FormPurpose {
    std::string_view pattern;
    /// {0}: the value of `names` in the path.
    const char* words;
    const char* names = nullptr;
};

constexpr std::array form_purposes{
    FormPurpose{"/viewing/{tenant}/leave", for_translation("stop viewing the tenant {0}"),
                "tenant"},
    FormPurpose{"/profile/notifications", for_translation("change your notifications")},
    FormPurpose{"/profile/notifications/code", for_translation("confirm your email address")},
    FormPurpose{"/profile/factor", for_translation("manage your second factor")},
    FormPurpose{"/profile/sessions/end", for_translation("end your other sessions")},
    FormPurpose{"/profile/sessions/{id}/end", for_translation("end a session")},
    FormPurpose{"/profile/keys", for_translation("create an API key")},
    FormPurpose{"/profile/keys/{id}/delete", for_translation("delete an API key")},
    FormPurpose{"/people", for_translation("create a user")},
    FormPurpose{"/people/second-factor", for_translation("choose who must have a second factor")},
    FormPurpose{"/people/{user}/role", for_translation("change the role of {0}"), "user"},
    FormPurpose{"/people/{user}/password", for_translation("set an initial password for {0}"),
                "user"},
    FormPurpose{"/people/{user}/factor/remove", for_translation("remove the second factor of {0}"),
                "user"},
    FormPurpose{"/people/{user}/access", for_translation("lock or unlock {0}"), "user"},
    FormPurpose{"/people/{user}/sessions/end", for_translation("end sessions of {0}"), "user"},
    FormPurpose{"/people/{user}/keys/delete", for_translation("delete an API key of {0}"), "user"},
    FormPurpose{"/people/{user}/delete", for_translation("delete the user {0}"), "user"},
    FormPurpose{"/groups", for_translation("create a group")},
    FormPurpose{"/groups/{group}", for_translation("change the group {0}"), "group"},
    FormPurpose{"/groups/{group}/delete", for_translation("delete the group {0}"), "group"},
    FormPurpose{"/permissions/{kind}/{name}", for_translation("change who may use {0}"), "name"},
    FormPurpose{"/clusters", for_translation("create a cluster")},
    FormPurpose{"/clusters/new", for_translation("fill in the form of a new cluster")},
    FormPurpose{"/clusters/preview", for_translation("preview a new cluster")},
    FormPurpose{"/clusters/{id}/delete", for_translation("delete the cluster {0}"), "id"},
    FormPurpose{"/clusters/{id}/give-up",
                for_translation("terminate the cluster {0} without its provider"), "id"},
    FormPurpose{"/clusters/{id}/abort", for_translation("abort the job of the cluster {0}"), "id"},
    FormPurpose{"/clusters/{id}/pause", for_translation("pause the job of the cluster {0}"), "id"},
    FormPurpose{"/clusters/{id}/resume", for_translation("resume the job of the cluster {0}"),
                "id"},
    FormPurpose{"/clusters/{id}/retry", for_translation("retry the job of the cluster {0}"), "id"},
    FormPurpose{"/clusters/{id}/services/start",
                for_translation("start services of the cluster {0}"), "id"},
    FormPurpose{"/clusters/{id}/services/stop", for_translation("stop services of the cluster {0}"),
                "id"},
    FormPurpose{"/clusters/{id}/services/restart",
                for_translation("restart services of the cluster {0}"), "id"},
    FormPurpose{"/clusters/{id}/services/add", for_translation("add services to the cluster {0}"),
                "id"},
    FormPurpose{"/clusters/{id}/services/remove",
                for_translation("remove services from the cluster {0}"), "id"},
    FormPurpose{"/clusters/{id}/configure", for_translation("configure the cluster {0}"), "id"},
    FormPurpose{"/clusters/{id}/grow", for_translation("add machines to the cluster {0}"), "id"},
    FormPurpose{"/clusters/{id}/shrink", for_translation("remove machines from the cluster {0}"),
                "id"},
    FormPurpose{"/clusters/{id}/nodes/{node}/replace",
                for_translation("replace a machine of the cluster {0}"), "id"},
    FormPurpose{"/clusters/{id}/sync", for_translation("update the template of the cluster {0}"),
                "id"},
    FormPurpose{"/clusters/{id}/description",
                for_translation("change the description of the cluster {0}"), "id"},
    FormPurpose{"/clusters/{id}/lease", for_translation("change the lease of the cluster {0}"),
                "id"},
    FormPurpose{"/login-keys", for_translation("replace the login key")},
    FormPurpose{"/login-keys/{id}/give-up", for_translation("give up older login keys")},
    FormPurpose{"/prices", for_translation("change prices")},
    FormPurpose{"/daemons/drain", for_translation("drain a provisioner")},
    FormPurpose{"/tenants", for_translation("create a tenant")},
    FormPurpose{"/tenants/{tenant}", for_translation("change the tenant {0}"), "tenant"},
    FormPurpose{"/tenants/{tenant}/prices", for_translation("change prices of the tenant {0}"),
                "tenant"},
    FormPurpose{"/tenants/{tenant}/clusters/delete",
                for_translation("delete clusters of the tenant {0}"), "tenant"},
    FormPurpose{"/tenants/{tenant}/delete", for_translation("delete the tenant {0}"), "tenant"},
    FormPurpose{"/identity-providers", for_translation("save an identity provider")},
    FormPurpose{"/identity-providers/{name}/delete",
                for_translation("delete the identity provider {0}"), "name"},
    FormPurpose{"/builder/{kind}", for_translation("edit a template")},
    FormPurpose{"/builder/{kind}/preview", for_translation("preview a template")},
    FormPurpose{"/builder/{kind}/save", for_translation("save a template")},
    FormPurpose{"/catalogue/new/{kind}", for_translation("create a catalogue entry")},
    FormPurpose{"/catalogue/{kind}/{name}/edit", for_translation("change {0}"), "name"},
    FormPurpose{"/catalogue/{kind}/{name}/versions/{line}/restore",
                for_translation("restore a version of {0}"), "name"},
    FormPurpose{"/catalogue/clustertemplates/{name}/draft",
                for_translation("end the draft of a change to {0}"), "name"},
    FormPurpose{"/catalogue/clustertemplates/{name}/update",
                for_translation("update all clusters of {0}"), "name"},
    FormPurpose{"/catalogue/delete/{kind}", for_translation("delete catalogue entries")},
    FormPurpose{"/catalogue/files/sync", for_translation("sync files")},
    FormPurpose{"/catalogue/files/{plugins}/{plugin}/{resourcetype}",
                for_translation("save a file")},
    FormPurpose{"/catalogue/files/{plugins}/{plugin}/{resourcetype}/{name}",
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
    PurposeByField{"/people/{user}/access", "disabled", "yes", for_translation("lock {0}")},
    PurposeByField{"/people/{user}/access", "disabled", "no", for_translation("unlock {0}")},
};

const char* words_of_purpose(const FormPurpose& purpose, const std::string& body) {
    if (body.empty()) return purpose.words;
    const auto sent = http::parse_form(body);
    for (const auto& [pattern, field, value, words] : purposes_by_field) {
        if (pattern == purpose.pattern && sent.trimmed(field) == value) return words;
    }
    return purpose.words;
}

http::Router router_of_purposes() {
    http::Router router;
    for (std::size_t i = 0; i < form_purposes.size(); ++i) {
        const std::string_view pattern = form_purposes[i].pattern;
        router.add("POST", pattern, i);
        if (pattern.starts_with("/people"))
            router.add("POST", "/tenants/{tenant}" + std::string(pattern), i);
    }
    return router;
}

}  // namespace

std::string purpose_of_form(const std::string& path, const std::string& body) {
    static const http::Router router = router_of_purposes();
    const auto match = router.find("POST", path.substr(0, path.find('?')));
    const auto* found = std::get_if<http::RouteFound>(&match);
    if (found == nullptr) return "";
    const FormPurpose& purpose = form_purposes.at(found->route);
    const char* const words = words_of_purpose(purpose, body);
    if (purpose.names == nullptr) return translated(words);
    return translated(words, found->path_values.at(purpose.names));
}

}  // namespace fcgi::pages
