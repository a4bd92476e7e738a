#include "provisioner/federation/oidc/client.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::federation;

BOOST_AUTO_TEST_SUITE(oidc_clients)

namespace {

const std::string issuer = "https://id.example";

base::Json document() {
    return {{"issuer", issuer},
            {"authorization_endpoint", issuer + "/auth"},
            {"token_endpoint", issuer + "/token"},
            {"jwks_uri", issuer + "/jwks"},
            {"code_challenge_methods_supported", {"S256"}}};
}

std::string problem_with(const base::Json& json) {
    const auto found = discovery_from(json.dump(), issuer, false);
    return found ? "" : found.error().reason;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_discovery_document_has_to_be_of_the_issuer_and_safe) {
    BOOST_TEST(problem_with(document()) == "");
    auto other = document();
    other["issuer"] = issuer + "/";
    other["token_endpoint"] = "http://id.example/token";
    other["userinfo_endpoint"] = "https://user@id.example/me";
    other["code_challenge_methods_supported"] = {"plain"};
    BOOST_TEST(problem_with(other) ==
               "the discovery document states the issuer \"https://id.example/\", not "
               "\"https://id.example\"; token_endpoint is no https address; "
               "userinfo_endpoint is no https address; code challenges by S256 are not supported");
    other = document();
    other["issuer"] = "https://evil\n" + std::string(5'000, 'x');
    BOOST_TEST(problem_with(other).starts_with(
        "the discovery document states the issuer \"https://evil\\x0axxx"));
    BOOST_TEST(problem_with(other).size() < 300U);
    other["issuer"] = 7;
    BOOST_TEST(problem_with(other) == "the discovery document states no issuer");
    BOOST_TEST(problem_with(base::Json::array()) == "the discovery document is no JSON object");
}

BOOST_AUTO_TEST_CASE(only_what_has_the_form_of_an_error_of_oauth_is_taken_for_one) {
    BOOST_TEST(oauth_error_word("invalid_scope") == "invalid_scope");
    BOOST_TEST(oauth_error_word("Invalid scope") == "");
    BOOST_TEST(oauth_error_word(std::string(65, 'a')) == "");
}

BOOST_AUTO_TEST_CASE(tokens_that_name_unknown_keys_do_not_make_us_ask_without_end) {
    int fetched = 0;
    OidcClient client([&](const http_client::Request& request) {
        http_client::Reply reply;
        reply.status = 200;
        reply.body = request.url.ends_with("/jwks") ? R"({"keys": []})" : document().dump();
        if (request.url.ends_with("/jwks")) ++fetched;
        return reply;
    });
    model::IdentityProvider provider;
    provider.issuer = issuer;
    const Deadline deadline(std::chrono::seconds{60});
    const auto discovery = client.discover(provider, deadline).value();

    for (int i = 0; i < 100; ++i) {
        const auto result = client.checked(
            provider, discovery, deadline, [](const KeySet&) -> base::expected<int, TokenProblem> {
                return base::unexpected(TokenProblem{"no key", true});
            });
        BOOST_TEST(!result.has_value());
    }

    BOOST_TEST(fetched == 2);
}

BOOST_AUTO_TEST_CASE(a_test_asks_anew_and_what_it_brought_is_used_unless_it_failed) {
    bool is_away = false;
    bool has_keys = true;
    std::string token = "/token";
    OidcClient client([&](const http_client::Request& request) {
        http_client::Reply reply;
        if (is_away) return reply;
        reply.status = 200;
        auto says = document();
        says["token_endpoint"] = issuer + token;
        const std::string keys = has_keys
                                     ? R"({"keys": [{"kty": "EC", "crv": "P-256", "kid": "a", )"
                                       R"("x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", )"
                                       R"("y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]})"
                                     : R"({"keys": []})";
        reply.body = request.url.ends_with("/jwks") ? keys : says.dump();
        return reply;
    });
    model::IdentityProvider provider;
    provider.issuer = issuer;
    const Deadline deadline(std::chrono::seconds{60});
    const auto kept = [&] {
        const auto discovery = client.discover(provider, deadline);
        BOOST_REQUIRE(discovery.has_value());
        BOOST_TEST(client.keys(provider, *discovery, deadline)->keys.size() == 1U);
        return discovery->token;
    };
    BOOST_REQUIRE(client.renew(provider, deadline).has_value());
    BOOST_TEST(kept() == issuer + "/token");

    is_away = true;
    BOOST_TEST(!client.renew(provider, deadline).has_value());
    BOOST_TEST(kept() == issuer + "/token", "sign-ins go on");
    is_away = has_keys = false;
    token = "/other";
    BOOST_TEST(client.renew(provider, deadline).error().reason ==
               issuer + "/jwks has no key for RS256, PS256 or ES256.");
    BOOST_TEST(kept() == issuer + "/token", "a part of it would fit nothing");
    has_keys = true;
    BOOST_REQUIRE(client.renew(provider, deadline).has_value());
    BOOST_TEST(kept() == issuer + "/other");
}

