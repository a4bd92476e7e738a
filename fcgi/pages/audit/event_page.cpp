#include "fcgi/auth/sign_ins.hpp"
#include "fcgi/pages/audit/event_words.hpp"
#include "fcgi/pages/audit/events.hpp"
#include "fcgi/pages/audit/price_events.hpp"
#include "fcgi/pages/differences/member_words.hpp"
#include "fcgi/pages/differences/value_difference.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
namespace audit = provisioner::model::audit;
namespace base = provisioner::base;

// The page of one event.
namespace {

/// What differs between before and after. If only one of them is there: all that it has.
Json differences_of(const audit::Event& event) {
    const Json raw = value_differences(document_in_words(event, event.before),
                                       document_in_words(event, event.after));
    Json words = in_words(raw);
    Json differences = Json::array();
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const auto member = raw[i]["member"].get<std::string>();
        if (!is_shown_of_prices(event, member)) continue;
        const std::string own = own_member_words(event, member);
        if (!own.empty()) words[i]["member"] = own;
        differences.push_back(std::move(words[i]));
    }
    return differences;
}

Json documents_of(const audit::Event& event) {
    Json list = Json::array();
    const auto add = [&](const std::string& title, const std::string& text) {
        const auto document = base::parse_json(text);
        if (!document) return;
        Json json;
        json["title"] = title;
        json["document"] = document->dump(2, ' ', false, Json::error_handler_t::replace);
        list.push_back(std::move(json));
    };
    add(translated("Before"), event.before);
    add(translated("After"), event.after);
    return list;
}

struct EventFact {
    std::string label{};
    std::string value{};
    std::string href{};
};

Json facts_json(const std::vector<EventFact>& all) {
    Json facts = Json::array();
    for (const auto& [label, value, href] : all) {
        if (value.empty()) continue;
        Json fact;
        fact["label"] = label;
        fact["value"] = value;
        fact["value_href"] = href;
        facts.push_back(std::move(fact));
    }
    return facts;
}

/// Why a name that nobody has is not told whole, and how its events are found.
std::string tried_name_words(const audit::Event& event) {
    const bool is_tried = event.object.kind == "user" && event.object.id.empty() &&
                          event.outcome == audit::Outcome::refused;
    if (!is_tried || !auth::is_shortened_name(event.object.name)) return "";
    // Without a mark nothing was typed: identity providers name the person, or nobody.
    const bool has_mark = event.object.name.ends_with(']');
    if (!has_mark && event.actor.credential.starts_with("provider ")) return "";
    const bool is_cut = event.object.name.find("…") != std::string::npos;
    return is_cut ? translated(
                        "Shortened, because it may be a password. The mark in brackets tells two "
                        "names apart; the filter “Object” finds a name that is entered whole.")
                  : translated(
                        "Not recorded, because it may be a password. The mark in brackets tells "
                        "two of them apart.");
}

/// Who did it, from where, to which object, and why it was refused.
Json facts_of(const audit::Event& event, const EventLinks& links) {
    const bool is_done = event.outcome == audit::Outcome::done;
    return facts_json(
        {{translated("User"), actor_words(event), links.user},
         {translated("Object"), object_words(event), links.object},
         {translated("Name that was tried"), tried_name_words(event), ""},
         {translated("View began"), view_moment_words(event, "viewedFrom"), ""},
         {translated("Last page looked at"), view_moment_words(event, "viewedUntil"), ""},
         {translated("View ended"), view_moment_words(event, "viewEnded"), ""},
         {translated("Viewed for"), view_words(event), ""},
         {is_done ? translated("Why") : translated("Reason"), reason_words(event), ""},
         {translated("Technical reason"), technical_reason_words(event), ""},
         {translated("Role"), event.actor.role, ""},
         {translated("Tenant of the user"), event.actor.tenant, ""},
         {translated("Address"), event.actor.client, ""}});
}

/// What only who follows a request, or checks the chain, looks at.
Json technical_facts_of(const audit::Event& event) {
    return facts_json(
        {{translated("Authenticated with"), event.actor.credential, ""},
         {translated("Request"), event.actor.request, ""},
         {translated("Action in the API"), event.action, ""},
         {translated("ID of the object"), is_of_import(event) ? "" : event.object.id, ""},
         {translated("Status"), event.status == 0 ? "" : std::to_string(event.status), ""},
         {translated("Number in this log"), std::to_string(event.number), ""},
         {translated("Hash"), event.hash, ""},
         {translated("Hash of the previous event"), event.previous, ""}});
}

}  // namespace

Json to_json(const audit::Event& event, const std::string& back, const EventLinks& links) {
    Json json;
    json["back"] = back;
    json["event"] = translated("Event {0}", event.number);
    const std::string object = object_name_or_id(event);
    json["heading"] = object.empty() ? action_of(event) : action_of(event) + ": " + object;
    json["outcome"] = outcome_words(event);
    json["look"] = look_of(event.outcome);
    json["time"] = moment(event.at, event.at);
    json["facts"] = facts_of(event, links);
    json["technical"] = technical_facts_of(event);
    const bool has_both = !event.before.empty() && !event.after.empty();
    // Nothing changed but that the draft has ended.
    const bool is_of_dropped = has_both && event.action == "cluster-template.drop-draft";
    json["differences_title"] = is_of_dropped ? translated("What the draft would have changed")
                                : has_both    ? translated("What changed")
                                : event.before.empty() ? translated("New values")
                                                       : translated("Values before");
    json["before_title"] = is_of_dropped ? translated("In the draft")
                           : has_both    ? translated("Before")
                                         : translated("Value");
    json["after_title"] = is_of_dropped ? translated("Without it")
                          : has_both    ? translated("After")
                                        : translated("Value");
    json["has_before"] = !event.before.empty();
    json["has_after"] = !event.after.empty();
    // The moments of a view are among the facts.
    json["differences"] = view_words(event).empty() ? differences_of(event) : Json::array();
    json["has_differences"] = !json["differences"].empty();
    json["is_equal"] = has_both && json["differences"].empty();
    json["documents"] = documents_of(event);
    return json;
}

}  // namespace fcgi::pages
