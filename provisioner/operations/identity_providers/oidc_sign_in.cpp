#include <algorithm>

#include "provisioner/base/ids.hpp"
#include "provisioner/identity/checksum.hpp"
#include "provisioner/identity/constant_time.hpp"
#include "provisioner/identity/signature.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/identity_providers/providers.hpp"
#include "provisioner/operations/sign_in/waits.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"
#include "provisioner/store/sign_in/session_store.hpp"

namespace provisioner::operations {

using base::Json;
using base::unexpected;
using federation::Deadline;
using federation::Trouble;
using model::IdentityKind;
using model::IdentityProvider;
using End = SignInResult::End;

namespace {

constexpr std::chrono::minutes departure_lasts{10};
/// Of one address: a whole office may be behind one.
constexpr int most_departures = 200;
constexpr std::size_t longest_code = 4096;
constexpr int state_bytes = 32;

// The verifier and the nonce follow from the cookie, which only the browser has: what is in the
// database does not suffice to redeem a code.
base::Secret verifier_of(const base::Secret& cookie, const std::string& state) {
    return base::Secret(identity::signature(cookie, "verifier " + state));
}

std::string nonce_of(const base::Secret& cookie, const std::string& state) {
    return identity::signature(cookie, "nonce " + state);
}

/// Why an answer is not of the provider that the browser was sent to; empty if it may be. Without
/// this a provider could have somebody's code of another one brought here as its own.
std::string problem_with_way_back(const IdentityProvider& provider, const ProviderAnswer& answer) {
    const bool has_own = provider.callback == "own";
    if (has_own && answer.callback == provider.name) return "";
    if (!answer.callback.empty()) return "The answer is not of " + provider.label + ".";
    if (has_own) {
        return "The answer of " + provider.label +
               " came to an old address. Its administrator has to register "
               "the redirect address of /identity-providers.";
    }
    if (answer.issuer == provider.issuer) return "";
    return provider.label + " does not say who answers, so it needs a redirect address of its own.";
}

Arrival not_begun(const Client& client) {
    return {.result = {.end = End::no_first_step, .client = client}};
}

}  // namespace

/// What a provider says about somebody who came back.
struct IdentityProviders::Claims {
    Person person{};
    std::string sid{};
    std::optional<base::Timestamp> signed_in_at{};
};

base::expected<Departure, SignInResult> IdentityProviders::depart(
    const std::string& name, const Destination& to, const Client& client,
    const std::optional<base::Secret>& cookie, bool again, base::Timestamp now) {
    const auto provider = find(name);
    SignInResult refused{.end = End::provider_refused, .client = client};
    refused.reason = "There is no such way to log in.";
    if (!provider || provider->kind != IdentityKind::oidc) return unexpected(refused);
    refused.given = "provider " + provider->name;
    if (settings_.address.empty()) {
        refused.reason = "The setting web.address is missing. Tell your administrator.";
        return unexpected(refused);
    }
    ProviderGate::Stay stay(gate_, provider->id);
    if (stay.answer() != ProviderGate::Answer::go) {
        refused.end = End::provider_away;
        refused.reason = provider->label + " does not answer.";
        return unexpected(refused);
    }
    const auto discovery = oidc_.discover(*provider, Deadline(federation::whole_limit));
    if (!discovery) {
        auto result = failed(*provider, discovery.error(), stay);
        result.client = client;
        return unexpected(result);
    }
    const base::Secret own = cookie ? *cookie : identity::new_token();
    const std::string state = base::random_hex(state_bytes);
    const store::ExternalSignIn sign_in{.provider = provider->id,
                                        .browser = identity::hash_of_token(own),
                                        .next = to.next,
                                        .address = network_of(client.address),
                                        .again = again,
                                        .expires_at = now + departure_lasts,
                                        .kept = to.kept};
    const bool is_stored = database_.write([&](store::Connection& connection) {
        return store::insert_external_sign_in(connection, identity::checksum(state), sign_in,
                                              most_departures, now);
    });
    if (!is_stored) {
        refused.end = End::must_wait;
        refused.wait = departure_lasts;
        return unexpected(refused);
    }
    const federation::Authorization wanted{.client_id = provider->client_id,
                                           .redirect = redirect_address(*provider),
                                           .scopes = provider->scopes,
                                           .state = state,
                                           .nonce = nonce_of(own, state),
                                           .verifier = verifier_of(own, state),
                                           .again = again};
    return Departure{federation::authorization_address(discovery->authorization, wanted), own};
}

Arrival IdentityProviders::arrive(const ProviderAnswer& answer,
                                  const std::optional<base::Secret>& cookie, const Client& client,
                                  const SignInRules& rules, base::Timestamp now) {
    if (!cookie || answer.state.size() != 2 * state_bytes) return not_begun(client);
    std::optional<IdentityProvider> provider;
    const auto begun = database_.write([&](store::Connection& connection) {
        auto found =
            store::take_external_sign_in(connection, identity::checksum(answer.state), now);
        if (found) provider = store::find_identity_provider(connection, found->provider);
        return found;
    });
    const bool is_ours =
        begun && provider && provider->enabled &&
        identity::are_equal_in_constant_time(begun->browser, identity::hash_of_token(*cookie));
    if (!is_ours) return not_begun(client);

    Arrival arrival{.to = {.next = begun->next, .kept = begun->kept}};
    SignInResult& result = arrival.result;
    const std::string misled = problem_with_way_back(*provider, answer);
    if (!misled.empty()) {
        log_.warn("identity_provider.misled",
                  {{"provider", provider->name}, {"came_to", answer.callback}});
        result = {.end = End::provider_refused, .client = client};
        result.given = "provider " + provider->name;
        result.reason = misled;
        return arrival;
    }
    ProviderGate::Stay stay(gate_, provider->id);
    if (stay.answer() != ProviderGate::Answer::go) {
        const bool is_busy = stay.answer() == ProviderGate::Answer::busy;
        result.end = is_busy ? End::too_busy : End::provider_away;
        result.wait = busy_wait;
        result.reason = provider->label + " does not answer.";
        result.client = client;
        return arrival;
    }
    const auto again_since =
        begun->again ? std::optional(begun->expires_at - departure_lasts) : std::nullopt;
    const auto claims = ask_for_claims(*provider, answer, *cookie, again_since, now);
    if (!claims) {
        result = failed(*provider, claims.error(), stay);
        if (answer.error == "access_denied") result.reason = provider->label + " refused.";
        result.client = client;
        return arrival;
    }
    result.client = client;
    result.given = "provider " + provider->name;
    const auto proven_at = std::min(now, claims->signed_in_at.value_or(now - rules.proof * 2));
    database_.write([&](store::Connection& connection) {
        if (!admit_person(connection, *provider, claims->person, std::nullopt, rules, now,
                          result)) {
            return;
        }
        result.external = store::ExternalSession{
            .provider = provider->id, .subject = claims->person.subject, .sid = claims->sid};
        open_session(connection, result, rules, now, proven_at);
    });
    return arrival;
}

base::expected<IdentityProviders::Claims, Trouble> IdentityProviders::ask_for_claims(
    const IdentityProvider& provider, const ProviderAnswer& answer, const base::Secret& cookie,
    const std::optional<base::Timestamp>& again_since, base::Timestamp now) {
    const auto refuse_answer = [](std::string reason) {
        return unexpected(Trouble{Trouble::Kind::refused, std::move(reason)});
    };
    const Deadline deadline(federation::whole_limit);
    const auto discovery = oidc_.discover(provider, deadline);
    if (!discovery) return unexpected(discovery.error());
    // An answer of another provider must not be taken for one of this (RFC 9207).
    const bool lacks_issuer = discovery->states_issuer && !answer.issuer;
    if (lacks_issuer || (answer.issuer && *answer.issuer != provider.issuer)) {
        return refuse_answer("the answer is of another issuer");
    }
    if (!answer.error.empty()) {
        const std::string word = federation::oauth_error_word(answer.error);
        return refuse_answer("the answer is an error" + (word.empty() ? "" : ": " + word));
    }
    if (answer.code.empty() || answer.code.size() > longest_code) {
        return refuse_answer("the answer has no code");
    }
    const auto tokens =
        oidc_.exchange(provider, *discovery,
                       {{"grant_type", "authorization_code"},
                        {"code", answer.code},
                        {"redirect_uri", redirect_address(provider)},
                        {"code_verifier", verifier_of(cookie, answer.state).reveal()}},
                       deadline);
    if (!tokens) return unexpected(tokens.error());
    federation::IdTokenExpectation expected{
        .common = {.issuer = provider.issuer, .client_id = provider.client_id, .now = now},
        .nonce = nonce_of(cookie, answer.state),
        .access_token = tokens->access_token.reveal()};
    // The password has to be given after the browser was sent there.
    expected.signed_in_since = again_since;
    auto claims =
        oidc_.checked(provider, *discovery, deadline, [&](const federation::KeySet& keys) {
            return federation::check_id_token(tokens->id_token, keys, expected);
        });
    if (!claims) return unexpected(claims.error());
    Claims found{.person = person_in(provider, *claims),
                 .sid = base::text_at(*claims, "sid"),
                 .signed_in_at = federation::time_claim(*claims, "auth_time")};
    found.person.gave_second_factor =
        federation::says_second_factor(*claims, IdentityProvider::words_of(provider.acr_values));
    const bool wants_groups = !provider.groups_claim.empty() && found.person.values.empty();
    const bool is_whole = !wants_groups && !found.person.name.empty();
    if (is_whole || discovery->userinfo.empty() || tokens->access_token.empty()) return found;
    const auto more = oidc_.userinfo(provider, *discovery, tokens->access_token, deadline);
    if (!more) return unexpected(more.error());
    if (base::text_at(*more, "sub") != found.person.subject) {
        return unexpected(Trouble{Trouble::Kind::wrong, "userinfo is about somebody else"});
    }
    Person rest = person_in(provider, *more);
    if (found.person.name.empty()) found.person.name = std::move(rest.name);
    if (found.person.values.empty()) found.person.values = std::move(rest.values);
    return found;
}

IdentityProviders::LogOut IdentityProviders::log_out(const base::Secret& token) {
    const std::string hash = identity::hash_of_token(token);
    // First of all: whatever happens to the rest, the session is over.
    const auto session = database_.write([&](store::Connection& connection) {
        auto found = store::find_external_session(connection, hash);
        store::delete_session(connection, hash);
        return found;
    });
    if (!session) return {};
    try {
        return way_out_of(session->provider);
    } catch (const std::exception& error) {
        log_.warn("identity_provider.failed", {{"reason", error.what()}});
        return {};
    }
}

IdentityProviders::LogOut IdentityProviders::way_out_of(model::IdentityProviderId id) {
    // Without their secrets: the vault may be of no use at this moment.
    const auto all = database_.read(
        [](store::Connection& connection) { return store::list_identity_providers(connection); });
    const auto provider = std::ranges::find(all, id, &IdentityProvider::id);
    const bool is_known = provider != all.end() && provider->enabled;
    if (!is_known || provider->kind != IdentityKind::oidc) return {};
    ProviderGate::Stay stay(gate_, provider->id);
    if (stay.answer() != ProviderGate::Answer::go) return {};
    const auto discovery = oidc_.discover(*provider, Deadline(federation::connect_limit));
    if (!discovery) {
        // Logging out here goes on without it.
        failed(*provider, discovery.error(), stay);
        return {};
    }
    if (discovery->end_session.empty()) return {};
    // No id_token_hint: addresses end in logs and histories. The provider asks the person instead.
    const federation::Parameters parameters{
        {"client_id", provider->client_id},
        {"post_logout_redirect_uri", settings_.address + "/login"}};
    return {federation::with_query(discovery->end_session, parameters), provider->label};
}

LogoutAnswer IdentityProviders::take_logout_token(const std::string& token, base::Timestamp now) {
    const std::string issuer = federation::claimed_issuer(token);
    std::vector<IdentityProvider> candidates;
    if (issuer.empty()) return {"this is no logout token"};
    database_.read([&](store::Connection& connection) {
        candidates = store::list_identity_providers(connection);
    });
    std::string reason = "no identity provider has this issuer";
    bool may_retry = false;
    for (const IdentityProvider& provider : candidates) {
        const bool is_meant =
            provider.enabled && provider.kind == IdentityKind::oidc && provider.issuer == issuer;
        if (!is_meant) continue;
        // A gate of its own: people who log in cannot keep such messages out.
        ProviderGate::Stay stay(message_gate_, provider.id);
        if (stay.answer() != ProviderGate::Answer::go) {
            return {"too many such messages come at once", true};
        }
        const Deadline deadline(federation::whole_limit);
        const auto discovery = oidc_.discover(provider, deadline);
        if (!discovery) {
            return {discovery.error().reason, discovery.error().kind == Trouble::Kind::away};
        }
        const auto message =
            oidc_.checked(provider, *discovery, deadline, [&](const federation::KeySet& keys) {
                return federation::check_logout_token(
                    token, keys,
                    {.issuer = provider.issuer, .client_id = provider.client_id, .now = now},
                    provider.logout_type == "JWT");
            });
        if (!message) {
            reason = message.error().reason;
            may_retry = message.error().kind == Trouble::Kind::away;
            continue;
        }
        constexpr std::chrono::hours remembered{1};
        const std::string hash = identity::checksum(issuer + '\n' + message->id);
        return database_.write([&](store::Connection& connection) -> LogoutAnswer {
            // A sign-in that is just being stored ends with the others.
            store::lock_identity_provider(connection, provider.name);
            if (!store::record_external_message(connection, hash, now + remembered)) {
                return {"the message came before"};
            }
            for (const model::Caller& ended : store::end_external_sessions(
                     connection, provider.id, message->subject, message->sid)) {
                audit_own(connection, {.action = "session.ended-by-provider",
                                       .object = {.kind = "user",
                                                  .id = std::to_string(ended.user.id.value),
                                                  .name = ended.user.name},
                                       .chain = ended.tenant.id});
            }
            return {};
        });
    }
    return {reason, may_retry};
}

}  // namespace provisioner::operations
