#include "provisioner/providers/google/api.hpp"

#include "provisioner/base/ids.hpp"
#include "provisioner/identity/checksum.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/pages.hpp"
#include "provisioner/providers/google/assertion.hpp"
#include "provisioner/providers/google/names.hpp"

namespace provisioner::providers::google {
namespace asio = boost::asio;
using cloud::percent_encoded;
using cloud::text_of;

namespace {

constexpr auto usual_endpoint = "https://compute.googleapis.com";
constexpr auto scope = "https://www.googleapis.com/auth/compute";
constexpr auto grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/// The limits count calls of a minute; a pause of a part of it lets the next ones through.
constexpr std::chrono::seconds pause_when_too_fast{5};
constexpr std::int64_t usual_lifetime = 3600;

/// What the token depends on: who signs, and where.
std::string token_key(const ServiceKey& key) {
    return "google" +
           identity::checksum(key.email + "\n" + key.token_uri + "\n" + key.private_key.reveal());
}

ServiceKey key_or_refusal(const Account& account) {
    auto key = service_key_of(account);
    if (!key) throw cloud::wrong(base::to_text(key.error()));
    return *std::move(key);
}

std::string url_of(const Account& account, const Call& call) {
    const std::string project =
        call.project.empty() ? text_of(account, "google_project") : call.project;
    std::string url = cloud::endpoint_of(account, usual_endpoint) + "/compute/v1/projects/" +
                      percent_encoded(project);
    if (!call.path.empty()) url += "/" + call.path;
    char separator = '?';
    for (const auto& [name, value] : call.query) {
        url += separator + name + "=" + percent_encoded(value);
        separator = '&';
    }
    return url;
}

/// The token in the endpoint's answer; throws for refusals.
cloud::Tokens::Token token_in(const http_client::Reply& reply, base::Timestamp now) {
    if (reply.status >= 500) {
        throw cloud::Lost("the token endpoint answers " + std::to_string(reply.status));
    }
    const base::Json json = cloud::json_in(reply);
    if (reply.status != 200) {
        const std::string said = base::text_at(json, "error_description");
        throw cloud::wrong_credentials(reply, now,
                                       said.empty() ? base::text_at(json, "error") : said);
    }
    const base::Json* lifetime = base::member(json, "expires_in");
    const bool has_lifetime = lifetime != nullptr && lifetime->is_number_integer();
    cloud::Tokens::Token token;
    token.text = base::Secret(base::text_at(json, "access_token"));
    token.expires_at =
        now + std::chrono::seconds{has_lifetime ? lifetime->get<std::int64_t>() : usual_lifetime};
    if (token.text.empty()) throw cloud::Lost("the token endpoint answers without a token");
    return token;
}

/// Turns what does not depend on the call into its exception; returns other errors.
ApiError general_error(const http_client::Reply& reply) {
    ApiError error = error_in(reply);
    if (is_no_capacity(error.reason)) throw cloud::NoCapacity(error.message);
    if (error.status >= 500) throw cloud::Lost("Google answers: " + error.message);
    if (error.status == 403 && error.reason == "quotaExceeded") throw cloud::busy(error.message);
    if (error.status == 403) throw cloud::wrong("Google refuses: " + error.message);
    if (error.status == 413) throw cloud::wrong(error.message);
    return error;
}

void append_entries(const base::Json* items, std::vector<base::Json>& entries) {
    if (items == nullptr || !items->is_array()) return;
    for (const base::Json& entry : *items) entries.push_back(entry);
}

/// Throws Lost for what is no list, and for a list in which scopes are missing: machines there
/// would seem to be gone.
void check_whole(const base::Json& page, const std::string& noun) {
    if (base::text_at(page, "kind").empty()) {
        throw cloud::Lost("Google's answer is no list of " + noun);
    }
    const auto unreachable = base::strings_of(base::member(page, "unreachables"));
    if (!unreachable.empty()) {
        throw cloud::Lost("Google could not list all " + noun + ": " +
                          cloud::words_of(unreachable.front()) + " is unreachable");
    }
}

void check_whole_scope(const base::Json& in_scope, const std::string& noun) {
    const base::Json* warning = base::member(in_scope, "warning");
    if (warning == nullptr) return;
    const std::string code = base::text_at(*warning, "code");
    if (code == "NO_RESULTS_ON_PAGE") return;
    throw cloud::Lost("Google could not list all " + noun + ": " +
                      cloud::words_of(code + " " + base::text_at(*warning, "message")));
}

void append_scopes(const base::Json* scopes, const std::string& noun,
                   std::vector<base::Json>& entries) {
    if (scopes == nullptr || !scopes->is_object()) return;
    for (const base::Json& in_scope : *scopes) {
        check_whole_scope(in_scope, noun);
        append_entries(base::member(in_scope, noun), entries);
    }
}

}  // namespace

std::string name_of(const Account& account) {
    const std::string endpoint = text_of(account, "api_endpoint");
    return "Google project " + text_of(account, "google_project") +
           (endpoint.empty() ? "" : " at " + endpoint);
}

cloud::Rates usual_rates() {
    return {.reads = 15, .read_burst = 30, .creations = 10, .creation_burst = 20};
}

asio::awaitable<std::string> Api::token(const Account& account) {
    const ServiceKey key = key_or_refusal(account);
    const auto kept = tools_.tokens.find(token_key(key), now());
    if (kept) co_return kept->text.reveal();
    http_client::Request request = cloud::request_to(account, "POST", key.token_uri);
    request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
    request.body = "grant_type=" + percent_encoded(grant) +
                   "&assertion=" + percent_encoded(assertion(key, scope, now()));
    cloud::Lane lane = cloud::lane_of(account, name_of(account), usual_rates(), "read");
    const http_client::Reply reply =
        co_await tools_.calls.send(std::move(lane), std::move(request));
    cloud::Tokens::Token token = token_in(reply, now());
    std::string text = token.text.reveal();
    tools_.tokens.keep(token_key(key), std::move(token));
    co_return text;
}

asio::awaitable<http_client::Reply> Api::send(const Account& account, const Call& call) {
    const std::string bearer = co_await token(account);
    http_client::Request request =
        cloud::json_request_to(account, call.method, url_of(account, call), call.body, bearer);
    cloud::Lane lane = cloud::lane_of(account, name_of(account), usual_rates(), call.lane);
    http_client::Reply reply = co_await tools_.calls.send(std::move(lane), std::move(request));
    co_return reply;
}

asio::awaitable<void> Api::slow_down(const Account& account, const Call& call,
                                     const http_client::Reply& reply) {
    cloud::Lane lane = cloud::lane_of(account, name_of(account), usual_rates(), call.lane);
    std::string words = "Google asks to slow down: " + error_in(reply).message;
    std::chrono::milliseconds pause = cloud::retry_after(reply, now());
    if (pause.count() == 0) pause = pause_when_too_fast;
    co_await tools_.calls.slow_down(std::move(lane), pause, std::move(words));
}

asio::awaitable<Answer> Api::call(const Account& account, Call call) {
    http_client::Reply reply = co_await send(account, call);
    if (reply.status == 401) {
        // A token can be revoked before it expires.
        tools_.tokens.forget(token_key(key_or_refusal(account)));
        reply = co_await send(account, call);
    }
    if (reply.status == 401) throw cloud::wrong_credentials(reply, now(), error_in(reply).message);
    Answer answer;
    if (reply.status >= 200 && reply.status < 300) {
        answer.body = cloud::json_in(reply);
        co_return answer;
    }
    if (is_too_fast(error_in(reply))) co_await slow_down(account, call, reply);
    answer.error = general_error(reply);
    co_return answer;
}

asio::awaitable<std::vector<base::Json>> Api::all(const Account& account, Call call,
                                                  bool is_aggregated, std::string noun) {
    std::vector<base::Json> entries;
    const std::size_t plain = call.query.size();
    cloud::Pages pages;
    for (;;) {
        Call page_call = call;
        const Answer page = co_await this->call(account, std::move(page_call));
        if (page.error) throw cloud::wrong(page.error->message);
        check_whole(page.body, noun.empty() ? last_part(call.path) : noun);
        pages.add(page.body);
        const base::Json* items = base::member(page.body, "items");
        if (is_aggregated) {
            append_scopes(items, noun, entries);
        } else {
            append_entries(items, entries);
        }
        std::string next = base::text_at(page.body, "nextPageToken");
        if (next.empty()) co_return entries;
        call.query.resize(plain);
        call.query.emplace_back("pageToken", std::move(next));
    }
}

}  // namespace provisioner::providers::google
