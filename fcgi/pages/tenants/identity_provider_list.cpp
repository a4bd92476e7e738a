#include <algorithm>

#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/done_once.hpp"
#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/tenants/identity_providers.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/identity_providers/edit.hpp"
#include "provisioner/store/sign_in/external_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::model::IdentityKind;
using provisioner::model::IdentityProvider;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

/// The first of them, and how many more its page has.
std::string first_note(const base::Problems& notes) {
    if (notes.empty()) return "";
    const std::string first = problem_words(notes.front().message);
    if (notes.size() == 1) return first;
    return joined_sentences(
        first, translated_count(notes.size() - 1, "{0} more note is on its page, after a test.",
                                "{0} more notes are on its page, after a test."));
}

/// Null for a provider that was not tested since it was saved.
Json identity_test_json(const IdentityProvider& provider, base::Timestamp now) {
    const auto& test = provider.last_test;
    if (!test) return nullptr;
    const auto told = [&](const char* look, std::string words, std::string reason) {
        return Json{{"look", look},
                    {"words", std::move(words)},
                    {"when", moment(test->at, now)},
                    {"reason", std::move(reason)}};
    };
    if (!test->problems.empty()) return told("failed", translated("fails"), test->problems.front());
    if (!test->warnings.empty()) {
        return told("paused", translated("nobody can log in"), first_note(test->warnings));
    }
    if (provider.rules.empty()) {
        return told("paused", translated("works, without rules"), first_note(test->notes));
    }
    if (!test->notes.empty()) {
        return told("paused", translated("works, with notes"), first_note(test->notes));
    }
    return told("active", translated("works"), "");
}

bool awaits_test(const IdentityProvider& provider) {
    return provider.last_test && provider.last_test->is_to_switch_on;
}

/// The question, after a refusal with its reason.
Response ask_to_delete(const Request& request, const auth::Visitor& visitor, App& app,
                       const operations::Refusal* refusal) {
    const auto found = operations::identity_provider(app.database, request.path_value("name"));
    if (!found) return nothing_there(translated("identity provider"));
    IdentityProviderDeletionPage page{.provider = *found};
    page.users = app.database.read([&](store::Connection& connection) {
        page.locked = store::count_locked_external_users(connection, found->id);
        return store::count_unlocked_external_users(connection, found->id);
    });
    if (refusal != nullptr) page.problem = problem_words(refusal->problems.front().message);
    auto answer = drawn(app, visitor, 200, "tenants/delete_identity_provider",
                        {.title = translated("Delete identity provider {0}", found->name),
                         .section = "identity_providers"},
                        to_json(page));
    return refusal == nullptr ? answer : with_status_of(*refusal, std::move(answer));
}

}  // namespace

std::string identity_provider_href(const IdentityProvider& provider) {
    return "/identity-providers/" + http::percent_encode(provider.name);
}

std::string identity_kind_words(IdentityKind kind) {
    return kind == IdentityKind::oidc ? translated("OpenID Connect") : "LDAP";
}

Json to_json(const IdentityProviderDeletionPage& page) {
    Json json;
    json["provider"] = page.provider.name;
    json["href"] = identity_provider_href(page.provider);
    json["kind_words"] = identity_kind_words(page.provider.kind);
    json["problem"] = page.problem;
    json["is_on"] = page.provider.enabled;
    json["users"] =
        page.users == 0 ? std::string() : translated_count(page.users, "{0} user", "{0} users");
    json["locked_words"] =
        page.locked == 0
            ? std::string()
            : translated_count(
                  page.locked,
                  "{0} user of it is locked already, and becomes a locked user of this "
                  "installation.",
                  "{0} users of it are locked already, and become locked users of this "
                  "installation.");
    return json;
}

Json to_json(const IdentityProvidersPage& page) {
    Json json;
    json["done"] = page.done;
    json["has_providers"] = !page.providers.empty();
    json["providers"] = Json::array();
    for (const IdentityProvider& provider : page.providers) {
        const auto users = page.users.find(provider.id);
        Json item;
        item["provider"] = provider.name;
        item["href"] = identity_provider_href(provider);
        item["label"] = provider.label;
        item["kind"] = identity_kind_words(provider.kind);
        item["state"] = provider.enabled        ? translated("on")
                        : awaits_test(provider) ? translated("off until its test passes")
                                                : translated("off");
        item["test"] = identity_test_json(provider, page.now);
        item["warns_test"] = provider.enabled;
        item["rules"] = grouped(provider.rules.size());
        item["warns_rules"] = provider.enabled && provider.rules.empty();
        item["users"] = grouped(users == page.users.end() ? 0 : users->second);
        json["providers"].push_back(std::move(item));
    }
    return json;
}

std::string identity_provider_deleted_words(const std::string& name, int users) {
    if (users == 0) return translated("Identity provider {0} deleted.", name);
    return translated_count(users, "Identity provider {1} deleted. {0} user is locked.",
                            "Identity provider {1} deleted. {0} users are locked.", name);
}

std::string identity_provider_deleted_words(const std::string& done) {
    const auto colon = std::min(done.rfind(':'), done.size());
    const auto users = base::parse_number(done.substr(std::min(colon + 1, done.size())));
    return identity_provider_deleted_words(done.substr(0, colon),
                                           static_cast<int>(users.value_or(0)));
}

Response list_identity_providers(const Request& request, const auth::Visitor& visitor, App& app) {
    IdentityProvidersPage page{.providers = operations::list_identity_providers(app.database),
                               .now = app.clock.now()};
    app.database.read([&](store::Connection& connection) {
        for (const IdentityProvider& provider : page.providers) {
            page.users[provider.id] = store::count_unlocked_external_users(connection, provider.id);
        }
    });
    if (const auto done = name_of_done(request, "deleted")) {
        page.done = identity_provider_deleted_words(*done);
    }
    return drawn(app, visitor, 200, "tenants/identity_providers",
                 {.title = translated("Identity providers"), .section = "identity_providers"},
                 to_json(page));
}

Response ask_to_delete_identity_provider(const Request& request, const auth::Visitor& visitor,
                                         App& app) {
    return ask_to_delete(request, visitor, app, nullptr);
}

Response delete_identity_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const std::string& name = request.path_value("name");
    const auto found = operations::identity_provider(app.database, name);
    const int users = !found ? 0 : app.database.read([&](store::Connection& connection) {
        return store::count_unlocked_external_users(connection, found->id);
    });
    const auto deleted =
        operations::delete_identity_provider(app.database, visitor.who(), name, app.clock.now());
    if (!deleted) return ask_to_delete(request, visitor, app, &deleted.error());
    return http::see_other("/identity-providers?done=" +
                           done_with_name("deleted", name + ':' + std::to_string(users)));
}

}  // namespace fcgi::pages
