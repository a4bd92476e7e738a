#include "provisioner/providers/aws/credentials.hpp"

#include <ctime>

#include "provisioner/providers/aws/fields.hpp"
#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::aws {
namespace asio = boost::asio;

namespace {

constexpr auto profile_key = "aws instance profile";
constexpr auto path_of_credentials = "/latest/meta-data/iam/security-credentials/";
constexpr std::chrono::seconds metadata_patience{3};

/// "2026-11-22T18:52:37Z".
std::optional<base::Timestamp> utc_in(const std::string& text) {
    std::tm parts{};
    if (strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) == nullptr) return std::nullopt;
    return base::Timestamp(std::chrono::seconds(timegm(&parts)));
}

/// The metadata service, which is on the machine itself: its calls are no calls of the account.
class MetadataService {
 public:
    MetadataService(cloud::Tools tools, std::string endpoint)
        : tools_(tools), endpoint_(std::move(endpoint)) {}

    /// The text of a path; with status 404 nothing. Asks for a session first.
    asio::awaitable<std::optional<std::string>> read(std::string path) {
        if (session_.empty()) co_await begin();
        http_client::Request request = to(std::move(path));
        request.method = "GET";
        request.headers = {{"X-aws-ec2-metadata-token", session_}};
        http_client::Reply reply = co_await send(std::move(request));
        if (reply.status == 404) co_return std::nullopt;
        if (reply.status != 200) throw failed(reply);
        co_return std::move(reply.body);
    }

 private:
    asio::awaitable<void> begin() {
        http_client::Request request = to("/latest/api/token");
        request.method = "PUT";
        request.headers = {{"X-aws-ec2-metadata-token-ttl-seconds", "60"}};
        http_client::Reply reply = co_await send(std::move(request));
        if (reply.status != 200) throw failed(reply);
        session_ = std::move(reply.body);
    }

    http_client::Request to(std::string path) const {
        http_client::Request request;
        request.url = endpoint_ + std::move(path);
        request.connect_limit = metadata_patience;
        request.limit = metadata_patience;
        request.longest_reply = 1 << 16;
        return request;
    }

    asio::awaitable<http_client::Reply> send(http_client::Request request) {
        cloud::Lane lane;
        lane.account = "metadata of this machine";
        lane.kind = "read";
        lane.per_second = 100;
        lane.burst = 100;
        http_client::Reply reply = co_await tools_.calls.send(std::move(lane), std::move(request));
        co_return reply;
    }

    static cloud::Lost failed(const http_client::Reply& reply) {
        return cloud::Lost("the metadata of this machine cannot be read: status " +
                           std::to_string(reply.status));
    }

    cloud::Tools tools_;
    std::string endpoint_;
    std::string session_;
};

cloud::Refusal no_profile() {
    return cloud::wrong(
        "Credential validation failed! The machine of the provisioner has no instance profile");
}

asio::awaitable<ProfileCredentials> read_profile(cloud::Tools tools, std::string endpoint) {
    MetadataService metadata(tools, std::move(endpoint));
    const auto role = co_await metadata.read(path_of_credentials);
    if (!role || role->empty()) throw no_profile();
    std::string path = path_of_credentials + role->substr(0, role->find('\n'));
    const auto text = co_await metadata.read(std::move(path));
    auto found = text ? profile_credentials_in(*text) : std::nullopt;
    if (!found) throw no_profile();
    co_return *std::move(found);
}

Credentials from_token(const cloud::Tokens::Token& token) {
    Credentials credentials;
    credentials.access_key = base::text_at(token.details, "access_key");
    credentials.secret_key = token.text;
    credentials.session = base::Secret(base::text_at(token.details, "session"));
    return credentials;
}

}  // namespace

std::optional<ProfileCredentials> profile_credentials_in(const std::string& text) {
    const auto json = base::parse_json(text);
    if (!json) return std::nullopt;
    ProfileCredentials profile;
    profile.credentials.access_key = base::text_at(*json, "AccessKeyId");
    profile.credentials.secret_key = base::Secret(base::text_at(*json, "SecretAccessKey"));
    profile.credentials.session = base::Secret(base::text_at(*json, "Token"));
    const auto until = utc_in(base::text_at(*json, "Expiration"));
    if (!until || profile.credentials.access_key.empty()) return std::nullopt;
    profile.expires_at = *until;
    return profile;
}

asio::awaitable<Credentials> credentials_of(const Account& account, cloud::Tools tools,
                                            const AwsSettings& settings) {
    if (!uses_instance_profile(account)) {
        Credentials credentials;
        credentials.access_key = cloud::text_of(account, "api_user");
        credentials.secret_key = base::Secret(cloud::text_of(account, "api_password"));
        co_return credentials;
    }
    if (const auto kept = tools.tokens.find(profile_key, tools.calls.now())) {
        co_return from_token(*kept);
    }
    ProfileCredentials profile = co_await read_profile(tools, settings.metadata_endpoint);
    cloud::Tokens::Token token;
    token.text = profile.credentials.secret_key;
    token.details["access_key"] = profile.credentials.access_key;
    token.details["session"] = profile.credentials.session.reveal();
    token.expires_at = profile.expires_at;
    tools.tokens.keep(profile_key, std::move(token));
    co_return profile.credentials;
}

void forget_profile(cloud::Tools tools) {
    tools.tokens.forget(profile_key);
}

}  // namespace provisioner::providers::aws
