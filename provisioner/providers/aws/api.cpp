#include "provisioner/providers/aws/api.hpp"

#include "provisioner/providers/aws/fields.hpp"
#include "provisioner/providers/aws/replies.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/pages.hpp"

namespace provisioner::providers::aws {
namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds pause_after_throttle{2};

}  // namespace

std::string account_name_of(const Account& account) {
    std::string name =
        uses_instance_profile(account) ? "instance profile" : cloud::text_of(account, "api_user");
    name += " in " + region_of(account);
    const bool is_aws = cloud::text_of(account, "api_endpoint").empty();
    if (!is_aws) name += " at " + endpoint_of(account);
    return name;
}

cloud::Rates usual_rates() {
    return {.reads = 10, .read_burst = 20, .creations = 2, .creation_burst = 5};
}

http_client::Request signed_request(const Account& account, const Credentials& credentials,
                                    const Query& query) {
    http_client::Request request = cloud::request_to(account, "POST", endpoint_of(account) + "/");
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"}};
    if (!credentials.session.empty()) {
        request.headers.emplace_back("X-Amz-Security-Token", credentials.session.reveal());
    }
    request.body = query.body();
    http_client::Signing signing;
    signing.region = region_of(account);
    signing.service = "ec2";
    signing.access_key = credentials.access_key;
    signing.secret_key = credentials.secret_key;
    request.signing = std::move(signing);
    return request;
}

asio::awaitable<Outcome> Api::ask(Query query) {
    const Credentials credentials = co_await credentials_of(account_, tools_, settings_);
    const bool creates = query.action() == "RunInstances";
    cloud::Lane lane = cloud::lane_of(account_, account_name_of(account_), usual_rates(),
                                      creates ? "create" : "read");
    http_client::Request request = signed_request(account_, credentials, query);
    Outcome outcome;
    outcome.reply = co_await tools_.calls.send(lane, std::move(request));
    outcome.error = error_in(outcome.reply);
    if (!outcome.error) co_return outcome;
    if (outcome.error->is_throttle()) {
        std::string words = "AWS asks to slow down (" + outcome.error->code + ")";
        co_await tools_.calls.slow_down(std::move(lane), pause_after_throttle, std::move(words));
    }
    if (uses_instance_profile(account_) && outcome.reply.status == 401) forget_profile(tools_);
    if (uses_instance_profile(account_) && outcome.error->is_expired_login()) {
        forget_profile(tools_);
        throw cloud::NotYet(std::chrono::seconds{1}, "the credentials of the profile are renewed");
    }
    co_return outcome;
}

void Api::refuse(const Outcome& outcome, const Query& query) const {
    throw_meaning(*outcome.error, query.action(), outcome.reply, tools_.calls.now());
}

asio::awaitable<http_client::Reply> Api::call(Query query) {
    Outcome outcome = co_await ask(query);
    if (outcome.error) refuse(outcome, query);
    co_return std::move(outcome.reply);
}

asio::awaitable<std::vector<http_client::Reply>> Api::pages(Query query, int page_size) {
    query.add("MaxResults", std::to_string(page_size));
    std::vector<http_client::Reply> replies;
    cloud::Pages pages;
    for (;;) {
        http_client::Reply reply = co_await call(query);
        pages.add(reply.body.size());
        const std::string next = next_page(reply);
        replies.push_back(std::move(reply));
        if (next.empty()) co_return replies;
        query.set_page(next);
    }
}

}  // namespace provisioner::providers::aws
