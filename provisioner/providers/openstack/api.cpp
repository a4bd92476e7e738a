#include "provisioner/providers/openstack/api.hpp"

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/pages.hpp"
#include "provisioner/providers/openstack/refusals.hpp"

namespace provisioner::providers::openstack {
namespace asio = boost::asio;
using http_client::Reply;

namespace {

/// Tokens are not given out in their last minute, so this keeps listings for one minute.
constexpr std::chrono::minutes kept_for{2};

bool has_next_link(const base::Json& page, const std::string& key) {
    const base::Json links = page.value(key + "_links", base::Json::array());
    return std::any_of(links.begin(), links.end(),
                       [](const base::Json& link) { return base::text_at(link, "rel") == "next"; });
}

}  // namespace

std::string next_marker(const base::Json& page, const std::string& key) {
    const bool has_more = has_next_link(page, key) || !base::text_at(page, "next").empty();
    const base::Json* things = base::member(page, key);
    if (!has_more || things == nullptr || !things->is_array() || things->empty()) return "";
    return base::text_at(things->back(), "id");
}

cloud::Lane Api::lane(const Account& account, const std::string& kind) const {
    return cloud::lane_of(account, identity_.account_name(account), rates_, kind);
}

asio::awaitable<cloud::Tokens::Token> Api::token(const Account& account) {
    const std::string key = identity_.key(account);
    auto kept = tools_.tokens.find(key, now());
    if (kept) co_return *std::move(kept);
    const Reply reply = co_await tools_.calls.send(lane(account, "read"), identity_.login(account));
    cloud::Tokens::Token made = identity_.token_in(account, reply, now());
    tools_.tokens.keep(key, made);
    co_return made;
}

asio::awaitable<Reply> Api::send_with(const Account& account, const Call& call,
                                      cloud::Tokens::Token token) {
    const std::string url = identity_.base_url(account, token.details, call.service) + call.path;
    auto request = cloud::request_to(account, call.method, url);
    request.headers = call.headers;
    request.at_most_once = call.method == "POST";
    request.headers.emplace_back("X-Auth-Token", token.text.reveal());
    request.headers.emplace_back("Accept", "application/json");
    if (!microversion_.empty() && call.service == "compute") {
        request.headers.emplace_back("OpenStack-API-Version", "compute " + microversion_);
    }
    if (!call.body.is_null()) {
        request.headers.emplace_back("Content-Type", "application/json");
        request.body = base::to_text(call.body);
    }
    Reply reply = co_await tools_.calls.send(lane(account, call.lane), std::move(request));
    co_return reply;
}

asio::awaitable<Reply> Api::send(const Account& account, Call call) {
    const cloud::Tokens::Token first = co_await token(account);
    Reply reply = co_await send_with(account, call, first);
    if (reply.status != 401) co_return reply;
    // Revoked, or the cloud was set up anew. Another call may have logged in already.
    const std::string key = identity_.key(account);
    const auto kept = tools_.tokens.find(key, now());
    if (kept && kept->text == first.text) tools_.tokens.forget(key);
    cloud::Tokens::Token second = co_await token(account);
    reply = co_await send_with(account, call, std::move(second));
    if (reply.status == 401) throw cloud::wrong_credentials(reply, now(), said(reply));
    co_return reply;
}

asio::awaitable<base::Json> Api::get(const Account& account, std::string service, std::string path,
                                     std::string what) {
    Call call;
    call.service = std::move(service);
    call.path = std::move(path);
    const Reply reply = co_await send(account, std::move(call));
    if (reply.status != 200) throw_refusal(reply, what);
    co_return cloud::json_in(reply);
}

asio::awaitable<std::vector<base::Json>> Api::list(const Account& account, std::string service,
                                                   std::string path, std::string key) {
    std::vector<base::Json> all;
    std::string marker;
    cloud::Pages pages;
    for (;;) {
        std::string target = path;
        if (!marker.empty()) {
            target += (path.find('?') == std::string::npos ? "?marker=" : "&marker=") +
                      cloud::percent_encoded(marker);
        }
        Call call;
        call.service = service;
        call.path = std::move(target);
        const Reply reply = co_await send(account, std::move(call));
        // Nova answers 400 when the last thing of the page before is gone.
        if (!marker.empty() && (reply.status == 400 || reply.status == 404)) {
            throw cloud::Lost("the listing of " + key + " changed while it was read");
        }
        if (reply.status != 200) throw_refusal(reply, "listing " + key);
        const base::Json json = cloud::json_in(reply);
        pages.add(json);
        const base::Json* things = base::member(json, key);
        if (things == nullptr || !things->is_array()) {
            throw cloud::Lost("the listing of " + key + " has no " + key);
        }
        for (const base::Json& thing : *things) all.push_back(thing);
        std::string next = next_marker(json, key);
        if (next.empty() || next == marker) break;
        marker = std::move(next);
    }
    co_return all;
}

asio::awaitable<std::vector<base::Json>> Api::list_kept(const Account& account, std::string service,
                                                        std::string path, std::string key) {
    const std::string name =
        identity_.key(account) + cloud::account_key(account) + " " + service + path;
    const auto kept = tools_.tokens.find(name, now());
    if (kept) co_return std::vector<base::Json>(kept->details.begin(), kept->details.end());
    std::vector<base::Json> all = co_await list(account, service, path, key);
    tools_.tokens.keep(name, {.text = {}, .details = all, .expires_at = now() + kept_for});
    co_return all;
}

asio::awaitable<bool> Api::remove(const Account& account, std::string service, std::string path,
                                  std::string what) {
    Call call;
    call.method = "DELETE";
    call.service = std::move(service);
    call.path = std::move(path);
    const bool is_volume = call.service == "volume";
    const Reply reply = co_await send(account, std::move(call));
    if (reply.status == 409 || (is_volume && reply.status == 400)) co_return false;
    const bool is_gone = reply.status == 404 || (reply.status >= 200 && reply.status < 300);
    if (!is_gone) throw_refusal(reply, what);
    co_return true;
}

asio::awaitable<bool> Api::has_service(const Account& account, std::string service) {
    const cloud::Tokens::Token held = co_await token(account);
    try {
        identity_.base_url(account, held.details, service);
    } catch (const cloud::Refusal&) {
        co_return false;
    }
    co_return true;
}

}  // namespace provisioner::providers::openstack
