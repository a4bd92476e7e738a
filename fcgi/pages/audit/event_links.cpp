#include "fcgi/pages/audit/event_links.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/model/access/permission.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/store/access/group_store.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"
#include "provisioner/store/overview/search_store.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::pages {

namespace audit = provisioner::model::audit;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

/// A cluster that the reader sees, or that is another tenant's which they may view.
std::string cluster_link(store::Connection& connection, const model::Caller& reader,
                         const audit::Object& object) {
    const auto number = base::parse_number(object.id);
    if (!number) return "";
    const model::ClusterId id{*number};
    const std::string path = "/clusters/" + model::wire_id(id);
    if (store::find_summary(connection, reader, id)) return path;
    const std::string tenant = store::tenant_of(connection, reader, id);
    return tenant.empty() ? "" : in_view(tenant, path);
}

std::string entry_link(store::Connection& connection, const model::Caller& reader,
                       const audit::Object& object) {
    std::string word = object.kind;
    std::replace(word.begin(), word.end(), '-', '_');
    const auto kind = base::from_word<model::CatalogueKind>(word);
    if (!kind || !store::find_entry(connection, reader.tenant.id, *kind, object.name)) return "";
    return "/catalogue/" + std::string(model::collection_of(*kind)) + '/' +
           http::percent_encode(object.name);
}

std::string installation_link(store::Connection& connection, const audit::Object& object) {
    const std::string name = http::percent_encode(object.name);
    if (object.kind == "tenant" && store::find_tenant(connection, object.name)) {
        return "/tenants/" + name;
    }
    if (object.kind == "identity-provider" &&
        store::find_identity_provider(connection, object.name)) {
        return "/identity-providers/" + name;
    }
    if (object.kind == "provisioner" && store::has_daemon(connection, object.name)) {
        return href_of_daemon(object.name);
    }
    return "";
}

}  // namespace

std::string EventLinkFinder::user_href(const std::string& tenant, const std::string& name,
                                       std::int64_t id) {
    const bool is_own = tenant == reader_.tenant.name;
    if (id == 0 || (!is_own && !reader_.is_superadmin())) return "";
    const auto found = store::find_tenant(connection_, tenant);
    if (!found) return "";
    const auto user = store::find_user(connection_, found->id, name);
    if (!user || user->id.value != id) return "";
    return (is_own ? std::string() : "/tenants/" + http::percent_encode(tenant)) + "/people/" +
           http::percent_encode(name);
}

std::string EventLinkFinder::object_href(const audit::Event& event) {
    const audit::Object& object = event.object;
    const bool is_own = event.chain == reader_.tenant.id;
    if (object.kind == "user") {
        // The chain is that of the user's tenant.
        const auto id = base::parse_number(object.id);
        const std::string tenant =
            is_own ? reader_.tenant.name : store::tenant_of_chain(connection_, event.chain);
        return user_href(tenant, object.name, id.value_or(0));
    }
    if (object.kind == "cluster") return cluster_link(connection_, reader_, object);
    if (reader_.is_superadmin()) {
        const std::string href = installation_link(connection_, object);
        if (!href.empty()) return href;
    }
    if (!is_own) return "";
    if (object.kind != "group") return entry_link(connection_, reader_, object);
    const auto group = store::find_group(connection_, reader_.tenant.id, object.name);
    if (!group || std::to_string(group->id.value) != object.id) return "";
    return "/groups/" + http::percent_encode(object.name);
}

EventLinks EventLinkFinder::links_of(const audit::Event& event) {
    const auto once = [&](const std::string& key, const auto& find) {
        const auto known = known_.find(key);
        if (known != known_.end()) return known->second;
        return known_.emplace(key, find()).first->second;
    };
    const audit::Actor& actor = event.actor;
    const std::string user = "user " + std::to_string(actor.user.value);
    const std::string object = std::to_string(event.chain.value) + '\n' + event.object.kind + '\n' +
                               event.object.id + '\n' + event.object.name;
    return {
        .user = once(user, [&] { return user_href(actor.tenant, actor.name, actor.user.value); }),
        .object = once(object, [&] { return object_href(event); })};
}

}  // namespace fcgi::pages
