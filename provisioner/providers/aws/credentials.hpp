#pragma once

#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/providers/cloud/calls.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::aws {

/// What an installation allows; the composition root fills it in.
struct AwsSettings {
    /// Whether accounts may use the instance profile of the machine that the daemon runs on. Who
    /// may edit providers then acts with its permissions.
    bool instance_profile = false;
    /// Where the metadata of that machine are; another place in tests.
    std::string metadata_endpoint = "http://169.254.169.254";
};

/// What a request is signed with.
struct Credentials {
    std::string access_key{};
    base::Secret secret_key{};
    /// Of temporary credentials; else empty.
    base::Secret session{};
};

/// Credentials of an instance profile, as the metadata service describes them, and when they end.
struct ProfileCredentials {
    Credentials credentials{};
    base::Timestamp expires_at{};
};

/// Reads the document of .../iam/security-credentials/<role>; nothing when it has no credentials.
std::optional<ProfileCredentials> profile_credentials_in(const std::string& text);

/// The credentials of the account: its fields, or those of the instance profile, which are kept in
/// tools.tokens until a minute before they end. Throws cloud::Refusal when the machine has no
/// profile, and cloud::Lost when its metadata cannot be read.
///
/// The service is asked as its version 2 wants it (IMDSv2): a token by PUT first, so that a request
/// that somebody forged through this machine gets nothing. Source:
/// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html.
boost::asio::awaitable<Credentials> credentials_of(const Account& account, cloud::Tools tools,
                                                   const AwsSettings& settings);

/// Drops credentials of the instance profile that AWS refused.
void forget_profile(cloud::Tools tools);

}  // namespace provisioner::providers::aws
