#include "provisioner/providers/cloudstack/api.hpp"

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/pages.hpp"

namespace provisioner::providers::cloudstack {
namespace asio = boost::asio;

namespace {

constexpr std::chrono::minutes kept_for{5};

/// How many entries a listing has in all, as the server says.
std::size_t count_in(const base::Json& answer) {
    const base::Json* count = base::member(answer, "count");
    if (count == nullptr || !count->is_number_unsigned()) return 0;
    return count->get<std::size_t>();
}

}  // namespace

std::string name_of(const Account& account) {
    return cloud::text_of(account, "api_key") + " at " + cloud::text_of(account, "api_endpoint");
}

asio::awaitable<http_client::Reply> Api::send(const Account& account, std::string command,
                                              Params params) {
    const bool deploys = command == "deployVirtualMachine";
    const char* kind = deploys ? "create" : "read";
    cloud::Lane lane = cloud::lane_of(account, name_of(account), cloud::Rates{}, kind);
    http_client::Request request = call(account, command, std::move(params), now());
    request.at_most_once = deploys || command == "associateIpAddress";
    auto sending = tools_.calls.send(std::move(lane), std::move(request));
    http_client::Reply reply = co_await std::move(sending);
    co_return reply;
}

asio::awaitable<base::Json> Api::ask(const Account& account, std::string command, Params params) {
    auto sending = send(account, std::move(command), std::move(params));
    const http_client::Reply reply = co_await std::move(sending);
    co_return answer_in(reply, now());
}

// The first call names no size: servers refuse sizes above their own limit, which nobody knows.
// What it gives is the size of the pages that follow.
asio::awaitable<std::vector<base::Json>> Api::list(const Account& account, std::string command,
                                                   Params params, std::string member) {
    auto first = ask(account, command, params);
    const base::Json answer = co_await std::move(first);
    std::vector<base::Json> entries = entries_in(answer, member);
    const std::size_t size = entries.size();
    std::size_t more = size;
    cloud::Pages pages;
    pages.add(answer);
    for (int page = 2; more == size && size > 0 && entries.size() < count_in(answer); ++page) {
        params["page"] = std::to_string(page);
        params["pagesize"] = std::to_string(size);
        auto next = ask(account, command, params);
        const base::Json listed = co_await std::move(next);
        pages.add(listed);
        // Something came or went, so that an entry may have slipped from one page to another.
        if (count_in(listed) != count_in(answer)) {
            throw cloud::Lost("the listing changed while it was read");
        }
        const std::vector<base::Json> others = entries_in(listed, member);
        more = others.size();
        entries.insert(entries.end(), others.begin(), others.end());
    }
    co_return entries;
}

asio::awaitable<Named> Api::find(const Account& account, std::string command, Params params,
                                 std::string member, std::string what, std::string wanted) {
    const std::string key = cloud::account_key(account) + "\n" + command + "\n" +
                            signature_of(params, base::Secret()) + "\n" + wanted;
    if (const auto kept = tools_.tokens.find(key, now())) {
        co_return Named{.id = kept->text.reveal(),
                        .name = wanted,
                        .has_groups = kept->details.value("has_groups", false)};
    }
    auto listing = list(account, std::move(command), std::move(params), member);
    base::Json answer = base::Json::object();
    answer[member] = co_await std::move(listing);
    Named found = find_named(what, wanted, named_in(answer, member));
    cloud::Tokens::Token token;
    token.text = base::Secret(found.id);
    token.details["has_groups"] = found.has_groups;
    token.expires_at = now() + kept_for;
    tools_.tokens.keep(key, std::move(token));
    co_return found;
}

}  // namespace provisioner::providers::cloudstack
