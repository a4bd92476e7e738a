#include "provisioner/federation/base64url.hpp"
#include "provisioner/identity/checksum.hpp"
#include "provisioner/operations/identity_providers/vanished.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"
#include "tests/integration/provisioner/operations/identity_providers/provider_site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(sign_in_by_openid_connect)

namespace {

using End = operations::SignInResult::End;
using operations::ProviderAnswer;

const std::string our_address = "http://127.0.0.1:1";

/// The provider, one process for all cases: it takes a second to start.
tests::PythonServer& peer() {
    static tests::PythonServer server(
        {"tests/support/identity/oidc_peer.py", our_address + "/login/callback/corp"});
    return server;
}

std::string text_after(const std::string& text, const std::string& mark, char end) {
    const auto at = text.find(mark);
    if (at == std::string::npos) return "";
    const auto begin = at + mark.size();
    return text.substr(begin, text.find(end, begin) - begin);
}

/// A browser: cookies of the provider, and redirections.
struct Browser {
    std::map<std::string, std::string> cookies{};

    /// Follows redirections until one leads to our site, and returns that address.
    std::string visit(std::string address) {
        for (int hop = 0; hop < 10; ++hop) {
            if (address.starts_with(our_address)) return address;
            http_client::Request request;
            request.method = "GET";
            request.url = address.starts_with('/')
                              ? "http://127.0.0.1:" + std::to_string(peer().port()) + address
                              : address;
            std::string line;
            for (const auto& [name, value] : cookies) line += name + '=' + value + "; ";
            if (!line.empty()) request.headers.emplace_back("Cookie", line);
            const auto reply = http_client::Transfers().send(request);
            for (const auto& [name, value] : reply.headers) {
                if (name != "set-cookie") continue;
                const std::string pair = value.substr(0, value.find(';'));
                cookies[pair.substr(0, pair.find('='))] = pair.substr(pair.find('=') + 1);
            }
            BOOST_REQUIRE_MESSAGE(reply.status == 302 || reply.status == 303,
                                  request.url << ": " << reply.status << reply.error << reply.body);
            address = reply.header("location");
        }
        return "";
    }
};

/// What our callback is told by an address.
ProviderAnswer answer_in(const std::string& address) {
    ProviderAnswer answer{.state = text_after(address, "state=", '&'),
                          .code = text_after(address, "code=", '&'),
                          .error = text_after(address, "error=", '&')};
    // The only character of an issuer on loopback that needs it.
    answer.callback = text_after(address, "/login/callback/", '?');
    std::string issuer = text_after(address, "iss=", '&');
    for (auto at = issuer.find("%3A"); at != std::string::npos; at = issuer.find("%3A")) {
        issuer.replace(at, 3, ":");
    }
    for (auto at = issuer.find("%2F"); at != std::string::npos; at = issuer.find("%2F")) {
        issuer.replace(at, 3, "/");
    }
    if (!issuer.empty()) answer.issuer = issuer;
    return answer;
}

struct Site : tests::ProviderSite {
    Site() {
        tests::tell(peer().port(), "/-/set?person=sub-ann&forge=&in_token=0&hang=0");
        tests::tell(peer().port(), "/-/set?person=sub-ann&groups=staff,admins");
        tests::tell(peer().port(), "/-/rotate");
        save(provider(), "a secret & more");
    }

    model::IdentityProvider provider() const {
        model::IdentityProvider made;
        made.name = "corp";
        made.label = "Corp";
        made.issuer = "http://127.0.0.1:" + std::to_string(peer().port());
        made.client_id = "cooperage";
        made.scopes = "openid profile groups";
        made.rules = {{.value = "admins", .tenant = "acme", .role = model::Role::admin},
                      {.value = "staff", .tenant = "acme", .role = model::Role::user}};
        return made;
    }

    operations::Departure depart(bool again = false) {
        const auto departure =
            providers.depart("corp", {.next = "/clusters/7"}, client, std::nullopt, again, now());
        BOOST_REQUIRE_MESSAGE(departure.has_value(), lines.str());
        return *departure;
    }

    operations::Arrival arrive(const operations::Departure& departure, const std::string& address) {
        return providers.arrive(answer_in(address), departure.cookie, client, rules, now());
    }

    operations::SignInResult sign_in() {
        const auto departure = depart();
        return arrive(departure, Browser().visit(departure.address)).result;
    }