BOOST_AUTO_TEST_CASE(what_is_asked_of_a_provider_is_bounded_and_has_its_authorities) {
    http_client::Request seen;
    OidcClient client([&](const http_client::Request& request) {
        seen = request;
        http_client::Reply reply;
        reply.error = "Timeout was reached";
        return reply;
    });
    model::IdentityProvider provider;
    provider.issuer = issuer + "/";
    provider.authorities = "PEM";

    const auto found = client.discover(provider, Deadline(whole_limit));

    BOOST_REQUIRE(!found.has_value());
    BOOST_TEST((found.error().kind == Trouble::Kind::away));
    BOOST_TEST(seen.url == issuer + "/.well-known/openid-configuration");
    BOOST_TEST(seen.authorities == "PEM");
    BOOST_TEST((seen.connect_limit <= connect_limit && seen.limit <= whole_limit));
}

BOOST_AUTO_TEST_CASE(what_a_provider_says_is_not_repeated_but_for_the_word_of_an_error) {
    const auto exchange = [](const std::string& body) {
        OidcClient client([&](const http_client::Request&) {
            http_client::Reply reply;
            reply.status = 400;
            reply.body = body;
            return reply;
        });
        model::IdentityProvider provider;
        return client
            .exchange(provider, {.token = "https://id.example/token"}, {}, Deadline(whole_limit))
            .error()
            .reason;
    };

    BOOST_TEST(exchange(R"({"error": "invalid_grant", "error_description": "x"})") ==
               "https://id.example/token answers 400 invalid_grant");
    BOOST_TEST(exchange(R"({"error": "<script>"})") == "https://id.example/token answers 400");
}

BOOST_AUTO_TEST_CASE(a_broken_or_overloaded_token_endpoint_is_an_outage_and_no_refusal) {
    const auto kind_of = [](int status) {
        OidcClient client([&](const http_client::Request&) {
            http_client::Reply reply;
            reply.status = status;
            reply.body = R"({"error": "invalid_grant"})";
            return reply;
        });
        return client.exchange({}, {.token = "https://id.example/token"}, {}, Deadline(whole_limit))
            .error()
            .kind;
    };
    for (const int status : {500, 502, 503, 504, 429}) {
        BOOST_TEST((kind_of(status) == Trouble::Kind::away), status);
    }
    for (const int status : {400, 401, 403}) {
        BOOST_TEST((kind_of(status) == Trouble::Kind::refused), status);
    }
}

BOOST_AUTO_TEST_CASE(a_server_without_tls_and_one_that_does_not_answer_are_told_in_plain_words) {
    const auto reason = [](const std::string& address, const std::string& error, bool loopback) {
        OidcClient client(
            [&](const http_client::Request&) {
                http_client::Reply reply;
                reply.error = error;
                return reply;
            },
            loopback);
        model::IdentityProvider provider;
        provider.issuer = address;
        return client.discover(provider, Deadline(whole_limit)).error().reason;
    };
    const std::string path = "/.well-known/openid-configuration";
    const std::string plain = "OpenSSL/3.0.22: error:0A00010B:SSL routines::wrong version number";
    const std::string here = "https://127.0.0.1:8080";

    BOOST_TEST(reason(issuer, plain, true) ==
               issuer + path + ": it answers without TLS: is the port right?");
    BOOST_TEST(reason(here, plain, false) ==
               here + path + ": it answers without TLS: is the port right?");
    BOOST_TEST(reason(here, plain, true) ==
               here + path +
                   ": it answers without TLS: is the port right, or should the address begin with "
                   "http?");
    for (const std::string dead :
         {"Failed to connect to id.example port 443 after 0 ms: Couldn't connect to server",
          "Failed to connect to id.example port 443 after 3 ms: Connection refused"}) {
        BOOST_TEST(reason(issuer, dead, false) ==
                   issuer + path + ": it does not answer: does it run, and is the port right?");
    }
    BOOST_TEST(reason(issuer, "Could not resolve host: id.example", false) ==
               issuer + path + ": Could not resolve host: id.example");
}

BOOST_AUTO_TEST_CASE(a_certificate_that_is_not_accepted_leads_to_the_authorities) {
    const auto trouble = [](long result, const std::string& error) {
        OidcClient client([&](const http_client::Request&) {
            http_client::Reply reply;
            reply.error = error;
            reply.certificate_result = result;
            return reply;
        });
        model::IdentityProvider provider;
        provider.issuer = "https://id.example:8443";
        return client.discover(provider, Deadline(whole_limit)).error();
    };

    const auto self_signed = trouble(18, "SSL certificate problem: self-signed certificate");
    BOOST_TEST(self_signed.reason ==
               "The certificate of id.example is self-signed: enter it under Authorities.");
    BOOST_TEST(self_signed.setting == "authorities");
    BOOST_TEST((self_signed.kind == Trouble::Kind::wrong));
    const std::string name = "SSL: certificate subject name 'a' does not match target host name";
    BOOST_TEST(trouble(0, name).reason == "The certificate of id.example is for another host.");
    BOOST_TEST(trouble(1, name).setting == "");
    BOOST_TEST(trouble(0, "no status").reason ==
               "https://id.example:8443/.well-known/openid-configuration: no status");
}

BOOST_AUTO_TEST_SUITE_END()
