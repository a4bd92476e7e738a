#include <utility>

#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/tenants/identity_provider_findings.hpp"
#include "fcgi/pages/tenants/identity_provider_merge.hpp"
#include "fcgi/pages/tenants/identity_providers.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/identity_providers/edit.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::messages::translated;
using provisioner::model::IdentityKind;
using provisioner::model::IdentityProvider;
namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

// The form of an identity provider: drawn, tested and saved.
namespace {

/// The button that saves a provider that is on although its test fails.
constexpr auto save_failing = "save-failing";

std::vector<std::string> names_of_tenants(store::Connection& connection) {
    std::vector<std::string> names;
    for (const auto& tenant : store::list_tenants(connection)) names.push_back(tenant.name);
    return names;
}

Response draw_provider(App& app, const auth::Visitor& visitor, int status,
                       IdentityProviderPage page) {
    if (app.identity_providers != nullptr && page.provider.kind == IdentityKind::oidc) {
        const std::string& address = app.identity_providers->settings().address;
        if (!address.empty()) {
            page.redirect = app.identity_providers->redirect_address(page.provider);
            page.backchannel = address + "/login/backchannel";
        }
    }
    app.database.read([&](store::Connection& connection) {
        page.tenants = names_of_tenants(connection);
        page.likenesses = likenesses_of(page.provider, store::list_identity_providers(connection));
        if (!page.is_overtaken) return;
        page.last_change =
            last_change_of(connection, visitor.who().user.id, {},
                           operations::audited_identity_provider, page.provider.name);
    });
    page.now = app.clock.now();
    const std::string title =
        page.is_new ? translated("New identity provider") : page.provider.name;
    return drawn(app, visitor, status, "tenants/identity_provider",
                 {.title = title, .section = "identity_providers"}, to_json(page));
}

}  // namespace

namespace {

/// The page of a form that was not sent because its sender did not prove who they are; nothing
/// without one.
std::optional<IdentityProviderPage> page_of_unsent(const Request& request,
                                                   const auth::Visitor& visitor, App& app) {
    const auto id = request.query_value("draft");
    const auto fields = id ? find_draft(app, visitor, *id, "/identity-providers") : std::nullopt;
    if (!fields) return std::nullopt;
    auto page = identity_provider_in(*fields);
    // Nobody has asked to save it.
    page.problems.clear();
    page.is_unsaved = true;
    page.has_lost_secret = fields->has(kept_secret);
    return page;
}

}  // namespace

Response new_identity_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = base::from_word<IdentityKind>(request.path_value("kind"));
    if (!kind) return no_such_page();
    if (auto draft = page_of_unsent(request, visitor, app)) {
        return draw_provider(app, visitor, 200, *std::move(draft));
    }
    if (auto gone = gone_draft_in(request, visitor, app)) return *std::move(gone);
    IdentityProviderPage page{.is_new = true};
    page.provider.kind = *kind;
    return draw_provider(app, visitor, 200, std::move(page));
}

Response show_identity_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = operations::identity_provider(app.database, request.path_value("name"));
    if (!found) return nothing_there(translated("identity provider"));
    if (auto draft = page_of_unsent(request, visitor, app)) {
        draft->is_on = found->enabled;
        return draw_provider(app, visitor, 200, *std::move(draft));
    }
    if (auto gone = gone_draft_in(request, visitor, app)) return *std::move(gone);
    const auto done = request.query_value("done");
    const bool is_to_switch_on = found->last_test && found->last_test->is_to_switch_on;
    return draw_provider(app, visitor, 200,
                         {.provider = *found,
                          .is_on = found->enabled,
                          .awaits_test = is_to_switch_on && !found->enabled,
                          .rows = membership_rows_of(found->rules),
                          .empty_rows = found->rules.empty() ? empty_membership_rows : 0,
                          .is_stored = true,
                          .is_saved = done == "saved" || done == "merged" || done == "lost-rules",
                          .is_merged = done == "merged",
                          .has_lost_rules = done == "lost-rules",
                          .base = operations::fingerprint_of(*found),
                          .before = provider_before(*found)});
}

