#include "provisioner/providers/digitalocean/api.hpp"

#include "provisioner/base/ids.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/pages.hpp"

namespace provisioner::providers::digitalocean {
namespace asio = boost::asio;

namespace {

constexpr auto usual_endpoint = "https://api.digitalocean.com";
constexpr int most_readings = 3;
/// From a tenth of the hour on, reading goes slowly, so that machines can still be made and
/// removed.
constexpr std::int64_t scarce_part = 10;
constexpr std::chrono::seconds scarce_pause{5};

std::string endpoint_of(const Account& account) {
    return cloud::endpoint_of(account, usual_endpoint);
}

cloud::Lane lane(const Account& account, std::string_view kind) {
    return cloud::lane_of(account, account_name_of(account), usual_rates(), kind);
}

http_client::Request request_for(const Account& account, const Call& call) {
    return cloud::json_request_to(account, call.method, endpoint_of(account) + call.path, call.body,
                                  cloud::text_of(account, "api_password"));
}

/// Nine tenths of each droplet that a list shows: everything about its size, image and region.
const std::set<std::string>& not_needed_of_droplets() {
    static const std::set<std::string> names{
        "size",      "image",  "region",   "features",
        "disk_info", "kernel", "vpc_uuid", "next_backup_window",
        "created_at"};
    return names;
}

/// Words about a reply that is no JSON of theirs, too.
Answer answer_of(const http_client::Reply& reply, const Call& call) {
    Answer answer;
    answer.status = reply.status;
    if (reply.body.empty()) return answer;
    const bool is_about_droplets = call.path.starts_with("/v2/droplets");
    answer.body =
        is_about_droplets ? cloud::json_in(reply, not_needed_of_droplets()) : cloud::json_in(reply);
    return answer;
}

/// "503 Server was unable to...", or only what came where no JSON did.
std::string words_of_failure(const http_client::Reply& reply) {
    auto json = base::parse_json(reply.body);
    if (!json) return cloud::form_of(reply);
    Answer answer;
    answer.status = reply.status;
    answer.body = *std::move(json);
    return std::to_string(reply.status) + " " + answer.message();
}

std::string page_path(const std::string& path, int page) {
    const char joint = path.find('?') == std::string::npos ? '?' : '&';
    return path + joint + "per_page=200&page=" + std::to_string(page);
}

bool has_next_page(const base::Json& body) {
    const base::Json* links = base::member(body, "links");
    const base::Json* pages = links == nullptr ? nullptr : base::member(*links, "pages");
    return pages != nullptr && !base::text_at(*pages, "next").empty();
}

/// How many items the whole list has; -1 when it does not say.
std::int64_t total_of(const base::Json& body) {
    const base::Json* meta = base::member(body, "meta");
    const base::Json* total = meta == nullptr ? nullptr : base::member(*meta, "total");
    return total != nullptr && total->is_number_integer() ? total->get<std::int64_t>() : -1;
}

std::string kept_key(const Account& account, const std::string& path) {
    return "digitalocean list " + cloud::account_key(account) + " " + path;
}

}  // namespace

std::string account_name_of(const Account& account) {
    const std::string name =
        "DigitalOcean, token " + cloud::fingerprint_of(account, "api_password");
    const std::string endpoint = cloud::text_of(account, "api_endpoint");
    return endpoint.empty() ? name : name + " at " + endpoint_of(account);
}

cloud::Rates usual_rates() {
    cloud::Rates rates;
    rates.reads = 2;
    rates.read_burst = 30;
    rates.creations = 1;
    rates.creation_burst = 30;
    return rates;
}

std::string Answer::message() const {
    std::string words = base::text_at(body, "message");
    // Calls about tags have another form of error.
    if (words.empty()) words = base::text_at(body, "error");
    if (words.empty()) words = "status " + std::to_string(status);
    return cloud::words_of(words);
}

asio::awaitable<Answer> Api::send(const Account& account, Call call) {
    auto request = request_for(account, call);
    auto verb = tools_.calls.send(lane(account, call.makes_droplet ? "create" : "read"),
                                  std::move(request));
    const http_client::Reply reply = co_await std::move(verb);
    co_await keep_within_the_hour(account, reply);
    if (reply.status >= 500) {
        throw cloud::Lost(call.method + " " + call.path.substr(0, call.path.find('?')) + ": " +
                          words_of_failure(reply));
    }
    Answer answer = answer_of(reply, call);
    if (answer.status == 401) {
        throw cloud::wrong_credentials(reply, tools_.calls.now(), answer.message());
    }
    if (answer.status == 403) {
        const std::string words = answer.message();
        if (words.find("limit") != std::string::npos) throw cloud::busy("DigitalOcean: " + words);
        throw cloud::wrong("DigitalOcean: " + words +
                           " (the token in api_password needs the scope " + call.scope + ")");
    }
    co_return answer;
}

asio::awaitable<void> Api::keep_within_the_hour(const Account& account,
                                                const http_client::Reply& reply) {
    const auto left = base::parse_number(reply.header("ratelimit-remaining"));
    const auto limit = base::parse_number(reply.header("ratelimit-limit"));
    if (!left || !limit || *left > *limit / scarce_part) co_return;
    if (*left > 0) {
        co_await tools_.calls.ease(lane(account, "read"), scarce_pause);
        co_return;
    }
    const auto wait = cloud::until_reset(reply, tools_.calls.now());
    co_await tools_.calls.ease(lane(account, "read"), wait);
    co_await tools_.calls.ease(lane(account, "create"), wait);
}

asio::awaitable<base::Json> Api::get(const Account& account, std::string path, std::string scope) {
    Call call;
    call.path = std::move(path);
    call.scope = std::move(scope);
    const std::string what = "GET " + call.path;
    auto verb = send(account, std::move(call));
    Answer answer = co_await std::move(verb);
    if (!answer.is_good()) throw cloud::wrong("DigitalOcean: " + what + ": " + answer.message());
    co_return std::move(answer.body);
}

asio::awaitable<base::Json> Api::read_pages(const Account& account, std::string path,
                                            std::string member, std::string scope, bool& is_whole) {
    base::Json items = base::Json::array();
    std::int64_t total = -1;
    is_whole = true;
    cloud::Pages pages;
    for (int page = 1;; ++page) {
        auto verb = get(account, page_path(path, page), scope);
        base::Json body = co_await std::move(verb);
        pages.add(body);
        const auto part = body.find(member);
        if (part == body.end() || !part->is_array()) {
            throw cloud::Lost("the answer to GET " + path + " has no list \"" + member + "\"");
        }
        for (base::Json& item : *part) items.push_back(std::move(item));
        const bool has_changed = page > 1 && total_of(body) != total;
        total = total_of(body);
        if (has_changed) is_whole = false;
        if (!has_next_page(body)) {
            const auto count = static_cast<std::int64_t>(items.size());
            if (page > 1 && total >= 0 && count != total) is_whole = false;
            break;
        }
    }
    co_return items;
}

asio::awaitable<base::Json> Api::all(const Account& account, std::string path, std::string member,
                                     std::string scope) {
    for (int reading = 0; reading < most_readings; ++reading) {
        bool is_whole = false;
        auto verb = read_pages(account, path, member, scope, is_whole);
        base::Json items = co_await std::move(verb);
        if (is_whole) co_return items;
    }
    throw cloud::NotYet(std::chrono::seconds{2},
                        "the list of " + member + " changes while it is read");
}

asio::awaitable<base::Json> Api::all_lately(const Account& account, std::string path,
                                            std::string member, std::string scope) {
    const std::string key = kept_key(account, path);
    if (auto kept = tools_.tokens.find(key, tools_.calls.now())) co_return std::move(kept->details);
    auto verb = all(account, path, std::move(member), std::move(scope));
    base::Json items = co_await std::move(verb);
    cloud::Tokens::Token token;
    token.details = items;
    token.expires_at = tools_.calls.now() + kept_for;
    tools_.tokens.keep(key, std::move(token));
    co_return items;
}

void Api::forget(const Account& account, const std::string& path) {
    tools_.tokens.forget(kept_key(account, path));
}

}  // namespace provisioner::providers::digitalocean
