#include "fcgi/pages/profile/key_form.hpp"

#include <map>
#include <optional>
#include <utility>

#include "fcgi/forms/api_key.hpp"
#include "fcgi/pages/labels.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/tenants/key_rights.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::base::Timestamp;
using provisioner::messages::translated;
namespace base = provisioner::base;
namespace model = provisioner::model;

namespace {

std::vector<std::string> words_in(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : text + ' ') {
        const bool is_between = c == ' ' || c == ',' || c == '\n' || c == '\r' || c == '\t';
        if (!is_between) {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, ""));
        }
    }
    return words;
}

std::string scope_words(const model::KeyLimits& limits) {
    std::string words = "everything";
    if (limits.scope == model::KeyScope::read) words = "reading";
    if (limits.scope == model::KeyScope::some) {
        std::vector<std::string> rights;
        for (const auto& right : limits.rights) {
            rights.push_back(right_words(model::to_text(right)));
        }
        // Each has an "and" of its own.
        for (std::size_t i = 0; i < rights.size(); ++i) {
            words = i == 0 ? rights[i] : translated("{0}; {1}", words, rights[i]);
        }
    }
    if (limits.clusters.empty()) return words;
    std::vector<std::string> ids;
    for (const auto id : limits.clusters) ids.push_back(base::padded(id, 8));
    return translated("{0} of {1}", words, listed(ids));
}

/// "clusters:read" with "clusters: read", and so on for each kind: what the role has.
std::vector<std::pair<std::string, std::string>> rights_to_choose(model::Role role) {
    std::vector<std::pair<std::string, std::string>> options;
    const auto add = [&](const model::KeyRight& right) {
        if (!model::has(role, model::needed_for(right))) return;
        const std::string text = model::to_text(right);
        options.emplace_back(text, right_words(text));
    };
    for (const auto& one : base::words<model::ResourceKind>) {
        const model::ResourceKind kind = one.first;
        if (kind == model::ResourceKind::audit) continue;
        add({.kind = kind});
        add({.kind = kind, .may_change = true});
    }
    // Nobody changes the audit log. Pairs stand side by side, so what is alone comes last.
    add({.kind = model::ResourceKind::audit});
    return options;
}

/// The scope of the form, and those of its rights that there are.
model::KeyLimits limits_asked_by(const KeyForm& form) {
    model::KeyLimits limits{
        .scope = base::from_word<model::KeyScope>(form.scope).value_or(model::KeyScope::all)};
    for (const std::string& text : form.rights) {
        if (const auto right = model::right_from(text)) limits.rights.insert(*right);
    }
    return limits;
}

/// "The role user does not have: people: read; catalogue: change." Empty if it has them all.
std::string lacking_words(const model::KeyLimits& limits, model::Role role) {
    std::string all;
    for (const model::KeyRight& right : model::lacking_rights(limits, role)) {
        const bool may_read = model::has(role, model::needed_for({.kind = right.kind}));
        const std::string words = may_read ? translated("{0}: change", base::to_word(right.kind))
                                           : right_words(model::to_text(right));
        all = all.empty() ? words : translated("{0}; {1}", all, words);
    }
    return all.empty() ? ""
                       : translated("The role {0} does not have: {1}", base::to_word(role), all);
}

constexpr std::int64_t most_days = 36'500;

/// Nothing for a text that is no such number; 0 for an empty one.
std::optional<std::int64_t> days_of_key(const KeyForm& form) {
    const auto days = base::parse_number(form.days.empty() ? "0" : form.days);
    return days && *days <= most_days ? days : std::nullopt;
}

/// For a name of no cluster, or of several.
std::string words_of_unclear(const std::string& name, const std::vector<model::ClusterId>& found) {
    if (found.empty()) return translated("There is no cluster {0}.", name);
    std::vector<std::string> ids;
    for (const model::ClusterId id : found) ids.push_back(model::wire_id(id));
    return translated("Several clusters are called {0}. Enter the ID of one: {1}.", name,
                      listed(ids));
}

}  // namespace

