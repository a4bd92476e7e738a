#include "provisioner/providers/openstack/keystone.hpp"

#include <algorithm>
#include <set>

#include "provisioner/identity/checksum.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/openstack/refusals.hpp"

namespace provisioner::providers::openstack {
using cloud::text_of;

namespace {

constexpr auto credential_id = "openstack_application_credential_id";
constexpr auto credential_secret = "openstack_application_credential_secret";

std::string or_default(const std::string& text, const std::string& fallback) {
    return text.empty() ? fallback : text;
}

/// Ids of projects and users are 32 hexadecimal digits.
bool is_id(const std::string& text) {
    return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

base::Json domain(const Account& account, const std::string& field) {
    const std::string name = text_of(account, field);
    // Only the id of the first domain is fixed. It is called "Default", unless somebody renamed it.
    if (name.empty() || name == "default") return {{"id", "default"}};
    if (is_id(name)) return {{"id", name}};
    return {{"name", name}};
}

base::Json body_of(const Account& account) {
    base::Json auth = base::Json::object();
    const std::string id = text_of(account, credential_id);
    if (!id.empty()) {
        auth["identity"] = {{"methods", base::Json::array({"application_credential"})},
                            {"application_credential",
                             {{"id", id}, {"secret", text_of(account, credential_secret)}}}};
        return {{"auth", auth}};
    }
    base::Json user = {{"name", text_of(account, "api_user")},
                       {"domain", domain(account, "openstack_user_domain")},
                       {"password", text_of(account, "api_password")}};
    auth["identity"] = {{"methods", base::Json::array({"password"})},
                        {"password", {{"user", user}}}};
    const std::string project = text_of(account, "openstack_tenant");
    if (is_id(project)) {
        auth["scope"]["project"] = {{"id", project}};
    } else {
        auth["scope"]["project"] = {{"name", project},
                                    {"domain", domain(account, "openstack_project_domain")}};
    }
    return {{"auth", auth}};
}

const std::map<std::string_view, std::vector<std::string>>& types_of_services() {
    // The volume service has had several types; today's is "block-storage".
    static const std::map<std::string_view, std::vector<std::string>> types{
        {"compute", {"compute"}},
        {"network", {"network"}},
        {"image", {"image"}},
        {"volume", {"volumev3", "block-storage", "block-store"}}};
    return types;
}

/// The address with the version of the API that is spoken, which catalogues often leave out.
std::string with_version(std::string_view service, std::string url) {
    url = without_ends(std::move(url), {});
    const auto ensure = [&](const std::string& version) {
        return url.ends_with(version) ? url : url + version;
    };
    if (service == "network") return ensure("/v2.0");
    if (service == "image") return ensure("/v2");
    if (service != "compute") return url;
    // "/v2" is the API before microversions.
    const auto old = url.rfind("/v2/");
    if (old != std::string::npos) return url.replace(old, 4, "/v2.1/");
    if (url.ends_with("/v2")) return url + ".1";
    return url;
}

std::vector<Endpoint> of_service(const std::vector<Endpoint>& all, std::string_view service) {
    const auto& types = types_of_services().at(service);
    for (const std::string& type : types) {
        std::vector<Endpoint> found;
        for (const Endpoint& endpoint : all) {
            if (endpoint.type == type) found.push_back(endpoint);
        }
        if (!found.empty()) return found;
    }
    throw cloud::wrong("the cloud's catalogue has no " + std::string(service) +
                       " service for this project: ask for its endpoint to be added");
}

std::string region_of(const Account& account, const std::vector<Endpoint>& endpoints) {
    std::set<std::string> regions;
    for (const Endpoint& endpoint : endpoints) regions.insert(endpoint.region);
    const std::string wanted = text_of(account, "openstack_region");
    const std::vector<std::string> known(regions.begin(), regions.end());
    if (wanted.empty() && known.size() == 1) return known.front();
    if (wanted.empty()) {
        throw cloud::wrong("openstack_region: the cloud has several regions, name one: " +
                           listed(known));
    }
    if (regions.contains(wanted)) return wanted;
    throw cloud::wrong("openstack_region: " + cloud::unknown_name("region", wanted, known));
}

}  // namespace

std::string auth_url(const Account& account) {
    const std::string own = text_of(account, "openstack_auth_url");
    return without_ends(own.empty() ? text_of(account, "api_endpoint") : own,
                        {"/tokens", "/auth", "/v2.0", "/v3"});
}

base::Problems check_login(const Account& account) {
    base::Problems problems;
    const auto need = [&](const std::string& field) {
        if (text_of(account, field).empty()) problems.push_back({field, "is required"});
    };
    const std::string url = auth_url(account);
    if (!url.starts_with("http://") && !url.starts_with("https://")) {
        problems.push_back(
            {"openstack_auth_url",
             "must be the address of Keystone, such as https://cloud.example.org:5000/v3"});
    }
    if (!text_of(account, credential_id).empty()) {
        need(credential_secret);
    } else {
        for (const char* name : {"api_user", "api_password", "openstack_tenant"}) need(name);
    }
    const std::string interface = text_of(account, "openstack_interface");
    if (!interface.empty() && interface != "public" && interface != "internal" &&
        interface != "admin") {
        problems.push_back({"openstack_interface", "must be public, internal or admin"});
    }
    return problems;
}

std::string Keystone::account_name(const Account& account) const {
    const std::string region = text_of(account, "openstack_region");
    const std::string where =
        " at " + host_of(auth_url(account)) + (region.empty() ? "" : ", " + region);
    const std::string id = text_of(account, credential_id);
    if (!id.empty()) return "application credential " + id + where;
    const std::string project = text_of(account, "openstack_tenant");
    if (is_id(project)) return "project " + project + where;
    return "project " + project + " of " +
           or_default(text_of(account, "openstack_project_domain"), "Default") + where;
}

std::string Keystone::key(const Account& account) const {
    return identity::checksum(auth_url(account) + "\n" + base::to_text(body_of(account)));
}

http_client::Request Keystone::login(const Account& account) const {
    return cloud::json_request_to(account, "POST", auth_url(account) + "/v3/auth/tokens",
                                  body_of(account));
}

cloud::Tokens::Token Keystone::token_in(const Account& account, const http_client::Reply& reply,
                                        base::Timestamp now) const {
    const std::string place = host_of(auth_url(account));
    if (reply.status == 401) throw cloud::wrong_credentials(reply, now, said(reply));
    if (reply.status == 404 || (reply.status >= 300 && reply.status < 400)) {
        throw cloud::wrong("openstack_auth_url: there is no Keystone v3 at " + place + " (status " +
                           std::to_string(reply.status) +
                           "); only version 3 of the login is spoken, which every OpenStack has "
                           "since Queens");
    }
    if (reply.status != 200 && reply.status != 201) throw_refusal(reply, "the login");
    const base::Json json = cloud::json_in(reply);
    const base::Json token = json.value("token", base::Json::object());
    std::vector<Endpoint> endpoints;
    const base::Json catalogue = token.value("catalog", base::Json::array());
    for (const base::Json& service : catalogue) {
        const base::Json of_one = service.value("endpoints", base::Json::array());
        for (const base::Json& each : of_one) {
            const std::string region = base::text_at(each, "region_id");
            endpoints.push_back({.type = base::text_at(service, "type"),
                                 .name = base::text_at(service, "name"),
                                 .region = or_default(region, base::text_at(each, "region")),
                                 .interface = base::text_at(each, "interface"),
                                 .url = base::text_at(each, "url")});
        }
    }
    if (reply.header("x-subject-token").empty())
        throw cloud::Lost("the login's answer has no token");
    return {.text = base::Secret(reply.header("x-subject-token")),
            .details = to_json(endpoints),
            .expires_at = time_in(base::text_at(token, "expires_at"))};
}

std::string Keystone::base_url(const Account& account, const base::Json& endpoints,
                               std::string_view service) const {
    const auto found = of_service(endpoints_in(endpoints), service);
    const std::string region = region_of(account, found);
    const std::string interface = or_default(text_of(account, "openstack_interface"), "public");
    for (const Endpoint& endpoint : found) {
        if (endpoint.region == region && endpoint.interface == interface) {
            return with_version(service, endpoint.url);
        }
    }
    throw cloud::wrong("openstack_interface: the " + std::string(service) + " service of " +
                       region + " has no " + interface + " endpoint");
}

}  // namespace provisioner::providers::openstack
