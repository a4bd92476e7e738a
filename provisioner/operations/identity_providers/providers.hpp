#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/federation/oidc/client.hpp"
#include "provisioner/operations/identity_providers/admission.hpp"
#include "provisioner/operations/identity_providers/findings.hpp"
#include "provisioner/operations/identity_providers/gate.hpp"

namespace provisioner::operations {

/// Lets requests of this process go only to the servers of the setting http.allowed. Call it before
/// any thread starts. Throws std::runtime_error that names the setting and every wrong entry.
void limit_requests(const base::Config& config);

/// What the programs' settings say about identity providers.
struct ProviderSettings {
    /// Scheme and host under which browsers reach the site, with the prefix (`web.address`,
    /// `web.prefix`). Never taken from a request. Empty: no sign-in by OpenID Connect.
    std::string address{};
    /// Whether plain HTTP is allowed on loopback (`auth.plain_loopback`): for tests.
    bool plain_loopback = false;
    /// Requests that wait for providers at once.
    int at_once = 2;
};
ProviderSettings provider_settings(const base::Config& config);

/// A way to log in, for the login page.
struct SignInChoice {
    std::string name{};
    std::string label{};
    model::IdentityKind kind = model::IdentityKind::oidc;
};

/// What a provider's answer brings back, as the browser says it. None of it is to be trusted.
struct ProviderAnswer {
    std::string state{};
    std::string code{};
    std::string error{};
    std::optional<std::string> issuer{};
    /// The provider of the address that it came to; empty: the address of all.
    std::string callback{};
};

/// Where a person wanted to go before they had to log in.
struct Destination {
    /// A page of this site, with its query; at most 2,048 bytes.
    std::string next = "/";
    /// A form that they had sent; it comes back instead of the page.
    std::optional<store::KeptForm> kept{};
};

/// A browser that is sent to a provider.
struct Departure {
    /// Where to.
    std::string address{};
    /// The value of the cookie that binds the answer to the browser.
    base::Secret cookie{};
};

/// A sign-in that came back.
struct Arrival {
    SignInResult result{};
    Destination to{};
};

/// What became of a message that ends sessions.
struct LogoutAnswer {
    /// Why it was refused; empty: done.
    std::string problem{};
    /// It could not be checked at this moment: the same message may do later.
    bool may_retry = false;
};

/// Signs people in by identity providers. Everything that waits for one goes through the gate and
/// is bounded in time. Any thread may call any function; the others must outlive the object.
class IdentityProviders {
 public:
    IdentityProviders(store::Database& database, const base::Log& log, ProviderSettings settings,
                      federation::OidcClient::Fetch fetch = federation::fetch_by_curl);

    const ProviderSettings& settings() const { return settings_; }

    /// The providers that are switched on, by name.
    std::vector<SignInChoice> choices();

    /// The provider of a user; nothing for users of this installation.
    std::optional<SignInChoice> provider_of(model::UserId user);

    /// Sends a browser to a provider. `cookie` is what it has from an earlier departure, which it
    /// keeps. `again`: the password has to be given again. Otherwise a result to show.
    base::expected<Departure, SignInResult> depart(const std::string& provider,
                                                   const Destination& to, const Client& client,
                                                   const std::optional<base::Secret>& cookie,
                                                   bool again, base::Timestamp now);

    /// The end of it. Each departure arrives once, within ten minutes, in the same browser.
    Arrival arrive(const ProviderAnswer& answer, const std::optional<base::Secret>& cookie,
                   const Client& client, const SignInRules& rules, base::Timestamp now);

    /// Asks directories for a name and password; `chosen` is one of them, or empty: all that are
    /// switched on, and the first that has the name decides. Without a tenant the rules decide.
    SignInResult check_password(const SignInRequest& wanted, const std::string& chosen,
                                const SignInRules& rules, base::Timestamp now);

    /// Whether the password is that of a user of a directory.
    SignInResult prove(const model::Caller& caller, const SignInRequest& wanted);

    /// Where the browser of a session can log out at its provider, too; empty: nowhere.
    struct LogOut {
        std::string address{};
        std::string label{};
    };
    /// Ends the session with this token, and then asks its provider.
    LogOut log_out(const base::Secret& token);

    /// Where a provider sends browsers back to: addresses differ, so that no provider can pass an
    /// answer of another one off as its own.
    std::string redirect_address(const model::IdentityProvider& provider) const {
        return settings_.address + "/login/callback" +
               (provider.callback == "own" ? "/" + provider.name : "");
    }

    /// A message by which a provider ends sessions.
    LogoutAnswer take_logout_token(const std::string& token, base::Timestamp now);

    /// Tries a provider: all that is wrong at once, and no problem if sign-ins can work. It takes
    /// no longer than a sign-in, and waits for the provider among sign-ins (ProviderGate).
    IdentityFindings test(const model::IdentityProvider& provider);
    /// The same of a provider as it is stored, which keeps what was found (last_test). It is to be
    /// switched on by a passed test if `is_to_switch_on`, or if its last test was to.
    IdentityFindings test_stored(const model::IdentityProvider& provider, base::Timestamp now,
                                 bool is_to_switch_on = false);
    /// Keeps what a test of the same settings found before they were stored as `provider`.
    void note_test(const model::IdentityProvider& provider, const IdentityFindings& findings,
                   base::Timestamp at, bool is_to_switch_on = false);

 private:
    struct Claims;

    LogOut way_out_of(model::IdentityProviderId id);
    std::optional<model::IdentityProvider> find(const std::string& name);
    SignInResult failed(const model::IdentityProvider& provider, const federation::Trouble& trouble,
                        ProviderGate::Stay& stay);
    base::expected<Claims, federation::Trouble> ask_for_claims(
        const model::IdentityProvider& provider, const ProviderAnswer& answer,
        const base::Secret& cookie, const std::optional<base::Timestamp>& again_since,
        base::Timestamp now);
    std::optional<SignInResult> ask_directory(const model::IdentityProvider& provider,
                                              const SignInRequest& wanted,
                                              const std::optional<std::string>& tenant,
                                              const SignInRules& rules, base::Timestamp now);

    store::Database& database_;
    const base::Log& log_;
    ProviderSettings settings_;
    federation::OidcClient oidc_;
    ProviderGate gate_;
    /// Of messages that end sessions.
    ProviderGate message_gate_;
};

/// The person that the claims of a provider name: groups from the groups claim, which may be a
/// path with dots.
Person person_in(const model::IdentityProvider& provider, const base::Json& claims);

}  // namespace provisioner::operations