namespace {

/// Whether the form has the stored settings, but for rules.
bool is_as_stored(const IdentityProvider& wanted, const IdentityProvider& stored) {
    IdentityProvider same = wanted;
    same.rules = stored.rules;
    return model::to_json(same) == model::to_json(stored);
}

/// Whether a test of the stored settings says the same of those of the form: labels, rules and
/// whether it is on are no part of it.
bool is_tested_alike(const IdentityProvider& wanted, const IdentityProvider& stored) {
    IdentityProvider same = wanted;
    same.label = stored.label;
    same.enabled = stored.enabled;
    return is_as_stored(same, stored);
}

/// Whether a test looks at the groups of the rules, and would look at others.
bool asks_for_other_groups(const IdentityProvider& wanted, const IdentityProvider& stored) {
    const bool asks = wanted.kind == IdentityKind::ldap || wanted.groups_claim.empty();
    return asks && wanted.rules != stored.rules;
}

using TestResult = std::optional<operations::IdentityFindings>;

/// A provider of the form, and what it is to become.
struct WantedProvider {
    base::Secret secret{};
    bool plain_loopback = false;
    /// Nothing for a new one.
    std::optional<IdentityProvider> stored{};
    /// Whether it is on, and stays so.
    bool stays_on = false;
    /// Whether it is off, and is to be on if its test passes.
    bool to_be_on = false;
};

/// What a test finds, before anything is saved; nothing without a need of one, or where it cannot
/// be tested: saving says all that is wrong then.
TestResult test_before_saving(App& app, const model::Caller& caller, const WantedProvider& wanted,
                              const IdentityProviderPage& page) {
    if (!page.provider.enabled || caller.must_prove) return std::nullopt;
    const bool is_known = wanted.stays_on && wanted.secret.empty() &&
                          is_tested_alike(page.provider, *wanted.stored) &&
                          !asks_for_other_groups(page.provider, *wanted.stored);
    if (is_known) return std::nullopt;
    const auto typed = operations::provider_to_test(
        app.database, caller, page.provider, wanted.secret, wanted.plain_loopback, page.is_new);
    if (!typed) return std::nullopt;
    return app.identity_providers->test(*typed);
}

/// For the audit log, of a provider that will be on; fcgi/pages/audit/event_words.cpp has the
/// sentences.
std::string reason_of_saving(const TestResult& found, const std::vector<std::string>& breaks,
                             bool is_on) {
    if (!is_on) return "";
    if (found && !found->problems.empty()) return "Saved although its test failed.";
    if (!breaks.empty() && found && !found->warnings.empty()) {
        return "Saved although it seems that nobody can log in.";
    }
    return breaks.empty() ? "" : "Saved although it has no rules.";
}

/// Asks the provider that was typed.
void try_provider(App& app, const model::Caller& caller, const WantedProvider& wanted,
                  IdentityProviderPage& page) {
    const auto& stored = wanted.stored;
    const auto typed = operations::provider_to_test(
        app.database, caller, page.provider, wanted.secret, wanted.plain_loopback, page.is_new);
    page.tested.emplace();
    if (!typed) {
        page.problems = typed.error().problems;
        return;
    }
    const bool is_stored = stored && wanted.secret.empty() &&
                           is_as_stored(page.provider, *stored) &&
                           !asks_for_other_groups(page.provider, *stored);
    auto findings = is_stored ? app.identity_providers->test_stored(*stored, app.clock.now())
                              : app.identity_providers->test(*typed);
    page.tested = std::move(findings.problems);
    page.warnings = std::move(findings.warnings);
    page.notes = std::move(findings.notes);
}

/// Notes what is known of a provider that was saved, and leads to its page, which says how that
/// ended.
Response saved_provider(App& app, const WantedProvider& wanted, const TestResult& found,
                        const IdentityProviderPage& page) {
    const auto saved = operations::identity_provider(app.database, page.provider.name);
    if (!saved) return nothing_there(translated("identity provider"));
    const auto& before = wanted.stored;
    if (found) {
        app.identity_providers->note_test(*saved, *found, app.clock.now(), wanted.to_be_on);
    } else if (saved->enabled) {
        app.identity_providers->test_stored(*saved, app.clock.now());
    } else if (before && before->last_test && wanted.secret.empty() &&
               is_tested_alike(*saved, *before)) {
        app.identity_providers->note_test(
            *saved,
            {before->last_test->problems, before->last_test->warnings, before->last_test->notes},
            before->last_test->at);
    }
    const auto left = left_of_theirs(page);
    return http::see_other(identity_provider_href(*saved) + (has_saved_fields(left) ? "?done=merged"
                                                             : has_lost_rules(left)
                                                                 ? "?done=lost-rules"
                                                                 : "?done=saved"));
}

/// A form of a provider that somebody else has deleted.
Response provider_is_gone(App& app, const auth::Visitor& visitor) {
    return error_page(app, visitor, 404,
                      {.heading = translated("There is no such identity provider"),
                       .text = translated("It was deleted meanwhile. Nothing is saved."),
                       .ways = {{"/identity-providers", translated("Identity providers")}}});
}

bool is_made_from_older(const IdentityProviderPage& page, const WantedProvider& wanted) {
    return wanted.stored && page.base != operations::fingerprint_of(*wanted.stored);
}

/// The form again after one of its buttons that save nothing.
Response redrawn_form(App& app, const auth::Visitor& visitor, const std::string& wish,
                      const WantedProvider& wanted, IdentityProviderPage page) {
    page.problems.clear();
    if (wish == "test") {
        if (is_made_from_older(page, wanted)) overtake(page, *wanted.stored);
        // What saving replaces is told beside it.
        page.problems.clear();
        try_provider(app, visitor.who(), wanted, page);
    }
    // A row that is empty is the one to fill in.
    if (wish == "rows" && page.empty_rows == 0) page.empty_rows = 1;
    const int status = page.problems.empty() ? 200 : 422;
    Response redrawn = draw_provider(app, visitor, status, std::move(page));
    redrawn.is_redrawn_form = true;
    return redrawn;
}

/// The form again: both have changed a field, or somebody saves at this moment.
Response overtaken_provider(App& app, const auth::Visitor& visitor, IdentityProviderPage page) {
    page.is_overtaken = true;
    return draw_provider(app, visitor, 409, std::move(page));
}

}  // namespace

