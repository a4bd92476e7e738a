#include "provisioner/providers/digitalocean/offers.hpp"

#include <algorithm>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/digitalocean/refusals.hpp"
#include "provisioner/providers/digitalocean/replies.hpp"
#include "provisioner/providers/digitalocean/type.hpp"

namespace provisioner::providers::digitalocean {
namespace asio = boost::asio;

namespace {

using base::Json;

constexpr auto region_field = "digitalocean_region";

/// A list, or a note that the token may not read it.
asio::awaitable<Json> list_or_note(Api& api, const Account& account, std::string path,
                                   std::string member, std::string scope, Offer& offer) {
    Json items = Json::array();
    try {
        auto verb = api.all(account, std::move(path), std::move(member), std::move(scope));
        items = co_await std::move(verb);
    } catch (const cloud::Refusal& refusal) {
        // A wrong token is one for every list.
        if (refusal.refused().message.starts_with("Provider credentials")) throw;
        offer.notes.push_back(refusal.refused().message);
    }
    co_return items;
}

bool is_open(const Json& item) {
    const Json* value = base::member(item, "available");
    return value == nullptr || !value->is_boolean() || value->get<bool>();
}

bool is_in_region(const Json& item, const std::string& region) {
    const auto regions = base::strings_of(base::member(item, "regions"));
    return region.empty() || std::find(regions.begin(), regions.end(), region) != regions.end();
}

std::string number_text(const Json& item, std::string_view member) {
    const Json* value = base::member(item, member);
    return value == nullptr ? "?" : base::to_text(*value);
}

std::string size_label(const Json& size) {
    return number_text(size, "vcpus") + " CPU, " + number_text(size, "memory") + " MB, " +
           number_text(size, "disk") + " GB disk, $" + number_text(size, "price_hourly") +
           " an hour";
}

void add_image(const Json& image, Offer& offer) {
    const Json* id = base::member(image, "id");
    std::string value = base::text_at(image, "slug");
    if (value.empty() && id != nullptr) value = base::to_text(*id);
    std::string label = base::text_at(image, "distribution") + " " + base::text_at(image, "name");
    if (!value.empty()) offer.choices["image"].push_back({std::move(value), std::move(label)});
}

asio::awaitable<void> offer_places(Api& api, const Account& account, Offer& offer) {
    const std::string region = cloud::text_of(account, region_field);
    auto asking = list_or_note(api, account, "/v2/regions", "regions", "regions:read", offer);
    const Json regions = co_await std::move(asking);
    Catalogue catalogue;
    catalogue.regions = regions;
    if (!region.empty()) {
        try {
            explain_by_catalogue(catalogue, {.flavor = "", .zone = region}, "");
        } catch (const cloud::NoCapacity& closed) {
            throw cloud::wrong(std::string(region_field) + ": " + closed.what());
        }
    }
    for (const Json& place : regions) {
        if (!is_open(place)) continue;
        offer.choices[region_field].push_back(
            {base::text_at(place, "slug"), base::text_at(place, "name")});
    }
    auto sizing =
        list_or_note(api, account, "/v2/sizes", "sizes", "sizes:read, regions:read", offer);
    const Json sizes = co_await std::move(sizing);
    for (const Json& size : sizes) {
        if (!is_open(size) || !is_in_region(size, region)) continue;
        offer.choices["flavor"].push_back({base::text_at(size, "slug"), size_label(size)});
    }
}

asio::awaitable<void> offer_images(Api& api, const Account& account, Offer& offer) {
    const std::string region = cloud::text_of(account, region_field);
    for (const char* kind : {"type=distribution", "private=true"}) {
        auto asking = list_or_note(api, account, std::string("/v2/images?") + kind, "images",
                                   "image:read", offer);
        const Json images = co_await std::move(asking);
        for (const Json& image : images) {
            if (is_in_region(image, region)) add_image(image, offer);
        }
    }
}

asio::awaitable<void> offer_keys(Api& api, const Account& account, Offer& offer) {
    auto asking = list_or_note(api, account, "/v2/account/keys", "ssh_keys", "ssh_key:read", offer);
    const Json keys = co_await std::move(asking);
    std::vector<std::string> names;
    for (const Json& key : keys) {
        names.push_back(base::text_at(key, "name"));
        offer.choices["ssh_keypair"].push_back(
            {base::text_at(key, "name"), base::text_at(key, "fingerprint")});
        names.push_back(base::text_at(key, "fingerprint"));
        names.push_back(number_text(key, "id"));
    }
    const std::string wanted = cloud::text_of(account, "ssh_keypair");
    const bool is_known = std::find(names.begin(), names.end(), wanted) != names.end();
    if (wanted.empty() || is_known) co_return;
    throw cloud::wrong("ssh_keypair: " +
                       cloud::unknown_name("SSH key", wanted, texts_of(keys, "name")));
}

asio::awaitable<void> offer_networks(Api& api, const Account& account, Offer& offer) {
    const std::string region = cloud::text_of(account, region_field);
    auto asking = list_or_note(api, account, "/v2/vpcs", "vpcs", "vpc:read", offer);
    const Json networks = co_await std::move(asking);
    for (const Json& network : networks) {
        if (!region.empty() && base::text_at(network, "region") != region) continue;
        offer.choices["digitalocean_vpc"].push_back(
            {base::text_at(network, "id"),
             base::text_at(network, "name") + ", " + base::text_at(network, "ip_range")});
    }
    const std::string wanted = cloud::text_of(account, "digitalocean_vpc");
    const auto& offered = offer.choices["digitalocean_vpc"];
    const bool is_known = std::any_of(offered.begin(), offered.end(),
                                      [&](const Choice& choice) { return choice.value == wanted; });
    if (wanted.empty() || is_known || networks.empty()) co_return;
    std::vector<std::string> names;
    for (const Choice& choice : offered) names.push_back(choice.value);
    throw cloud::wrong("digitalocean_vpc: " +
                       cloud::unknown_name("VPC network in this region", wanted, names));
}

/// A token without account:read is enough for machines.
asio::awaitable<void> note_account(Api& api, const Account& account, Offer& offer) {
    Json body;
    try {
        auto asking = api.get(account, "/v2/account", "account:read");
        body = co_await std::move(asking);
    } catch (const cloud::Refusal& refusal) {
        if (refusal.refused().message.starts_with("Provider credentials")) throw;
        offer.notes.push_back(refusal.refused().message);
    }
    const Json* found = base::member(body, "account");
    if (found == nullptr) co_return;
    offer.notes.push_back("the account may have " + number_text(*found, "droplet_limit") +
                          " droplets");
    const std::string status = base::text_at(*found, "status");
    if (status == "active") co_return;
    offer.notes.push_back("the account is " + status + ": " +
                          cloud::words_of(base::text_at(*found, "status_message")));
}

}  // namespace

asio::awaitable<Offer> offer_of(Api& api, const Account& account) {
    Offer offer;
    if (cloud::text_of(account, "api_password").empty()) {
        throw cloud::wrong("api_password: a token of the API is needed");
    }
    co_await note_account(api, account, offer);
    // What machines cannot do without.
    auto listing = api.get(account, "/v2/droplets?per_page=1", "droplet:read");
    co_await std::move(listing);
    co_await offer_places(api, account, offer);
    co_await offer_images(api, account, offer);
    co_await offer_keys(api, account, offer);
    co_await offer_networks(api, account, offer);
    co_return offer;
}

}  // namespace provisioner::providers::digitalocean
