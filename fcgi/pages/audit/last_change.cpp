#include "fcgi/pages/audit/last_change.hpp"

#include <algorithm>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/audit/audit_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

constexpr int most_events_looked_at = 20;

/// Whether the entry itself stayed as it was: who may use it was changed, or a draft of it.
bool is_about_it_only(const model::audit::Event& event) {
    const auto& action = event.action;
    return action.starts_with("permission.") || action.ends_with(".keep-draft") ||
           action.ends_with(".drop-draft");
}

}  // namespace

std::optional<LastChange> last_change_of(store::Connection& connection, model::UserId reader,
                                         model::TenantId chain, const std::string& kind,
                                         const std::string& name) {
    const auto events = store::list_events(connection,
                                           {.chain = chain,
                                            .object_kind = kind,
                                            .object = name,
                                            .outcome = model::audit::Outcome::done},
                                           0, most_events_looked_at, false);
    const auto found = std::ranges::find_if_not(events, is_about_it_only);
    if (found == events.end()) return std::nullopt;
    const auto& event = *found;
    return LastChange{.user = event.actor.name,
                      .at = event.at,
                      .href = "/audit/" + std::to_string(event.number) +
                              (chain.value == 0 ? "?scope=installation" : ""),
                      .is_own = event.actor.user == reader};
}

Json to_json(const std::optional<LastChange>& change, provisioner::base::Timestamp now) {
    if (!change) return nullptr;
    Json json;
    json["changed_by"] = change->is_own ? translated("you, in another window") : change->user;
    json["changed"] = moment(change->at, now);
    json["change_href"] = change->href;
    return json;
}

}  // namespace fcgi::pages
