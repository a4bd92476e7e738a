#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/audit/last_change.hpp"
#include "fcgi/pages/tenants/membership_rows.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"
#include "provisioner/operations/identity_providers/findings.hpp"

namespace fcgi::pages {

/// Who else says who people are: views/tenants/identity_providers.
struct IdentityProvidersPage {
    std::vector<provisioner::model::IdentityProvider> providers{};
    /// How many users each has in all tenants who are not locked.
    std::map<provisioner::model::IdentityProviderId, int> users{};
    std::string done{};
    provisioner::base::Timestamp now{};
};
provisioner::base::Json to_json(const IdentityProvidersPage& page);

/// One of them, or a new one: views/tenants/identity_provider. Rules name tenants.
struct IdentityProviderPage {
    provisioner::model::IdentityProvider provider{};
    bool is_new = false;
    /// Whether what is stored is on.
    bool is_on = false;
    /// Whether the form asks to switch it on without a passed test.
    bool is_on_untested = false;
    /// Whether it is off and is to be switched on by a test that passes.
    bool awaits_test = false;
    /// Its rules, as typed or as they are.
    std::vector<MembershipRow> rows{};
    int empty_rows = empty_membership_rows;
    /// Names of the tenants, which rows offer.
    std::vector<std::string> tenants{};
    provisioner::base::Problems problems{};
    /// Whether it is shown as it is stored, so that its last test tells of it.
    bool is_stored = false;
    /// Whether it was saved just now, and together with what somebody else had saved.
    bool is_saved = false;
    bool is_merged = false;
    /// Whether rules of a tenant that was deleted meanwhile were not saved again.
    bool has_lost_rules = false;
    /// Whether the form has something that is not saved.
    bool is_unsaved = false;
    /// Whether a secret was typed and is kept no longer.
    bool has_lost_secret = false;
    /// The secret that was typed and is not saved yet: it comes back in its field.
    std::string typed_secret{};
    /// Fingerprint of what is stored, which the form was made from; empty for a new one.
    std::string base{};
    /// The settings that the form was made from (tenants/identity_provider_merge.hpp).
    std::string before{};
    /// Names of the fields that somebody else saved meanwhile and that were not changed here, and
    /// of those that were changed here, too. Forms that are drawn again still have both.
    std::vector<std::string> taken{};
    std::vector<std::string> clashing{};
    /// Whether somebody else saved the provider meanwhile. `base` is of theirs then.
    bool is_overtaken = false;
    /// Who did, and when.
    std::optional<LastChange> last_change{};
    provisioner::base::Timestamp now{};
    /// What a test found; nothing if there was none.
    std::optional<std::vector<std::string>> tested{};
    /// Why nobody can log in although the provider responds, by setting or rule.
    provisioner::base::Problems warnings{};
    /// What else it noted of settings and rules.
    provisioner::base::Problems notes{};
    /// What other providers have, too (tenants/identity_provider_findings.hpp).
    provisioner::base::Problems likenesses{};
    /// Whether it is on and was not saved, because the test failed: what is stored still works.
    bool keeps_working = false;
    /// Where the provider has to send browsers back to, and messages that end sessions. The first
    /// without the name, as long as there is none.
    std::string redirect{};
    std::string backchannel{};
};
provisioner::base::Json to_json(const IdentityProviderPage& page);

/// The question before a provider is deleted: views/tenants/delete_identity_provider.
struct IdentityProviderDeletionPage {
    provisioner::model::IdentityProvider provider{};
    /// Users who log in with it, in all tenants.
    int users = 0;
    /// Users of it who are locked.
    int locked = 0;
    /// Why it could not be deleted; empty when it has not been tried.
    std::string problem{};
};
provisioner::base::Json to_json(const IdentityProviderDeletionPage& page);

/// The address of a provider's page, and what its kind is called.
std::string identity_provider_href(const provisioner::model::IdentityProvider& provider);
std::string identity_kind_words(provisioner::model::IdentityKind kind);

/// What is said after one was deleted that had so many users who were not locked.
std::string identity_provider_deleted_words(const std::string& name, int users);
/// The same of what follows "deleted:" in the `done` of a deletion: "corp:2".
std::string identity_provider_deleted_words(const std::string& done);

/// The value of "enabled" that switches a provider on without a passed test.
inline constexpr auto on_without_test = "untested";

/// Why nobody could log in any more with a provider that is on and stays so: what a test found and
/// warned about, and that it would have no rules; empty: they can.
std::vector<std::string> what_breaks(const provisioner::model::IdentityProvider& wanted,
                                     const provisioner::model::IdentityProvider& stored,
                                     const provisioner::operations::IdentityFindings& found);

/// The page's provider as a form sent it, with what is wrong with the rows of its rules.
IdentityProviderPage identity_provider_in(const http::FormData& sent);

/// GET /identity-providers.
http::Response list_identity_providers(const http::Request& request, const auth::Visitor& visitor,
                                       App& app);
/// GET /new-identity-provider/{kind}: an empty form. Its path is apart from those of providers,
/// which may have any name.
http::Response new_identity_provider(const http::Request& request, const auth::Visitor& visitor,
                                     App& app);
/// GET /identity-providers/{name}.
http::Response show_identity_provider(const http::Request& request, const auth::Visitor& visitor,
                                      App& app);
/// POST /identity-providers: a new one, or all settings of one. One that is on is tested first, and
/// not saved if that fails or if it loses all its rules, unless by the button "save-failing"; one
/// that is to be switched on stays off until its test passes, or "enabled" is "untested". What
/// somebody else saved since the form was made is kept. 303 to its page, 422, or 409 when both have
/// changed a field. Other buttons draw the form again: "test" asks the
/// provider that was typed and says what is wrong, "rows" adds an empty row unless there is one,
/// "up-N" and "down-N" move a rule, "remove-N" removes it from the form.
http::Response save_identity_provider(const http::Request& request, const auth::Visitor& visitor,
                                      App& app);
/// GET /identity-providers/{name}/delete: who is locked out by it.
http::Response ask_to_delete_identity_provider(const http::Request& request,
                                               const auth::Visitor& visitor, App& app);
/// POST /identity-providers/{name}/delete. 303 to the list, or the question with the reason.
http::Response delete_identity_provider(const http::Request& request, const auth::Visitor& visitor,
                                        App& app);

}  // namespace fcgi::pages
