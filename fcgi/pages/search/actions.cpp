#include "fcgi/pages/search/actions.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/prefix.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
namespace base = provisioner::base;

namespace {

/// Something that people do on a page of the site.
struct SiteAction {
    const char* label;
    /// Other words that people type for it, in small letters.
    const char* words;
    const char* href;
    auth::Need need;
    /// Whether it is done there, and not only seen. So auditors do not find it, nor does who views
    /// a tenant.
    bool changes = true;
};

// In the order in which they are shown.
constexpr std::array site_actions{
    SiteAction{for_translation("New cluster"),
               for_translation("create make launch start provision build order"), "/templates",
               auth::Need::cluster_user},
    SiteAction{for_translation("Deleted clusters"), for_translation("terminated ended old history"),
               "/clusters?status=terminated", auth::Need::user, false},
    SiteAction{for_translation("Machines of all clusters"),
               for_translation("list hosts nodes servers ip"), "/machines", auth::Need::user,
               false},
    SiteAction{for_translation("Failed machines"),
               for_translation("broken hosts nodes servers problems"), "/machines?state=failed",
               auth::Need::user, false},
    SiteAction{for_translation("Change your password"), for_translation("set new account profile"),
               "/profile/password", auth::Need::account},
    SiteAction{for_translation("Second factor"),
               for_translation("second factor 2fa mfa totp app codes security key webauthn"),
               "/profile/factor", auth::Need::account},
    SiteAction{for_translation("Notifications"),
               for_translation("email mail alerts messages subscribe"), "/profile/notifications",
               auth::Need::account},
    SiteAction{for_translation("API keys"), for_translation("create token script access new"),
               "/profile", auth::Need::account},
    SiteAction{for_translation("Log out, and your sessions"),
               for_translation("browsers logout logoff sign signout end devices"), "/profile",
               auth::Need::account},
    SiteAction{for_translation("API reference"),
               for_translation("documentation docs openapi swagger help"), "/docs/api",
               auth::Need::user, false},
    SiteAction{for_translation("New provider"),
               for_translation("add create account cloud aws openstack google digitalocean"),
               "/catalogue/new/providers", auth::Need::admin},
    SiteAction{for_translation("New hardware type"), for_translation("add create size flavor"),
               "/catalogue/new/hardwaretypes", auth::Need::admin},
    SiteAction{for_translation("New image type"), for_translation("add create operating system"),
               "/catalogue/new/imagetypes", auth::Need::admin},
    SiteAction{for_translation("New service"), for_translation("add create software"),
               "/catalogue/new/services", auth::Need::admin},
    SiteAction{for_translation("New cluster template"), for_translation("build create add cluster"),
               "/builder/clustertemplates", auth::Need::admin},
    SiteAction{for_translation("New partial template"), for_translation("build create add part"),
               "/builder/partialtemplates", auth::Need::admin},
    SiteAction{for_translation("Import into the catalogue"),
               for_translation("upload load restore exchange json"), "/exchange",
               auth::Need::admin},
    SiteAction{for_translation("Export the catalogue"),
               for_translation("download save backup exchange json"), "/exchange",
               auth::Need::admin, false},
    SiteAction{for_translation("Files of plugins"),
               for_translation("upload script cookbook module key stage sync resources"),
               "/catalogue/files", auth::Need::admin},
    SiteAction{for_translation("Providers"), for_translation("clouds accounts catalogue"),
               "/catalogue/providers", auth::Need::admin, false},
    SiteAction{for_translation("Partial templates"), for_translation("parts catalogue"),
               "/catalogue/partialtemplates", auth::Need::admin, false},
    SiteAction{for_translation("Latest changes of providers"),
               for_translation("history versions catalogue"), "/history/providers",
               auth::Need::admin, false},
    SiteAction{for_translation("Hardware types"), for_translation("size flavor catalogue"),
               "/catalogue/hardwaretypes", auth::Need::admin, false},
    SiteAction{for_translation("Image types"), for_translation("operating system catalogue"),
               "/catalogue/imagetypes", auth::Need::admin, false},
    SiteAction{for_translation("Services"), for_translation("software catalogue"),
               "/catalogue/services", auth::Need::admin, false},
    SiteAction{for_translation("New user"),
               for_translation("add create invite person people account reset password"), "/people",
               auth::Need::admin},
    SiteAction{for_translation("New group"), for_translation("add create members"), "/groups",
               auth::Need::admin},
    SiteAction{for_translation("Set prices"), for_translation("cost budget money change"),
               "/prices", auth::Need::admin},
    SiteAction{for_translation("Rotate login keys"), for_translation("ssh new replace key"),
               "/login-keys", auth::Need::admin},
    SiteAction{for_translation("Tenants"), for_translation("list organizations"), "/tenants",
               auth::Need::superadmin, false},
    SiteAction{for_translation("Identity providers"),
               for_translation("list oidc openid ldap directory sso single sign-on"),
               "/identity-providers", auth::Need::superadmin, false},
    SiteAction{for_translation("Provisioners"), for_translation("list daemons workers"), "/daemons",
               auth::Need::superadmin, false},
    SiteAction{for_translation("Queues"), for_translation("tasks waiting"), "/queues",
               auth::Need::superadmin, false},
    SiteAction{for_translation("New tenant"), for_translation("add create organization quota"),
               "/new-tenant", auth::Need::superadmin},
    SiteAction{for_translation("Choose a tenant to view"),
               for_translation("as switch impersonate see look"), "/tenants",
               auth::Need::superadmin},
    SiteAction{for_translation("Drain a provisioner"),
               for_translation("stop daemon worker maintenance"), "/daemons",
               auth::Need::superadmin},
    SiteAction{
        for_translation("New identity provider"),
        for_translation("add create oidc openid connect ldap directory sso identity provider"),
        "/identity-providers", auth::Need::superadmin},
};

/// Whether each word that was typed begins one of `text`.
bool has_all(const std::string& text, const std::vector<std::string>& wanted) {
    return std::ranges::all_of(wanted,
                               [&](const std::string& word) { return begins_word_of(text, word); });
}

bool is_called(const SiteAction& action, const std::vector<std::string>& wanted) {
    return has_all(translated(action.label) + ' ' + action.label, wanted);
}

bool is_meant(const SiteAction& action, const std::vector<std::string>& wanted) {
    // Few letters begin too much: "web" is not asked for WebAuthn.
    constexpr std::size_t too_short_to_begin = 4;
    const std::string label = translated(action.label) + ' ' + action.label;
    const auto others = search_words(translated(action.words));
    return std::ranges::all_of(wanted, [&](const std::string& word) {
        if (begins_word_of(label, word)) return true;
        return std::ranges::any_of(others, [&](const std::string& other) {
            return word.size() < too_short_to_begin ? other == word : other.starts_with(word);
        });
    });
}

/// What is called so comes before what other words are known for.
template <typename IsFor>
std::vector<SearchHit> hits_of_actions(const std::string& text, std::size_t limit,
                                       const IsFor& is_for_them) {
    std::vector<SearchHit> hits;
    const auto wanted = search_words(text);
    if (wanted.empty()) return hits;
    // Where few letters are a name, what is only known for them is not meant: "new" is no password.
    constexpr std::size_t few_letters = 3;
    const bool is_short = wanted.size() == 1 && wanted.front().size() <= few_letters;
    for (const bool by_name : {true, false}) {
        if (!by_name && is_short && !hits.empty()) return hits;
        for (const SiteAction& action : site_actions) {
            if (hits.size() == limit) return hits;
            if (!is_for_them(action)) continue;
            if (!is_meant(action, wanted) || is_called(action, wanted) != by_name) continue;
            hits.push_back({.label = translated(action.label), .href = action.href});
        }
    }
    return hits;
}

}  // namespace

