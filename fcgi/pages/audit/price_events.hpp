#pragma once

#include <string>

#include "provisioner/model/audit/event.hpp"

namespace fcgi::pages {

// Events of price lists (operations/prices/price_lists.hpp) in words: mostly one price changes.
// Pure; empty, or true, for other events.

/// "Add price of aws, small", "Change price of ...", "Remove price of ..."; empty unless it is of
/// one price.
std::string price_action_words(const provisioner::model::audit::Event& event);

/// The label of a member: "Price per hour" of the only price, "Price of aws, small, per hour".
std::string price_member_words(const provisioner::model::audit::Event& event,
                               const std::string& member);

/// Whether a member is to be shown. Counts of what the other members say are not.
bool is_shown_of_prices(const provisioner::model::audit::Event& event, const std::string& member);

}  // namespace fcgi::pages
