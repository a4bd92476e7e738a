#include "fcgi/pages/audit/event_words.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "fcgi/pages/audit/price_events.hpp"
#include "fcgi/pages/kept/form_words.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/audit/texts.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"
#include "provisioner/operations/catalogue/exchange.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::for_translation;
using provisioner::messages::translated;
namespace audit = provisioner::model::audit;
namespace base = provisioner::base;

namespace {

struct ActionWords {
    std::string_view action;
    const char* words;
};

/// Actions whose names say too little, or are not the words of the pages.
constexpr std::array own_action_words{
    ActionWords{"sign-in", for_translation("Log in")},
    ActionWords{"sign-in.first-step",
                for_translation("First step of login, without second factor")},
    ActionWords{"sign-in.refused", for_translation("Login refused")},
    ActionWords{"sign-out", for_translation("Log out")},
    ActionWords{"proof", for_translation("Confirm identity")},
    ActionWords{"proof.refused", for_translation("Confirmation of identity refused")},
    ActionWords{"cluster.give-up", for_translation("Delete cluster without provider")},
    ActionWords{"cluster.create-unsatisfiable", for_translation("Create impossible cluster")},
    ActionWords{"login-key.give-up", for_translation("Give up login key")},
    ActionWords{"session.ended-by-provider", for_translation("Session ended by identity provider")},
    ActionWords{"user.gone", for_translation("User locked by identity provider")},
    ActionWords{"user.add-factor", for_translation("Add second factor")},
    ActionWords{"user.add-factor.refused", for_translation("Second factor not added")},
    ActionWords{"user.remove-factor", for_translation("Remove second factor")},
    ActionWords{"tenant.require-factor", for_translation("Require second factor")},
    ActionWords{"cluster.sync-template", for_translation("Update template of cluster")},
    ActionWords{"plugin-file.upload", for_translation("Upload file")},
    ActionWords{"plugin-file.use", for_translation("Put file to use")},
    ActionWords{"plugin-file.stage", for_translation("Stage file")},
    ActionWords{"plugin-file.recall", for_translation("Recall file")},
    ActionWords{"plugin-file.unstage", for_translation("Unstage file")},
    ActionWords{"plugin-file.delete", for_translation("Delete file")},
    ActionWords{"plugin-file.sync", for_translation("Sync files")},
    ActionWords{"user.choose-mails", for_translation("Change notifications")},
    ActionWords{"user.change-access", for_translation("Change role and lock of user")},
    ActionWords{"user.change-role", for_translation("Change role of user")},
    ActionWords{"user.reset-password", for_translation("Set initial password")},
    ActionWords{"price-list.replace", for_translation("Change prices")},
    ActionWords{"audit-key.replace", for_translation("Replace audit key")},
    ActionWords{"cluster.replace-node", for_translation("Replace machine")},
    ActionWords{"tenant.leave", for_translation("Stop viewing tenant")},
    ActionWords{"cluster-template.keep-draft", for_translation("Keep draft of cluster template")},
    ActionWords{"cluster-template.use-draft",
                for_translation("Put draft of cluster template to use")},
    ActionWords{"cluster-template.drop-draft",
                for_translation("Throw draft of cluster template away")},
    // Without a permission an entry is everybody's.
    ActionWords{"permission.remove", for_translation("Offer to everybody")},
    ActionWords{"permission.set", for_translation("Change who may use")},
};

constexpr std::array mail_event_words{
    ActionWords{"failure", for_translation("failures")},
    ActionWords{"expiring", for_translation("leases about to end")},
    ActionWords{"success", for_translation("finished operations")},
};

constexpr std::array key_scope_words{
    ActionWords{"all", for_translation("everything")},
    ActionWords{"read", for_translation("read only")},
    ActionWords{"some", for_translation("only some rights")},
};

constexpr std::array provider_kind_words{
    ActionWords{"oidc", "OpenID Connect"},
    ActionWords{"ldap", "LDAP"},
};

constexpr std::array second_factor_choices{
    ActionWords{"local", for_translation("Always asked for here")},
    ActionWords{"provider", for_translation("Not asked for here if the provider already did")},
};

/// A word, or each word of a list, in the words of `known`; others stay.
template <std::size_t count>
void put_words_for(Json& value, const std::array<ActionWords, count>& known) {
    if (value.is_array()) {
        for (Json& one : value) put_words_for(one, known);
        return;
    }
    if (!value.is_string()) return;
    const auto found =
        std::ranges::find(known, value.get_ref<const std::string&>(), &ActionWords::action);
    if (found != known.end()) value = translated(found->words);
}

void put_key_in_words(Json& key) {
    const auto set_if_unlimited = [&](const char* member, const std::string& meaning) {
        const auto limit = key.find(member);
        if (limit != key.end() && limit->is_array() && limit->empty()) *limit = meaning;
    };
    set_if_unlimited("clusters", translated("all"));
    const std::string scope = base::text_at(key, "scope");
    if (scope == "all") set_if_unlimited("rights", translated("all"));
    if (scope == "read") set_if_unlimited("rights", translated("reading"));
    if (!scope.empty()) put_words_for(key["scope"], key_scope_words);
    const auto rights = key.find("rights");
    if (rights == key.end() || !rights->is_array()) return;
    for (Json& right : *rights) {
        if (right.is_string()) right = right_words(right.get<std::string>());
    }
}

/// "everybody is user in demo, in the groups a and b".
std::string rule_words(const Json& rule) {
    const std::string value = base::text_at(rule, "value");
    std::vector<std::string> groups;
    const Json* named = base::member(rule, "groups");
    if (named != nullptr && named->is_array()) {
        for (const Json& group : *named) {
            if (group.is_string()) groups.push_back(group.get<std::string>());
        }
    }
    const std::string words =
        translated("{0}: {1} in {2}", value == "*" ? translated("everybody") : value,
                   base::text_at(rule, "role"), base::text_at(rule, "tenant"));
    return groups.empty() ? words : translated("{0}, groups {1}", words, listed(groups));
}

void put_provider_in_words(Json& provider) {
    if (provider.contains("kind")) put_words_for(provider["kind"], provider_kind_words);
    for (const auto& field : provisioner::model::identity_fields()) {
        if (!provider.contains(field.name)) continue;
        Json& value = provider[field.name];
        for (const auto& choice : field.choices) {
            if (value == choice.value) {
                value = choice.label;
                break;
            }
        }
    }
    if (provider.contains("secondFactor")) {
        put_words_for(provider["secondFactor"], second_factor_choices);
    }
    const auto rules = provider.find("rules");
    if (rules == provider.end() || !rules->is_array() || rules->empty()) return;
    std::string words;
    for (const Json& rule : *rules) words += (words.empty() ? "" : "; ") + rule_words(rule);
    *rules = words;
}

bool is_of_file(const audit::Event& event) {
    return event.object.kind == "plugin-file";
}

/// The files of a sync, by their names, as "Version 2" (operations/plugins/file_changes.hpp).
void put_files_in_words(Json& document) {
    const auto files = document.find("files");
    if (files == document.end() || !files->is_array()) return;
    Json words = Json::object();
    for (const Json& file : *files) {
        const Json* version = base::member(file, "version");
        const bool has_one = version != nullptr && version->is_number_integer();
        words[base::text_at(file, "file")] =
            has_one ? translated("Version {0}", version->get<int>()) : translated("Nothing");
    }
    document = std::move(words);
}

/// The log is shown also after somebody has tampered with it.
std::optional<base::Timestamp> moment_at(const Json& json, const char* member) {
    try {
        return base::from_sql(base::text_at(json, member));
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

/// "Log in by recovery code": what was given last.
std::string log_in_words(const audit::Event& event) {
    constexpr std::string_view provider = "provider ";
    const std::string& given = event.actor.credential;
    const std::string words = action_words(event.action);
    if (given.starts_with(provider)) {
        return translated("{0} by identity provider {1}", words, given.substr(provider.size()));
    }
    return given.empty() ? words : translated("{0} by {1}", words, kind_in_words(given));
}

}  // namespace

std::string own_member_words(const audit::Event& event, const std::string& member) {
    if (event.object.kind == "api-key" && member == "scope") return translated("Access");
    if (event.object.kind == "price-list") return price_member_words(event, member);
    // Names of files stay as they are.
    if (is_of_file(event) && member.find('/') != std::string::npos) return member;
    if (event.object.kind != "identity-provider") return "";
    if (member == "rules") return translated("Who may log in");
    for (const auto& field : provisioner::model::identity_fields()) {
        if (field.name == member) return field.label;
    }
    return "";
}

Json document_in_words(const audit::Event& event, const std::string& document) {
    Json json = base::parse_json(document).value_or(Json());
    if (!json.is_object()) return json;
    if (event.object.kind == "api-key") put_key_in_words(json);
    if (event.object.kind == "identity-provider") put_provider_in_words(json);
    if (is_of_file(event)) put_files_in_words(json);
    const auto mails = json.find("mailEvents");
    if (mails != json.end()) put_words_for(*mails, mail_event_words);
    return json;
}

std::string kind_in_words(std::string word) {
    std::ranges::replace(word, '-', ' ');
    if (word == "api key") return translated("API key");
    return word == "node" ? "machine" : word;
}

std::string action_words(const std::string& action) {
    constexpr std::string_view end = ".end";
    if (action.ends_with(end)) {
        return translated("{0}, ended", action_words(action.substr(0, action.size() - end.size())));
    }
    const auto* const own = std::ranges::find(own_action_words, action, &ActionWords::action);
    if (own != own_action_words.end()) return translated(own->words);
    const auto dot = action.find('.');
    const std::string kind = kind_in_words(action.substr(0, dot));
    std::string words = dot == std::string::npos ? kind : kind_in_words(action.substr(dot + 1));
    // The button of every editor is "Save".
    if (words == "replace") words = "save";
    // "stop services" says what it is about, "save" does not.
    if (dot != std::string::npos && words.find(' ') == std::string::npos) words += ' ' + kind;
    return with_capital(std::move(words));
}

std::string actor_words(const audit::Event& event) {
    const bool is_nobody =
        event.actor.user.value == 0 && event.actor.tenant.empty() && event.actor.name == "unknown";
    if (event.actor.name.empty() || is_nobody) return translated("not logged in");
    const bool is_from_above = event.actor.tenant == provisioner::model::superadmin_tenant;
    return (is_from_above ? event.actor.tenant + '/' : "") + event.actor.name;
}

std::string object_name_or_id(const audit::Event& event) {
    return event.object.name.empty() ? event.object.id : event.object.name;
}

std::string object_words(const audit::Event& event) {
    const std::string words = kind_in_words(event.object.kind);
    const std::string object = object_name_or_id(event);
    if (is_of_file(event) && !event.object.id.empty()) {
        return translated("{0} {1}, version {2}", words, object, event.object.id);
    }
    return words + (words.empty() || object.empty() ? "" : " ") + object;
}

std::string outcome_words(const audit::Event& event) {
    std::string words = base::to_word(event.outcome);
    if (event.times > 1) words += translated(" {0} times", event.times);
    return words;
}

const char* look_of(audit::Outcome outcome) {
    return outcome == audit::Outcome::done ? "active" : "failed";
}

std::string group_of_action(const std::string& action) {
    if (action.starts_with("sign-in") || action.starts_with("sign-out") ||
        action.starts_with("proof") || action.starts_with("session"))
        return translated("login");
    return kind_in_words(action.substr(0, action.find('.')));
}

std::string tried_by(const audit::Event& event) {
    constexpr std::string_view post = "POST ";
    const std::string& request = event.object.name;
    if (event.object.kind != "request" || !request.starts_with(post)) return "";
    const std::string path = request.substr(post.size());
    const std::string action = action_of_form(path);
    return action.empty() ? with_capital(purpose_of_form(path)) : action_words(action);
}

std::string view_words(const audit::Event& event) {
    if (event.action != "tenant.leave") return "";
    const Json view = base::parse_json(event.after).value_or(Json::object());
    const auto from = moment_at(view, "viewedFrom");
    const auto last_look = moment_at(view, "viewedUntil");
    if (!from || !last_look) return "";
    // Events of before have no end; one that nobody ended was over with its last page then.
    const bool was_left = event.reason == "No page was looked at for 30 minutes." ||
                          event.reason == "The session of the superadmin ended.";
    const auto known = moment_at(view, "viewEnded");
    const auto ended = std::max(known.value_or(was_left ? *last_look : event.at), *from);
    using std::chrono::milliseconds;
    using std::chrono::seconds;
    if (ended - *from < seconds{1}) {
        return spoken(std::chrono::duration_cast<milliseconds>(ended - *from));
    }
    // As whoever reads both moments works it out.
    return spoken(std::chrono::floor<seconds>(ended) - std::chrono::floor<seconds>(*from));
}

std::string view_moment_words(const audit::Event& event, const char* member) {
    if (event.action != "tenant.leave") return "";
    const auto at = moment_at(base::parse_json(event.after).value_or(Json::object()), member);
    return at ? moment(*at, *at)["absolute"].get<std::string>() : std::string();
}

bool is_of_import(const audit::Event& event) {
    return event.object.id == provisioner::operations::audited_import;
}

std::string action_of(const audit::Event& event) {
    const std::string tried = tried_by(event);
    if (!tried.empty()) return tried;
    if (event.action == "sign-in") return log_in_words(event);
    const std::string price = price_action_words(event);
    if (!price.empty()) return price;
    return is_of_import(event) ? translated("{0}, by an import", action_words(event.action))
                               : action_words(event.action);
}

}  // namespace fcgi::pages