std::vector<std::string> search_words(const std::string& text) {
    std::istringstream all(base::in_small_letters(text));
    std::vector<std::string> words;
    for (std::string word; all >> word;) words.push_back(word);
    return words;
}

bool begins_word_of(const std::string& text, const std::string& word) {
    return std::ranges::any_of(search_words(text),
                               [&](const std::string& name) { return name.starts_with(word); });
}

SearchGroup found_pages(const Viewer& viewer, const std::string& text) {
    SearchGroup group{.label = translated("Go to")};
    const std::string wanted = base::in_small_letters(text);
    for (const PageLink& page : pages_of(viewer)) {
        if (page.is_own || base::in_small_letters(page.label).find(wanted) == std::string::npos)
            continue;
        group.hits.push_back({.label = page.label, .href = page.href});
    }
    return group;
}

SearchGroup found_actions(const provisioner::model::Caller& caller, const std::string& text,
                          std::size_t limit, bool is_viewing) {
    const auto may = [&](const SiteAction& action) {
        const bool is_own = is_viewing && action.need == auth::Need::account;
        return !is_own && caller.may(auth::right_for(action.need, action.changes));
    };
    return {.label = translated("Actions"), .hits = hits_of_actions(text, limit, may)};
}

SearchGroup found_outside_of_view(const provisioner::model::Caller& superadmin,
                                  const std::string& text, std::size_t limit) {
    const auto is_outside = [&](const SiteAction& action) {
        return http::is_outside_of_views(action.href) &&
               superadmin.may(auth::right_for(action.need, action.changes));
    };
    return {.label = translated("Your own pages, outside of this view"),
            .hits = hits_of_actions(text, limit, is_outside)};
}

}  // namespace fcgi::pages
