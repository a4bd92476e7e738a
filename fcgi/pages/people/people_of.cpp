#include "fcgi/pages/people/people_of.hpp"

#include "fcgi/http/form_data.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace fcgi::pages {

namespace {

/// Null below /people.
const std::string* tenant_in_path(const http::Request& request) {
    const auto found = request.path_values.find("tenant");
    return found == request.path_values.end() ? nullptr : &found->second;
}

}  // namespace

std::string PeopleOf::person_href(const std::string& user) const {
    return href + '/' + http::percent_encode(user);
}

std::string PeopleOf::with_tenant(const std::string& title) const {
    using provisioner::messages::translated;
    return is_named() ? translated("{0}, tenant {1}", title, tenant.name) : title;
}

provisioner::base::Json to_json(const PeopleOf& of) {
    provisioner::base::Json json;
    json["people_href"] = of.href;
    json["of_tenant"] = of.tenant.name;
    json["tenant_href"] = of.tenant_href;
    return json;
}

std::optional<PeopleOf> people_of(const http::Request& request, const auth::Visitor& visitor,
                                  provisioner::store::Connection& connection) {
    const auto& caller = visitor.who();
    const std::string* name = tenant_in_path(request);
    if (name == nullptr) return PeopleOf{.tenant = caller.tenant};
    if (!caller.is_superadmin() && *name != caller.tenant.name) return std::nullopt;
    auto tenant = provisioner::store::find_tenant(connection, *name);
    if (!tenant) return std::nullopt;
    return PeopleOf{.tenant = *std::move(tenant),
                    .href = list_of_people(request),
                    .tenant_href = "/tenants/" + http::percent_encode(*name)};
}

std::string tenant_named_in(const http::Request& request, const auth::Visitor& visitor) {
    const std::string* name = tenant_in_path(request);
    return name == nullptr ? visitor.who().tenant.name : *name;
}

std::string list_of_people(const http::Request& request) {
    const std::string* name = tenant_in_path(request);
    return name == nullptr ? "/people" : "/tenants/" + http::percent_encode(*name) + "/people";
}

}  // namespace fcgi::pages