std::vector<FormField> key_fields(const KeyForm& form, model::Role role) {
    FormField name{
        .id = "input-name", .name = "name", .label = translated("Name"), .value = form.name};
    name.required = true;
    FormField scope{.id = "input-scope",
                    .name = "scope",
                    .label = translated("Access"),
                    .value = form.scope,
                    .control = FormField::Control::select};
    // Auditors change nothing, so no key of theirs may.
    if (model::has(role, model::Right::use_clusters)) {
        scope.options.emplace_back("all", translated("Everything you may do"));
    }
    scope.options.emplace_back("read", translated("Read only"));
    scope.options.emplace_back("some", translated("Only the rights below"));
    FormField rights{.id = "input-rights",
                     .name = "rights",
                     .label = translated("Rights"),
                     .hint = translated("Used only with “Only the rights below”. These are the "
                                        "rights of your role."),
                     .control = FormField::Control::checks,
                     .options = rights_to_choose(role),
                     .ticked = form.rights};
    FormField clusters{
        .id = "input-clusters",
        .name = "clusters",
        .label = translated("Only for these clusters"),
        .value = form.clusters,
        .hint = translated("Names or IDs, with spaces between them. Empty: all clusters.")};
    FormField days{.id = "input-days",
                   .name = "expireTime",
                   .label = translated("Valid for (days)"),
                   .value = form.days,
                   .hint = translated("0: until it is deleted.")};
    days.type = "number";
    days.min = 0;
    days.max = static_cast<int>(most_days);
    return {name, scope, rights, clusters, days};
}

bool asks_for_no_right(const KeyForm& form) {
    return form.scope == base::to_word(model::KeyScope::some) && form.rights.empty();
}

KeyForm with_cluster_ids(
    const KeyForm& form,
    const std::function<std::vector<model::ClusterId>(const std::string&)>& called,
    Problems& problems) {
    const auto typed = words_in(form.clusters);
    // Of more than a key may have, the API's form speaks.
    if (typed.size() > forms::most_clusters_of_key) return form;
    KeyForm changed = form;
    changed.clusters.clear();
    for (const std::string& text : typed) {
        std::string id = text;
        if (!base::parse_number(text)) {
            const auto found = called(text);
            if (found.size() != 1) {
                problems.push_back({"clusters", words_of_unclear(text, found)});
                continue;
            }
            id = model::wire_id(found.front());
        }
        changed.clusters += (changed.clusters.empty() ? "" : " ") + id;
    }
    return changed;
}

Json body_of_key(const KeyForm& form, Timestamp now) {
    Json body;
    body["name"] = form.name;
    body["scope"] = form.scope;
    // The boxes are out of sight for another scope, and sent all the same.
    body["rights"] = form.scope == "some" ? form.rights : std::vector<std::string>{};
    body["clusters"] = words_in(form.clusters);
    constexpr std::int64_t day = 24LL * 3600 * 1000;
    const auto days = days_of_key(form).value_or(0);
    body["expireTime"] = days == 0 ? 0 : base::to_millis(now) + days * day;
    return body;
}

Problems problems_of_key(const KeyForm& form, model::Role role,
                         const std::function<bool(model::ClusterId)>& is_there) {
    Problems problems;
    if (asks_for_no_right(form)) {
        problems.push_back({"rights", translated("Choose at least one right.")});
    }
    // Of what is no right, the API's form speaks.
    for (const auto& right : lacking_rights(limits_asked_by(form), role)) {
        problems.push_back(
            {"rights", translated("Your role {0} does not have the right “{1}”.",
                                  base::to_word(role), right_words(model::to_text(right)))});
    }
    std::map<std::int64_t, std::string> wanted;
    for (const std::string& text : words_in(form.clusters)) {
        if (const auto id = base::parse_number(text)) wanted.emplace(*id, text);
    }
    // Of more than a key may have, the API's form speaks, and each one here costs a question.
    if (wanted.size() > forms::most_clusters_of_key) wanted.clear();
    for (const auto& [id, text] : wanted) {
        if (is_there(model::ClusterId{id})) continue;
        problems.push_back({"clusters", translated("There is no cluster {0}.", text)});
    }
    if (!days_of_key(form)) {
        problems.push_back(
            {"expireTime", translated("Enter a whole number of days, from 0 to {0}.",
                                      grouped(static_cast<std::size_t>(most_days)))});
    }
    return problems;
}

Json keys_json(const std::vector<model::ApiKey>& keys, model::Role role, Timestamp now) {
    Json list = Json::array();
    for (const auto& key : keys) {
        const auto& expires = key.limits.expires_at;
        Json item;
        item["id"] = key.id;
        item["key_name"] = key.name;
        item["scope"] = scope_words(key.limits);
        item["lacking"] = lacking_words(key.limits, role);
        item["created"] = moment(key.created_at, now);
        item["used"] = key.last_used_at ? moment(*key.last_used_at, now) : Json();
        item["expires"] = expires ? moment(*expires, now) : Json();
        item["is_over"] = expires && *expires <= now;
        list.push_back(std::move(item));
    }
    return list;
}

}  // namespace fcgi::pages
