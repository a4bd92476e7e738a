#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// The question before a draft of a template is offered to everybody: views/catalogue/offer.
struct OfferPage {
    std::string name{};
    std::string label{};
    std::string tenant{};
    /// Users of the tenant who are not offered it yet.
    std::size_t users = 0;
    /// What there is to check before users get it (things_to_check).
    std::vector<std::string> to_check{};
    /// Whether it was not offered because that was not confirmed.
    bool is_asked = false;
    /// What was done just now.
    std::string done{};
};

provisioner::base::Json to_json(const OfferPage& page);

/// Title and heading: "Offer Shop to everybody?"
std::string title_of(const OfferPage& page);

/// GET /catalogue/clustertemplates/{name}/offer: the page of the template for one that is no draft.
http::Response ask_to_offer(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /permissions/{kind}/{name}: asks first about what is to be checked in a template that more
/// people may use from then on, and about templates that are offered to people who lose what these
/// use by default (withheld_needs.hpp), unless the form says that this was read.
http::Response save_permission(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

}  // namespace fcgi::pages