    /// Runs once, while the provider is asked to redeem a code.
    std::function<void()> meanwhile{};
    /// What the provider answers in place of itself; nothing: it answers.
    std::function<std::optional<http_client::Reply>(const std::string& address)> instead{};
    operations::IdentityProviders providers{
        fresh.database,
        log,
        {.address = our_address, .plain_loopback = true, .at_once = 1},
        [this](const http_client::Request& request) {
            if (instead) {
                if (auto other = instead(request.url)) return *std::move(other);
            }
            auto reply = federation::fetch_by_curl(request);
            if (request.url.ends_with("/token") && meanwhile) std::exchange(meanwhile, {})();
            return reply;
        }};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_form_that_was_sent_without_a_session_is_there_after_the_sign_in, Site) {
    const operations::Destination to{
        .next = "/clusters/7",
        .kept = store::KeptForm{.path = "/clusters?once=1",
                                .body = "name=shop&title=Tonneau%20d%27or"}};
    const auto departure = providers.depart("corp", to, client, std::nullopt, false, now());
    BOOST_REQUIRE(departure.has_value());
    const auto arrival = arrive(*departure, Browser().visit(departure->address));

    BOOST_REQUIRE(arrival.to.kept.has_value());
    BOOST_TEST(arrival.to.kept->path == to.kept->path);
    BOOST_TEST(arrival.to.kept->body == to.kept->body);
    const auto other = depart();
    BOOST_TEST(!arrive(other, Browser().visit(other.address)).to.kept.has_value());
}

BOOST_FIXTURE_TEST_CASE(somebody_comes_in_with_the_role_of_their_group_and_is_made_once, Site) {
    const auto departure = depart();
    const auto arrival = arrive(departure, Browser().visit(departure.address));

    BOOST_REQUIRE_MESSAGE((arrival.result.end == End::done), lines.str() + arrival.result.reason);
    BOOST_TEST(arrival.to.next == "/clusters/7");
    const auto session = this->session(arrival.result.token);
    BOOST_REQUIRE(session.has_value());
    BOOST_TEST(session->caller.tenant.name == "acme");
    BOOST_TEST((session->caller.user.role == model::Role::admin));
    BOOST_TEST(session->caller.user.password_hash.empty());
    const auto again = sign_in();
    BOOST_TEST((again.user_id == arrival.result.user_id));
}

BOOST_FIXTURE_TEST_CASE(a_local_user_of_the_same_name_is_not_taken_over, Site) {
    tests::tell(peer().port(), "/-/set?person=sub-like-ann");

    const auto result = sign_in();

    BOOST_TEST((result.end == End::not_admitted));
    BOOST_TEST(result.reason == "Somebody else has the user name ann here.");
    BOOST_TEST(result.advice == "Ask your administrator.");
    BOOST_TEST((user(acme, "ann")->role == model::Role::admin));
}

BOOST_FIXTURE_TEST_CASE(every_lie_of_a_token_is_refused, Site) {
    for (const std::string lie :
         {"none", "hmac", "stranger", "audience", "issuer", "expired", "nonce", "subject"}) {
        tests::tell(peer().port(), "/-/set?forge=" + lie);

        const auto result = sign_in();

        BOOST_TEST((result.end == End::provider_refused), lie);
        BOOST_TEST(result.technical_reason != "", lie);
        BOOST_TEST(result.reason.find(result.technical_reason) == std::string::npos, lie);
        BOOST_TEST(result.token.empty(), lie);
    }
    tests::tell(peer().port(), "/-/set?forge=");
    BOOST_TEST((sign_in().end == End::done));
}

BOOST_FIXTURE_TEST_CASE(a_state_counts_once_and_in_its_browser_only, Site) {
    const auto departure = depart();
    const std::string address = Browser().visit(departure.address);
    const auto other = depart();

    // Somebody else's answer, in this browser: a login that its person did not begin.
    BOOST_TEST((arrive(other, address).result.end == End::no_first_step));
    // Its state is gone now.
    BOOST_TEST((arrive(departure, address).result.end == End::no_first_step));

    const std::string fresh_address = Browser().visit(other.address);
    BOOST_TEST((arrive(other, fresh_address).result.end == End::done));
    BOOST_TEST((arrive(other, fresh_address).result.end == End::no_first_step));
    BOOST_TEST((providers.arrive({}, other.cookie, client, rules, now()).result.end ==
                End::no_first_step));
}

BOOST_FIXTURE_TEST_CASE(a_code_of_another_sign_in_is_worth_nothing, Site) {
    const auto mine = depart();
    const auto theirs = depart();
    auto answer = answer_in(Browser().visit(mine.address));
    answer.code = answer_in(Browser().visit(theirs.address)).code;

    const auto arrival = providers.arrive(answer, mine.cookie, client, rules, now());

    BOOST_TEST((arrival.result.end == End::provider_refused));
}

BOOST_FIXTURE_TEST_CASE(an_answer_of_another_issuer_is_refused, Site) {
    for (const bool names_other : {true, false}) {
        const auto departure = depart();
        auto answer = answer_in(Browser().visit(departure.address));
        answer.issuer =
            names_other ? std::optional<std::string>("https://other.example") : std::nullopt;

        const auto arrival = providers.arrive(answer, departure.cookie, client, rules, now());

        BOOST_TEST((arrival.result.end == End::provider_refused), names_other);
    }
}

BOOST_FIXTURE_TEST_CASE(new_keys_of_the_provider_are_fetched_when_a_token_names_one, Site) {
    BOOST_REQUIRE((sign_in().end == End::done));
    tests::tell(peer().port(), "/-/rotate");

    BOOST_TEST((sign_in().end == End::done), lines.str());
}

BOOST_FIXTURE_TEST_CASE(other_algorithms_that_are_allowed_work, Site) {
    for (const std::string algorithm : {"PS256", "ES256"}) {
        Site site;
        tests::tell(peer().port(), "/-/rotate?alg=" + algorithm);

        BOOST_TEST((site.sign_in().end == End::done), algorithm << site.lines.str());
    }
}

BOOST_FIXTURE_TEST_CASE(who_has_no_place_is_refused_and_who_loses_it_is_locked, Site) {
    tests::tell(peer().port(), "/-/set?person=sub-eve&in_token=1");
    tests::tell(peer().port(), "/-/rotate");
    BOOST_TEST((sign_in().end == End::not_admitted));
    BOOST_TEST(!user(acme, "eve").has_value());

    tests::tell(peer().port(), "/-/set?person=sub-bob&groups=staff");
    const auto bob = sign_in();
    BOOST_REQUIRE_MESSAGE((bob.end == End::done), lines.str());
    BOOST_TEST(bob.user == "bob_example.com");
    tests::tell(peer().port(), "/-/set?person=sub-bob&groups=visitors");
    BOOST_TEST((sign_in().end == End::not_admitted));
    BOOST_TEST(user(acme, "bob_example.com")->disabled);
    BOOST_TEST(!session(bob.token).has_value());

    tests::tell(peer().port(), "/-/set?person=sub-bob&groups=staff");
    BOOST_TEST((sign_in().end == End::done));
    BOOST_TEST(!user(acme, "bob_example.com")->disabled);
}

BOOST_FIXTURE_TEST_CASE(a_provider_that_hangs_is_said_so_in_time_and_not_asked_again_at_once,
                        Site) {
    tests::tell(peer().port(), "/-/set?hang=1");
    const auto began = std::chrono::steady_clock::now();

    const auto first = providers.depart("corp", {.next = "/"}, client, std::nullopt, false, now());
    const auto took = std::chrono::steady_clock::now() - began;
    const auto second = providers.depart("corp", {.next = "/"}, client, std::nullopt, false, now());
    const auto both = std::chrono::steady_clock::now() - began;

    BOOST_REQUIRE(!first.has_value());
    BOOST_TEST((first.error().end == End::provider_away));
    BOOST_TEST((took < 9s));
    BOOST_REQUIRE(!second.has_value());
    BOOST_TEST((both - took < 1s));
    tests::tell(peer().port(), "/-/set?hang=0");
}

BOOST_FIXTURE_TEST_CASE(a_password_given_again_is_fresh, Site) {
    Browser browser;
    const auto first = depart();
    BOOST_REQUIRE((arrive(first, browser.visit(first.address)).result.end == End::done));

    const auto again = depart(true);
    BOOST_TEST(again.address.find("prompt=login") != std::string::npos);
    const auto arrival = arrive(again, browser.visit(again.address));

    BOOST_REQUIRE_MESSAGE((arrival.result.end == End::done), lines.str());
    const auto session = this->session(arrival.result.token);
    BOOST_REQUIRE(session.has_value());
    BOOST_TEST((now() - session->session.proven_at < 1min));
}

BOOST_FIXTURE_TEST_CASE(who_has_not_signed_in_for_long_is_locked, Site) {
    const auto result = sign_in();
    BOOST_REQUIRE((result.end == End::done));
    const auto later = now() + 24h * 31;
    const auto never = [] { return false; };

    BOOST_TEST(operations::follow_providers(fresh.database, log, 24h * 30, now(), never) == 0);
    BOOST_TEST(operations::follow_providers(fresh.database, log, 24h * 30, later, never) == 1);
    BOOST_TEST(operations::follow_providers(fresh.database, log, 24h * 30, later, never) == 0);
    BOOST_TEST(!session(result.token).has_value());
    BOOST_TEST((sign_in().end == End::done));
}

BOOST_FIXTURE_TEST_CASE(logging_out_leads_to_the_provider_without_a_token_in_the_address, Site) {
    const auto result = sign_in();
    BOOST_REQUIRE(session(result.token).has_value());

    const auto way = providers.log_out(result.token);

    BOOST_TEST(way.address.find("/session/end?client_id=cooperage&post_logout_redirect_uri=") !=
               std::string::npos);
    BOOST_TEST(way.address.find("id_token") == std::string::npos);
    BOOST_TEST(way.address.find("ey") == std::string::npos);
    BOOST_TEST(!session(result.token).has_value());
    BOOST_TEST(providers.log_out(result.token).address.empty());
}

BOOST_FIXTURE_TEST_CASE(a_session_ends_whatever_happens_to_provider_and_vault, Site) {
    const auto first = sign_in();
    BOOST_REQUIRE(session(first.token).has_value());
    operations::IdentityProviders broken{fresh.database,
                                         log,
                                         {.address = our_address, .plain_loopback = true},
                                         [](const http_client::Request&) -> http_client::Reply {
                                             throw std::runtime_error("no memory is left");
                                         }};
    BOOST_TEST(broken.log_out(first.token).address.empty());
    BOOST_TEST(!session(first.token).has_value());

    const auto second = sign_in();
    BOOST_REQUIRE(session(second.token).has_value());
    fresh.database.write([](store::Connection& connection) {
        connection.sql("UPDATE identity_provider SET secret = 'not sealed'") << store::exec;
        connection.sql("UPDATE external_session SET id_token = 'not sealed'") << store::exec;
    });
    BOOST_TEST(!providers.log_out(second.token).address.empty());
    BOOST_TEST(!session(second.token).has_value());
}

BOOST_FIXTURE_TEST_CASE(an_answer_has_to_come_to_the_address_of_the_provider_that_was_asked, Site) {
    auto hostile = provider();
    hostile.name = "hostile";
    hostile.label = "Hostile";
    save(hostile, "a secret & more");
    const auto begun_at_hostile = [&] {
        return *providers.depart("hostile", {.next = "/"}, client, std::nullopt, false, now());
    };

    // The code of corp, for a sign-in that was begun at another provider.
    const auto theirs = begun_at_hostile();
    auto answer = answer_in(Browser().visit(depart().address));
    BOOST_REQUIRE(answer.callback == "corp");
    answer.state = text_after(theirs.address, "state=", '&');
    answer.issuer = std::nullopt;
    const auto mixed = providers.arrive(answer, theirs.cookie, client, rules, now());
    BOOST_TEST((mixed.result.end == End::provider_refused));
    BOOST_TEST(mixed.result.reason == "The answer is not of Hostile.");
    // Nobody redeemed it: the token endpoint of the hostile one would have got it.
    BOOST_TEST(lines.str().find("identity_provider.misled") != std::string::npos);

    // The address of all is for those who are registered there.
    const auto mine = depart();
    auto old = answer_in(Browser().visit(mine.address));
    old.callback = "";
    const auto to_old = providers.arrive(old, mine.cookie, client, rules, now());
    BOOST_TEST((to_old.result.end == End::provider_refused));
    BOOST_TEST(to_old.result.reason.find("came to an old address") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(the_address_of_all_needs_an_answer_that_names_the_issuer, Site) {
    auto shared = provider();
    shared.callback = "shared";
    save(shared, "a secret & more");
    const auto arrive_with = [&](const std::optional<std::string>& issuer) {
        const auto departure = depart();
        BOOST_TEST(departure.address.find("login%2Fcallback&") != std::string::npos);
        auto answer = answer_in(Browser().visit(departure.address));
        BOOST_TEST(answer.callback == "");
        answer.issuer = issuer;
        return providers.arrive(answer, departure.cookie, client, rules, now()).result;
    };

    BOOST_TEST((arrive_with(shared.issuer).end == End::done), lines.str());
    BOOST_TEST((arrive_with("https://other.example").end == End::provider_refused));
    const auto silent = arrive_with(std::nullopt);
    BOOST_TEST((silent.end == End::provider_refused));
    BOOST_TEST(silent.reason.find("redirect address of its own") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_second_factor_elsewhere_counts_only_when_the_token_says_so, Site) {
    using Stage = model::SessionStage;
    rules.second_factor = model::SecondFactorFor::everybody;
    const auto stage_with = [&](const std::string& lie) {
        tests::tell(peer().port(), "/-/set?forge=" + lie);
        const auto result = sign_in();
        tests::tell(peer().port(), "/-/set?forge=");
        BOOST_REQUIRE_MESSAGE((result.end == End::done), lie << lines.str());
        return result.stage;
    };

    // It is not trusted to.
    BOOST_TEST((stage_with("amr:pwd,otp") == Stage::factor));
    auto trusted = provider();
    trusted.has_second_factor = true;
    trusted.acr_values = "urn:gold";
    save(trusted, "a secret & more");
    for (const std::string lacking : {"", "amr:pwd", "amr:pwd,sms", "acr:urn:silver"}) {
        BOOST_TEST((stage_with(lacking) == Stage::factor), lacking);
    }
    for (const std::string given : {"amr:pwd,otp", "amr:mfa", "acr:urn:gold"}) {
        BOOST_TEST((stage_with(given) == Stage::open), given);
    }
}

BOOST_FIXTURE_TEST_CASE(a_provider_that_works_is_said_so_and_a_wrong_one_in_words, Site) {
    BOOST_TEST(providers.test(provider()).problems.empty());
    auto wrong = provider();
    wrong.issuer += "/elsewhere";
    const auto problems = providers.test(wrong).problems;
    BOOST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(problems.front().find("answers 404") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_test_asks_the_provider_and_repeats_nothing, Site) {
    const auto problem = [&] {
        const auto problems = providers.test(provider()).problems;
        return problems.empty() ? "" : problems.front();
    };
    BOOST_REQUIRE(problem() == "");
    BOOST_REQUIRE((sign_in().end == End::done));

    instead = [](const std::string&) {
        http_client::Reply reply;
        reply.error = "refused";
        return reply;
    };
    BOOST_TEST(problem().ends_with("refused"), "it was stopped");
    instead = nullptr;
    BOOST_TEST((sign_in().end == End::done));
    instead = [](const std::string& address) -> std::optional<http_client::Reply> {
        if (!address.ends_with("/jwks")) return std::nullopt;
        http_client::Reply reply;
        reply.status = 200;
        reply.body = R"({"keys": []})";
        return reply;
    };
    BOOST_TEST(problem().ends_with("has no key for RS256, PS256 or ES256."), problem());
    instead = nullptr;
    BOOST_TEST(problem() == "", "its keys are mended");
    BOOST_TEST((sign_in().end == End::done));
}

BOOST_FIXTURE_TEST_CASE(what_a_test_found_is_kept_until_other_settings_are_saved, Site) {
    const auto stored = [&] {
        return operations::identity_provider(fresh.database, provider().name).value();
    };
    BOOST_TEST(!stored().last_test.has_value());
    const std::string before = operations::fingerprint_of(stored());
    const auto at = now();

    providers.test_stored(stored(), at);

    BOOST_REQUIRE(stored().last_test.has_value());
    BOOST_TEST(stored().last_test->problems.empty());
    BOOST_TEST((stored().last_test->at == at));
    BOOST_TEST(operations::fingerprint_of(stored()) == before, "a test is no change");
    const auto tested = stored();
    save(provider(), "a secret & more");
    BOOST_TEST(!stored().last_test.has_value());
    fresh.database.write([&](auto& c) { store::record_identity_test(c, tested, {.at = at}); });
    BOOST_TEST(!stored().last_test.has_value(), "it was about other settings");
}

BOOST_FIXTURE_TEST_CASE(the_wish_to_be_switched_on_by_a_passed_test_is_kept_while_it_is_off, Site) {
    const auto stored = [&] {
        return operations::identity_provider(fresh.database, provider().name).value();
    };
    auto off = provider();
    off.enabled = false;
    save(off, "a secret & more");

    providers.test_stored(stored(), now(), true);
    BOOST_TEST(stored().last_test.value().is_to_switch_on);
    providers.test_stored(stored(), now());
    BOOST_TEST(stored().last_test.value().is_to_switch_on, "another test is no other wish");

    save(provider(), "a secret & more");
    providers.test_stored(stored(), now());
    BOOST_TEST(!stored().last_test.value().is_to_switch_on, "it is on");
}

BOOST_FIXTURE_TEST_CASE(a_provider_is_tried_before_it_is_saved, Site) {
    auto draft = provider();
    draft.name = draft.label = draft.client_id = "";
    draft.rules = {{.value = "staff", .tenant = "nowhere"}};

    const auto tried =
        operations::provider_to_test(fresh.database, root, draft, std::nullopt, true, true);
    BOOST_REQUIRE(tried.has_value());
    BOOST_TEST(providers.test(*tried).problems.empty());

    draft.issuer = "http://id.example";
    const auto refused =
        operations::provider_to_test(fresh.database, root, draft, std::nullopt, true, true);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().field == "issuer");
}

BOOST_FIXTURE_TEST_CASE(whoever_has_stolen_a_session_lets_the_server_ask_no_address, Site) {
    auto thief = root;
    thief.must_prove = true;
    auto draft = provider();
    const auto try_it = [&] {
        return operations::provider_to_test(fresh.database, thief, draft, std::nullopt, true,
                                            false);
    };

    draft.issuer = "nowhere";
    BOOST_TEST(!try_it().has_value(), "what is wrong anyway is said before a proof is asked for");
    draft.issuer = "https://inside.example";
    BOOST_CHECK_THROW(static_cast<void>(try_it()), operations::ProofNeeded);
}

BOOST_FIXTURE_TEST_CASE(a_secret_is_never_shown_and_does_not_go_elsewhere, Site) {
    auto moved = provider();
    moved.issuer = "https://attacker.example";

    const auto saved =
        operations::save_identity_provider(fresh.database, root, moved, std::nullopt, true, now());

    BOOST_REQUIRE(!saved.has_value());
    BOOST_TEST(saved.error().problems.front().field == "secret");
    for (const auto& one : operations::list_identity_providers(fresh.database)) {
        BOOST_TEST(base::to_text(model::to_json(one)).find("a secret") == std::string::npos);
    }
}

BOOST_FIXTURE_TEST_CASE(a_password_that_was_not_asked_for_again_is_no_proof, Site) {
    tests::tell(peer().port(), "/-/set?forge=old_login");
    Browser browser;
    const auto again = depart(true);
    BOOST_TEST(again.address.find("max_age=0") != std::string::npos);

    const auto arrival = arrive(again, browser.visit(again.address));

    BOOST_TEST((arrival.result.end == End::provider_refused));
    tests::tell(peer().port(), "/-/set?forge=");
}

// What is changed while somebody signs in counts: a provider takes seconds to answer.

BOOST_FIXTURE_TEST_CASE(a_provider_that_is_switched_off_during_a_sign_in_lets_nobody_in, Site) {
    meanwhile = [this] {
        auto off = provider();
        off.enabled = false;
        save(off, "a secret & more");
    };

    const auto result = sign_in();

    BOOST_TEST((result.end == End::provider_refused));
    BOOST_TEST(result.token.empty());
    BOOST_TEST(!user(acme, "anna").has_value());
}

BOOST_FIXTURE_TEST_CASE(a_provider_that_is_deleted_during_a_sign_in_lets_nobody_in, Site) {
    meanwhile = [this] {
        BOOST_REQUIRE(
            operations::delete_identity_provider(fresh.database, root, "corp", now()).has_value());
    };

    BOOST_TEST((sign_in().end == End::provider_refused));
    BOOST_TEST(!user(acme, "anna").has_value());
}

BOOST_FIXTURE_TEST_CASE(groups_that_are_mapped_elsewhere_during_a_sign_in_count_there, Site) {
    make_group(acme, "coopers");
    meanwhile = [this] {
        auto changed = provider();
        changed.rules = {{.value = "admins",
                          .tenant = "acme",
                          .role = model::Role::user,
                          .groups = {"coopers"}}};
        changed.has_second_factor = false;
        save(changed, "a secret & more");
        rules.second_factor = model::SecondFactorFor::everybody;
    };

    const auto result = sign_in();

    BOOST_REQUIRE_MESSAGE((result.end == End::done), lines.str() + result.reason);
    BOOST_TEST((result.stage == model::SessionStage::factor));
    const auto anna = user(acme, "anna").value();
    BOOST_TEST((anna.role == model::Role::user));
    BOOST_TEST((groups_of(anna) == std::vector<std::string>{"coopers"}));
    meanwhile = [this] {
        auto changed = provider();
        changed.rules.clear();
        save(changed, "a secret & more");
    };
    BOOST_TEST((sign_in().end == End::not_admitted));
    BOOST_TEST(user(acme, "anna")->disabled);
    BOOST_TEST(!session(result.token).has_value());
}

BOOST_FIXTURE_TEST_CASE(another_provider_under_the_same_name_is_another, Site) {
    meanwhile = [this] {
        auto changed = provider();
        changed.client_id = "somebody-else";
        save(changed, "a secret & more");
    };

    BOOST_TEST((sign_in().end == End::provider_refused));
}

BOOST_FIXTURE_TEST_CASE(a_new_secret_or_label_during_a_sign_in_stops_nobody, Site) {
    meanwhile = [this] {
        auto changed = provider();
        changed.label = "The corporation";
        save(changed, "another secret");
    };

    BOOST_TEST((sign_in().end == End::done));
}

BOOST_FIXTURE_TEST_CASE(who_is_locked_between_redirect_and_callback_does_not_come_in, Site) {
    const auto first = sign_in();
    BOOST_REQUIRE((first.end == End::done));
    const auto away = depart();
    const std::string address = Browser().visit(away.address);
    BOOST_REQUIRE(
        operations::change_access(fresh.database, root, "acme", "anna", {.disabled = true})
            .has_value());

    const auto arrival = arrive(away, address);

    BOOST_TEST((arrival.result.end == End::not_admitted));
    BOOST_TEST(!session(first.token).has_value());
}

BOOST_FIXTURE_TEST_CASE(who_is_locked_while_the_code_is_redeemed_does_not_come_in, Site) {
    BOOST_REQUIRE((sign_in().end == End::done));
    meanwhile = [this] {
        BOOST_REQUIRE(
            operations::change_access(fresh.database, root, "acme", "anna", {.disabled = true})
                .has_value());
    };

    const auto result = sign_in();

    BOOST_TEST((result.end == End::not_admitted));
    BOOST_TEST(result.token.empty());
}

// Rules do not outlive what they name.

BOOST_FIXTURE_TEST_CASE(a_deleted_group_leaves_the_rules_and_its_successor_is_empty, Site) {
    make_group(acme, "coopers");
    make_group(barrels, "coopers");
    auto with_groups = provider();
    with_groups.rules[0].groups = {"coopers"};
    with_groups.rules.push_back({.value = "x", .tenant = "barrels", .groups = {"coopers"}});
    save(with_groups, "a secret & more");

    BOOST_REQUIRE(operations::delete_group(fresh.database, acme, "coopers").has_value());
    make_group(acme, "coopers");

    const auto left = operations::identity_provider(fresh.database, "corp")->rules;
    BOOST_TEST(left[0].groups.empty());
    BOOST_TEST((left[2].groups == std::vector<std::string>{"coopers"}));
    BOOST_REQUIRE((sign_in().end == End::done));
    BOOST_TEST(groups_of(user(acme, "anna").value()).empty());
    const auto event = newest({}, "identity-provider.change");
    BOOST_TEST(event.actor.name == "ann");
    BOOST_TEST(event.before.find("coopers") < event.before.size());
}

BOOST_FIXTURE_TEST_CASE(rules_for_a_deleted_tenant_go_with_it, Site) {
    auto both = provider();
    both.rules.insert(both.rules.begin(), {.value = "staff", .tenant = "barrels"});
    save(both, "a secret & more");
    operations::TenantSpec spec;
    spec.name = "barrels";
    BOOST_REQUIRE(
        operations::replace_tenant(fresh.database, root, "barrels", spec, now()).has_value());

    BOOST_REQUIRE(operations::delete_tenant(fresh.database, root, "barrels").has_value());
    BOOST_REQUIRE(operations::create_tenant(fresh.database, root, spec, now()).has_value());

    const auto left = operations::identity_provider(fresh.database, "corp")->rules;
    BOOST_TEST(left.size() == 2U);
    const auto result = sign_in();
    BOOST_REQUIRE_MESSAGE((result.end == End::done), result.reason);
    BOOST_TEST(result.tenant == "acme");
}

BOOST_FIXTURE_TEST_CASE(groups_of_a_provider_end_with_the_last_rule_that_names_one, Site) {
    make_group(acme, "coopers");
    make_group(acme, "by-hand");
    auto with_groups = provider();
    with_groups.rules[0].groups = {"coopers"};
    save(with_groups, "a secret & more");
    BOOST_REQUIRE((sign_in().end == End::done));
    const auto anna = user(acme, "anna").value();
    BOOST_TEST((groups_of(anna) == std::vector<std::string>{"coopers"}));
    const auto put_in = newest(acme.tenant.id, "user.change-groups");
    BOOST_TEST(put_in.actor.name == "identity provider corp");
    BOOST_TEST(put_in.actor.user.value == 0);
    BOOST_TEST(put_in.actor.client == client.address);
    BOOST_TEST(newest(acme.tenant.id, "user.create").actor.name == "identity provider corp");
    fresh.database.write([&](store::Connection& connection) {
        const auto by_hand = store::find_group(connection, acme.tenant.id, "by-hand").value();
        const auto coopers = store::find_group(connection, acme.tenant.id, "coopers").value();
        store::replace_groups(connection, anna.id, {by_hand.id, coopers.id});
    });

    save(provider(), "a secret & more");

    BOOST_TEST((groups_of(anna) == std::vector<std::string>{"by-hand"}));
    save(with_groups, "a secret & more");
    BOOST_REQUIRE((sign_in().end == End::done));
    BOOST_REQUIRE(
        operations::delete_identity_provider(fresh.database, root, "corp", now()).has_value());
    BOOST_TEST(groups_of(anna).empty());
}

BOOST_FIXTURE_TEST_CASE(a_new_secret_alone_is_in_the_audit_log_and_is_not_shown_there, Site) {
    save(provider(), "a secret & more");
    BOOST_TEST(newest({}, "identity-provider.change").after.find("(changed)") == std::string::npos);

    save(provider(), "another secret");

    const auto event = newest({}, "identity-provider.change");
    BOOST_TEST(event.after.find("(changed)") != std::string::npos);
    for (const std::string& text : {event.before, event.after}) {
        BOOST_TEST(text.find("another") == std::string::npos);
        BOOST_TEST(text.find(identity::checksum("another secret")) == std::string::npos);
    }
}

BOOST_FIXTURE_TEST_CASE(people_who_log_in_do_not_keep_messages_out_that_end_sessions, Site) {
    BOOST_REQUIRE((sign_in().end == End::done));
    const std::string claims = federation::base64url(R"({"iss": ")" + provider().issuer + "\"}");
    const std::string head = federation::base64url(R"({"alg": "RS256", "typ": "logout+jwt"})");
    const std::string forged = head + '.' + claims + ".x";
    operations::LogoutAnswer answer;
    // One may wait for providers at once here, and this one does.
    meanwhile = [&] {
        answer = providers.take_logout_token(forged, now());
        const auto another =
            providers.depart("corp", {.next = "/"}, client, std::nullopt, false, now());
        BOOST_TEST(!another.has_value());
    };

    BOOST_TEST((sign_in().end == End::done));

    BOOST_TEST(answer.problem == "the signature is wrong");
    BOOST_TEST(!answer.may_retry);
}

BOOST_FIXTURE_TEST_CASE(departures_are_counted_by_network_because_clients_choose_the_rest, Site) {
    int sent = 0;
    for (int i = 0; i < 210; ++i) {
        const operations::Client one{.address = "2001:db8:1:2::" + std::to_string(i + 1)};
        if (providers.depart("corp", {.next = "/"}, one, std::nullopt, false, now())) ++sent;
    }

    BOOST_TEST(sent == 200);
    const operations::Client neighbour{.address = "2001:db8:1:3::1"};
    BOOST_TEST(
        providers.depart("corp", {.next = "/"}, neighbour, std::nullopt, false, now()).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
