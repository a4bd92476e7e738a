// What there is in a project: for forms, and for people who named something that there is not.

#include <algorithm>
#include <array>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/google/google_cloud.hpp"
#include "provisioner/providers/google/images.hpp"
#include "provisioner/providers/google/names.hpp"

namespace provisioner::providers::google {
namespace asio = boost::asio;

using base::Json;
using base::text_at;
using cloud::Order;

namespace {

/// Public projects whose image families forms offer.
constexpr std::array offered_projects{"debian-cloud", "ubuntu-os-cloud"};

Call listing(std::string path, std::string project = "") {
    Call call;
    call.path = std::move(path);
    call.project = std::move(project);
    return call;
}

std::string machine_types_in(const std::string& zone) {
    return "zones/" + cloud::percent_encoded(zone) + "/machineTypes";
}

bool is_current(const Json& image) {
    return base::member(image, "deprecated") == nullptr;
}

void sort_choices(std::vector<Choice>& choices) {
    const auto value = [](const Choice& choice) { return choice.value; };
    std::ranges::sort(choices, {}, value);
    const auto doubles = std::ranges::unique(choices, {}, value);
    choices.erase(doubles.begin(), doubles.end());
}

bool speaks_of(const ApiError& error, std::string_view word) {
    return error.message.find(word) != std::string::npos;
}

/// Whether something of that kind, as error messages write it, is missing.
bool is_about(const ApiError& error, std::string_view kind) {
    return (error.status == 404 || error.status == 400) && speaks_of(error, kind);
}

}  // namespace

asio::awaitable<std::vector<std::string>> GoogleCloud::names_in(const Account& account,
                                                                std::string path,
                                                                std::string project) {
    std::vector<std::string> names;
    Call call = listing(std::move(path), std::move(project));
    const Answer answer = co_await api_.call(account, std::move(call));
    const Json* items = base::member(answer.body, "items");
    if (answer.error || items == nullptr) co_return names;
    for (const Json& item : *items) {
        names.push_back(text_at(item, "name"));
        const std::string family = text_at(item, "family");
        if (!family.empty() && is_current(item)) names.push_back(family);
    }
    co_return names;
}

asio::awaitable<void> GoogleCloud::refuse(const Order& order, const ApiError& error) {
    const Account& account = order.account;
    if (error.reason == "resourceNotReady" || error.status == 409) {
        throw cloud::NotYet(std::chrono::seconds{2}, error.message);
    }
    if (is_about(error, "/images/")) {
        const ImagePlace place =
            image_place(order.spec.image, cloud::text_of(account, "google_project"));
        const auto names = co_await names_in(account, "global/images", place.project);
        throw cloud::wrong(cloud::unknown_name("image", place.name, names) + " in the project " +
                           place.project);
    }
    if (is_about(error, "Machine type") || is_about(error, "/machineTypes/")) {
        const auto names = co_await names_in(account, machine_types_in(order.placement.zone));
        throw cloud::wrong(cloud::unknown_name("machine type", order.placement.flavor, names) +
                           " in the zone " + order.placement.zone);
    }
    if (is_about(error, "Unknown zone")) {
        const auto names = co_await names_in(account, "zones");
        throw cloud::wrong(cloud::unknown_name("zone", order.placement.zone, names));
    }
    if (is_about(error, "/networks/")) {
        const auto names = co_await names_in(account, "global/networks");
        const std::string network = cloud::setting(account, order.spec, "network");
        throw cloud::wrong(cloud::unknown_name("network", network, names));
    }
    if (is_about(error, "projects/") && error.status == 404 && !speaks_of(error, "/zones/")) {
        throw cloud::wrong("there is no project \"" + cloud::text_of(account, "google_project") +
                           "\", or the service account may not see it: " + error.message);
    }
    throw cloud::wrong("Google refuses: " + error.message);
}

asio::awaitable<Offer> GoogleCloud::test(const Account& account) {
    const auto key = service_key_of(account);
    if (!key) throw cloud::wrong(base::to_text(key.error()));
    Offer offer;
    Call zone_call = listing("zones");
    const auto zones = co_await api_.all(account, std::move(zone_call));
    for (const Json& zone : zones) {
        offer.choices["zone_name"].push_back(
            {.value = text_at(zone, "name"), .label = last_part(text_at(zone, "region"))});
    }
    const std::string zone = cloud::text_of(account, "zone_name");
    std::vector<std::string> known;
    for (const Choice& choice : offer.choices["zone_name"]) known.push_back(choice.value);
    if (!zone.empty() && std::find(known.begin(), known.end(), zone) == known.end()) {
        throw cloud::wrong("zone_name: " + cloud::unknown_name("zone", zone, known));
    }
    Call network_call = listing("global/networks");
    const auto networks = co_await api_.all(account, std::move(network_call));
    for (const Json& network : networks) {
        offer.choices["network"].push_back({.value = text_at(network, "name")});
    }
    co_await offer_sizes_and_images(account, offer);
    for (auto& [field, choices] : offer.choices) sort_choices(choices);
    co_return offer;
}

asio::awaitable<void> GoogleCloud::offer_sizes_and_images(const Account& account, Offer& offer) {
    const std::string zone = cloud::text_of(account, "zone_name");
    if (zone.empty()) {
        offer.notes.push_back("machine types are listed once zone_name is chosen");
    } else {
        Call sizes = listing(machine_types_in(zone));
        const auto types = co_await api_.all(account, std::move(sizes));
        for (const Json& type : types) {
            offer.choices["flavor"].push_back(
                {.value = text_at(type, "name"), .label = text_at(type, "description")});
        }
    }
    Call own_images = listing("global/images");
    const auto own = co_await api_.all(account, std::move(own_images));
    for (const Json& image : own) {
        offer.choices["image"].push_back({.value = "global/images/" + text_at(image, "name")});
    }
    for (const std::string project : offered_projects) {
        Call public_images = listing("global/images", project);
        const auto images = co_await api_.all(account, std::move(public_images));
        for (const Json& image : images) {
            const ImagePlace place{
                .project = project, .name = text_at(image, "family"), .is_family = true};
            if (!is_current(image) || place.name.empty()) continue;
            offer.choices["image"].push_back({.value = place.link(), .label = place.name});
        }
    }
}

}  // namespace provisioner::providers::google
