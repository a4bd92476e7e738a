#pragma once

#include <string>

#include "provisioner/providers/digitalocean/api.hpp"

namespace provisioner::providers::digitalocean {

/// What DigitalOcean offers, as far as a refusal may be about it: three lists of the API.
struct Catalogue {
    base::Json regions = base::Json::array();
    base::Json sizes = base::Json::array();
    base::Json images = base::Json::array();
};

/// Why a droplet of that size and image cannot be made in that region, by the catalogue: throws
/// cloud::NoCapacity where another region or size would do, and a Refusal with near names for what
/// does not exist. Returns when nothing is wrong with it.
void explain_by_catalogue(const Catalogue& catalogue, const cloud::Placement& placement,
                          const std::string& image);

/// "the account may have 25 droplets and has 25: ..." A negative number is one that is not known.
std::string droplet_limit_words(std::int64_t limit, std::int64_t count);

/// Throws what a refused creation means, in words that a person can act on. Asks for what there is.
boost::asio::awaitable<void> explain(Api& api, const cloud::Order& order, const Answer& answer);

}  // namespace provisioner::providers::digitalocean
