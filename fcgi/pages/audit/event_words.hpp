#pragma once

#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/model/audit/event.hpp"

namespace fcgi::pages {

// What pages say of events of the audit log. Pure.

/// "login-key" as "login key".
std::string kind_in_words(std::string word);

/// "provider.replace" as "Replace provider", "cluster.stop-services.end" as "Stop services, ended".
std::string action_words(const std::string& action);

/// What the actions of one group of the filter are done to: "provider" of "provider.replace".
/// Empty for no action.
std::string group_of_action(const std::string& action);

/// Why it was done, or why not, in words of the page: "The password is wrong."
std::string reason_words(const provisioner::model::audit::Event& event);

/// What was wrong with the answer of an identity provider, for those who set it up: "the signature
/// is wrong". Empty for other events.
std::string technical_reason_words(const provisioner::model::audit::Event& event);

/// How long a superadmin viewed the tenant, for the end of the view: "56 s". Empty for others.
std::string view_words(const provisioner::model::audit::Event& event);

/// A moment of a view that has ended, by the name of its member; empty for others.
std::string view_moment_words(const provisioner::model::audit::Event& event, const char* member);

/// "Replace provider, by an import".
std::string action_of(const provisioner::model::audit::Event& event);

/// The words of the form for a member where a kind of object has its own for it; empty elsewhere:
/// member_label() has the others.
std::string own_member_words(const provisioner::model::audit::Event& event,
                             const std::string& member);

/// A document of the event, its `before` or `after`, with the words of pages for values; null for
/// no document. Limits of an API key that has none are in words: no list of clusters is "all".
provisioner::base::Json document_in_words(const provisioner::model::audit::Event& event,
                                          const std::string& document);

/// What a refused form would have done, in the words of the act: "Change role of user"; empty for
/// other events.
std::string tried_by(const provisioner::model::audit::Event& event);

/// Imports record each entry that they change.
bool is_of_import(const provisioner::model::audit::Event& event);

/// Every tenant may have a user of the name that a superadmin has.
std::string actor_words(const provisioner::model::audit::Event& event);

/// The name of the object, or its id without one.
std::string object_name_or_id(const provisioner::model::audit::Event& event);

/// "login key main".
std::string object_words(const provisioner::model::audit::Event& event);

/// "refused 3 times".
std::string outcome_words(const provisioner::model::audit::Event& event);

/// A class of badges.
const char* look_of(provisioner::model::audit::Outcome outcome);

}  // namespace fcgi::pages