Response save_identity_provider(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const bool is_on_untested = sent.trimmed("enabled") == on_without_test;
    if (!is_on_untested && !yes_or_no(sent, "enabled")) return incomplete_form(app, visitor);
    auto page = identity_provider_in(sent);
    const auto stored = operations::identity_provider(app.database, page.provider.name);
    if (!page.is_new && !stored) return provider_is_gone(app, visitor);
    page.is_on = !page.is_new && stored->enabled;
    // The form has empty rows even of a provider without rules.
    if (!page.is_new && !sent.has("rule.value")) {
        page.provider.rules = stored->rules;
        page.rows = membership_rows_of(stored->rules);
        page.problems.push_back(
            {"rules", translated("The form came without its rules. Those below are the stored "
                                 "ones: check them, and save again.")});
    }
    WantedProvider wanted{.secret = base::Secret(sent.first("secret").value_or("")),
                          .plain_loopback = app.identity_providers->settings().plain_loopback};
    if (!page.is_new) wanted.stored = *stored;
    const bool is_stale = is_made_from_older(page, wanted);
    if (is_stale) page.tenants = app.database.read(names_of_tenants);
    const std::string wish = sent.trimmed("do");
    page.is_unsaved = true;
    page.typed_secret = sent.first("secret").value_or("");
    const bool saves = wish.empty() || wish == "save" || wish == save_failing;
    if (!saves) return redrawn_form(app, visitor, wish, wanted, std::move(page));
    if (is_stale && merge_with_stored(page, *stored)) {
        if (!page.problems.empty()) return overtaken_provider(app, visitor, std::move(page));
        page.is_overtaken = true;
    }
    if (!page.problems.empty()) return draw_provider(app, visitor, 422, std::move(page));
    // One that is on stays so: its users are logged in. Others are off until their test has passed.
    wanted.stays_on = page.is_on && page.provider.enabled;
    wanted.to_be_on = page.provider.enabled && !page.is_on && !is_on_untested;
    // Without a proof, saving says what else is wrong with the form, and asks for the proof: the
    // form comes again after it.
    const auto found = test_before_saving(app, visitor.who(), wanted, page);
    auto breaks = wanted.stays_on ? what_breaks(page.provider, *wanted.stored,
                                                found.value_or(operations::IdentityFindings()))
                                  : std::vector<std::string>();
    if (!breaks.empty() && wish != save_failing && !visitor.who().must_prove) {
        page.tested = std::move(breaks);
        if (found) {
            page.warnings = found->warnings;
            page.notes = found->notes;
        }
        page.keeps_working = true;
        return draw_provider(app, visitor, 422, std::move(page));
    }
    IdentityProvider provider = page.provider;
    if (wanted.to_be_on) provider.enabled = found && found->problems.empty();
    const auto saved = operations::save_identity_provider(
        app.database, visitor.who(), provider, wanted.secret, wanted.plain_loopback,
        app.clock.now(), page.is_new, page.is_new ? std::nullopt : std::optional(page.base),
        reason_of_saving(found, breaks, provider.enabled));
    if (saved) return saved_provider(app, wanted, found, page);
    page.problems = saved.error().problems;
    if (page.problems.front().field != "base") {
        return with_status_of(saved.error(), draw_provider(app, visitor, 422, std::move(page)));
    }
    // It was saved a moment ago, or the form does not say what it was made from.
    const auto latest = operations::identity_provider(app.database, page.provider.name);
    if (!latest) return provider_is_gone(app, visitor);
    page.tenants = app.database.read(names_of_tenants);
    overtake(page, *latest);
    return overtaken_provider(app, visitor, std::move(page));
}

}  // namespace fcgi::pages
