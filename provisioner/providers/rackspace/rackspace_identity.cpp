#include "provisioner/providers/rackspace/rackspace_identity.hpp"

#include "provisioner/base/words.hpp"
#include "provisioner/identity/checksum.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/openstack/refusals.hpp"

namespace provisioner::providers::rackspace {
using cloud::text_of;
using openstack::Endpoint;

namespace {

constexpr auto usual_identity = "https://identity.api.rackspacecloud.com";
constexpr auto identity_of_uk = "https://lon.identity.api.rackspacecloud.com";
/// The catalogue has other services of type "compute": the first generation, and a test control.
constexpr auto servers_service = "cloudServersOpenStack";

base::Json login_body(const Account& account) {
    return {{"auth",
             {{"RAX-KSKEY:apiKeyCredentials",
               {{"username", text_of(account, "api_user")},
                {"apiKey", text_of(account, "api_password")}}}}}};
}

std::vector<Endpoint> endpoints_of(const base::Json& access) {
    std::vector<Endpoint> endpoints;
    const base::Json catalogue = access.value("serviceCatalog", base::Json::array());
    for (const base::Json& service : catalogue) {
        const base::Json of_one = service.value("endpoints", base::Json::array());
        for (const base::Json& each : of_one) {
            endpoints.push_back({.type = base::text_at(service, "type"),
                                 .name = base::text_at(service, "name"),
                                 .region = base::text_at(each, "region"),
                                 .interface = "public",
                                 .url = base::text_at(each, "publicURL")});
        }
    }
    return endpoints;
}

}  // namespace

const std::vector<std::string>& regions() {
    static const std::vector<std::string> all{"dfw", "ord", "iad", "lon", "syd", "hkg"};
    return all;
}

std::string region_of(const Account& account) {
    return base::in_capitals(text_of(account, "rackspace_region"));
}

std::string auth_url(const Account& account) {
    std::string own = text_of(account, "rackspace_auth_url");
    if (own.empty()) own = text_of(account, "api_endpoint");
    if (own.empty()) own = region_of(account) == "LON" ? identity_of_uk : usual_identity;
    if (own.find("://") == std::string::npos) own = "https://" + own;
    return openstack::without_ends(std::move(own), {"/tokens", "/v2.0", "/v1.0", "/v1.1"});
}

std::string RackspaceIdentity::account_name(const Account& account) const {
    return text_of(account, "api_user") + " at " + openstack::host_of(auth_url(account)) + ", " +
           region_of(account);
}

std::string RackspaceIdentity::key(const Account& account) const {
    return identity::checksum(auth_url(account) + "\n" + base::to_text(login_body(account)));
}

http_client::Request RackspaceIdentity::login(const Account& account) const {
    return cloud::json_request_to(account, "POST", auth_url(account) + "/v2.0/tokens",
                                  login_body(account));
}

cloud::Tokens::Token RackspaceIdentity::token_in(const Account& account,
                                                 const http_client::Reply& reply,
                                                 base::Timestamp now) const {
    if (reply.status == 401) throw cloud::wrong_credentials(reply, now, openstack::said(reply));
    if (reply.status == 404) {
        throw cloud::wrong("rackspace_auth_url: there is no Keystone v2.0 at " +
                           openstack::host_of(auth_url(account)));
    }
    if (reply.status != 200 && reply.status != 203) openstack::throw_refusal(reply, "the login");
    const base::Json json = cloud::json_in(reply);
    const base::Json access = json.value("access", base::Json::object());
    const base::Json token = access.value("token", base::Json::object());
    const std::string text = base::text_at(token, "id");
    if (text.empty()) throw cloud::Lost("the login's answer has no token");
    return {.text = base::Secret(text),
            .details = openstack::to_json(endpoints_of(access)),
            .expires_at = openstack::time_in(base::text_at(token, "expires"))};
}

std::string RackspaceIdentity::base_url(const Account& account, const base::Json& endpoints,
                                        std::string_view service) const {
    const std::string wanted = region_of(account);
    std::vector<std::string> known;
    const std::vector<Endpoint> all = openstack::endpoints_in(endpoints);
    for (const Endpoint& endpoint : all) {
        if (service != "compute" || endpoint.name != servers_service) continue;
        if (endpoint.region == wanted) return openstack::without_ends(endpoint.url, {});
        known.push_back(base::in_small_letters(endpoint.region));
    }
    throw cloud::wrong("rackspace_region: " +
                       cloud::unknown_name("region of Cloud Servers in this account",
                                           base::in_small_letters(wanted), known));
}

}  // namespace provisioner::providers::rackspace
