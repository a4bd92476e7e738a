#include "provisioner/providers/digitalocean/refusals.hpp"

#include <algorithm>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/digitalocean/replies.hpp"

namespace provisioner::providers::digitalocean {
namespace asio = boost::asio;

namespace {

using base::Json;

constexpr std::size_t names_shown = 6;

bool has_word(const std::string& text, std::string_view word) {
    return text.find(word) != std::string::npos;
}

bool is_available(const Json& item) {
    const Json* value = base::member(item, "available");
    return value == nullptr || !value->is_boolean() || value->get<bool>();
}

bool lists(const Json& item, std::string_view member, const std::string& text) {
    const auto texts = base::strings_of(base::member(item, member));
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::string shown(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), names_shown); ++i) {
        text += (i == 0 ? "" : ", ") + names[i];
    }
    return names.size() > names_shown ? text + " and others" : text;
}

std::int64_t number_at(const Json& item, std::string_view member) {
    const Json* value = base::member(item, member);
    return value != nullptr && value->is_number_integer() ? value->get<std::int64_t>() : 0;
}

const Json* image_of(const Json& images, const std::string& wanted) {
    for (const Json& image : images) {
        const Json* id = base::member(image, "id");
        const bool is_it = base::text_at(image, "slug") == wanted ||
                           (id != nullptr && base::to_text(*id) == wanted);
        if (is_it) return &image;
    }
    return nullptr;
}

/// Slugs; the numbers of images without one, which are the account's own.
std::vector<std::string> names_of_images(const Json& images) {
    std::vector<std::string> names;
    for (const Json& image : images) {
        const std::string slug = base::text_at(image, "slug");
        const Json* id = base::member(image, "id");
        if (!slug.empty()) {
            names.push_back(slug);
        } else if (id != nullptr) {
            names.push_back(base::to_text(*id) + " (" + base::text_at(image, "name") + ")");
        }
    }
    return names;
}

void explain_region(const Json& regions, const std::string& name) {
    if (regions.empty()) return;
    const Json* region = with_text(regions, "slug", name);
    if (region == nullptr) {
        throw cloud::wrong("digitalocean_region: " +
                           cloud::unknown_name("region", name, texts_of(regions, "slug")));
    }
    if (is_available(*region)) return;
    std::vector<std::string> open;
    for (const Json& other : regions) {
        if (is_available(other)) open.push_back(base::text_at(other, "slug"));
    }
    throw cloud::NoCapacity("the region " + name + " takes no new droplets now; open are " +
                            shown(open));
}

void explain_size(const Json& sizes, const cloud::Placement& placement) {
    if (sizes.empty()) return;
    const Json* size = with_text(sizes, "slug", placement.flavor);
    if (size == nullptr) {
        throw cloud::wrong("flavor: " +
                           cloud::unknown_name("size", placement.flavor, texts_of(sizes, "slug")));
    }
    if (is_available(*size) && lists(*size, "regions", placement.zone)) return;
    const auto where = base::strings_of(base::member(*size, "regions"));
    std::string words =
        "droplets of size " + placement.flavor + " cannot be made in " + placement.zone + " now";
    if (is_available(*size) && !where.empty()) words += "; they can be made in " + shown(where);
    throw cloud::NoCapacity(words);
}

void explain_image(const Catalogue& catalogue, const cloud::Placement& placement,
                   const std::string& name) {
    if (catalogue.images.empty()) return;
    const Json* image = image_of(catalogue.images, name);
    if (image == nullptr) {
        throw cloud::wrong("image: " +
                           cloud::unknown_name("image", name, names_of_images(catalogue.images)));
    }
    if (!lists(*image, "regions", placement.zone)) {
        throw cloud::wrong("the image " + name + " is not in the region " + placement.zone +
                           ", only in " + shown(base::strings_of(base::member(*image, "regions"))) +
                           ": transfer it there first");
    }
    const Json* size = with_text(catalogue.sizes, "slug", placement.flavor);
    const std::int64_t needed = number_at(*image, "min_disk_size");
    const std::int64_t disk = size == nullptr ? needed : number_at(*size, "disk");
    if (disk >= needed) return;
    throw cloud::wrong("the image " + name + " needs a disk of " + std::to_string(needed) +
                       " GB, and droplets of size " + placement.flavor + " have " +
                       std::to_string(disk) + " GB");
}

/// A list that the token may not read, or that does not come, is empty.
asio::awaitable<Json> list_if_allowed(Api& api, const Account& account, std::string path,
                                      std::string member) {
    Json items = Json::array();
    try {
        auto verb = api.all_lately(account, std::move(path), std::move(member), "");
        items = co_await std::move(verb);
    } catch (const cloud::Refusal&) {
        items = Json::array();
    }
    co_return items;
}

asio::awaitable<void> explain_limit(Api& api, const Account& account) {
    std::int64_t limit = -1;
    std::int64_t count = -1;
    try {
        auto asking = api.get(account, "/v2/account", "account:read");
        const Json body = co_await std::move(asking);
        if (const Json* found = base::member(body, "account")) {
            limit = number_at(*found, "droplet_limit");
        }
        auto counting = api.get(account, "/v2/droplets?per_page=1", "droplet:read");
        const Json page = co_await std::move(counting);
        if (const Json* meta = base::member(page, "meta")) count = number_at(*meta, "total");
    } catch (const cloud::Refusal&) {
        // A token without account:read: the words go without numbers.
    }
    throw cloud::busy(droplet_limit_words(limit, count));
}

}  // namespace

std::string droplet_limit_words(std::int64_t limit, std::int64_t count) {
    std::string words = "DigitalOcean's limit of droplets is reached";
    if (limit >= 0) {
        words += ": the account may have " + std::to_string(limit);
        if (count >= 0) words += " and has " + std::to_string(count);
    }
    return words + "; delete some, or ask DigitalOcean for a higher limit";
}

void explain_by_catalogue(const Catalogue& catalogue, const cloud::Placement& placement,
                          const std::string& image) {
    explain_region(catalogue.regions, placement.zone);
    explain_size(catalogue.sizes, placement);
    explain_image(catalogue, placement, image);
}

asio::awaitable<void> explain(Api& api, const cloud::Order& order, const Answer& answer) {
    const std::string said = answer.message();
    const std::string words = base::in_small_letters(said);
    if (has_word(words, "droplet limit")) {
        auto verb = explain_limit(api, order.account);
        co_await std::move(verb);
    }
    if (has_word(words, "pending event")) {
        throw cloud::NotYet(std::chrono::seconds{2}, "DigitalOcean: " + said);
    }
    const bool is_about_place =
        has_word(words, "size") || has_word(words, "region") || has_word(words, "image");
    if (is_about_place) {
        Catalogue catalogue;
        auto regions = list_if_allowed(api, order.account, "/v2/regions", "regions");
        catalogue.regions = co_await std::move(regions);
        auto sizes = list_if_allowed(api, order.account, "/v2/sizes", "sizes");
        catalogue.sizes = co_await std::move(sizes);
        auto images = list_if_allowed(api, order.account, "/v2/images", "images");
        catalogue.images = co_await std::move(images);
        explain_by_catalogue(catalogue, order.placement, order.spec.image);
    }
    if (has_word(words, "unavailable") || has_word(words, "not available")) {
        throw cloud::NoCapacity("DigitalOcean: " + said);
    }
    throw cloud::wrong("DigitalOcean refuses the droplet: " + said);
}

}  // namespace provisioner::providers::digitalocean
