#include "fcgi/pages/search/installation.hpp"

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/overview/search_store.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace store = provisioner::store;

SearchGroup found_tenants(store::Connection& connection, const model::Caller& caller,
                          const std::string& text, int limit) {
    SearchGroup group{.label = translated("Tenants")};
    if (!caller.is_superadmin()) return group;
    for (const std::string& name : store::search_tenants(connection, text, limit)) {
        group.hits.push_back({.label = name, .href = "/tenants/" + http::percent_encode(name)});
    }
    return group;
}

SearchGroup found_identity_providers(store::Connection& connection, const model::Caller& caller,
                                     const std::string& text, int limit) {
    if (!caller.is_superadmin()) return {};
    return identity_providers_called(store::list_identity_providers(connection), text, limit);
}

SearchGroup identity_providers_called(const std::vector<model::IdentityProvider>& providers,
                                      const std::string& text, int limit) {
    const std::string wanted = base::in_small_letters(text);
    const auto is_wanted = [&](const std::string& name) {
        return base::in_small_letters(name).find(wanted) != std::string::npos;
    };
    SearchGroup group{.label = translated("Identity providers")};
    for (const model::IdentityProvider& provider : providers) {
        if (!is_wanted(provider.name) && !is_wanted(provider.label)) continue;
        if (std::ssize(group.hits) == limit) break;
        const bool has_label = !provider.label.empty() && provider.label != provider.name;
        group.hits.push_back(
            {.label = has_label ? provider.label : provider.name,
             .detail = has_label ? provider.name : "",
             .href = "/identity-providers/" + http::percent_encode(provider.name)});
    }
    return group;
}

SearchGroup found_provisioners(store::Connection& connection, const model::Caller& caller,
                               const std::string& text, int limit) {
    SearchGroup group{.label = translated("Provisioners")};
    for (const std::string& instance :
         store::search_provisioners(connection, caller, text, limit)) {
        group.hits.push_back({.label = instance, .href = href_of_daemon(instance)});
    }
    return group;
}

}  // namespace fcgi::pages
