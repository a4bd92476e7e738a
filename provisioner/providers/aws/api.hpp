#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "provisioner/providers/aws/credentials.hpp"
#include "provisioner/providers/aws/errors.hpp"
#include "provisioner/providers/aws/query.hpp"
#include "provisioner/providers/cloud/calls.hpp"
#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::aws {

/// "AKIA... in eu-central-1", with the host of an endpoint that is not AWS's.
std::string account_name_of(const Account& account);

/// Calls a second. EC2 allows two creations a second and bursts of many more reads. Source:
/// https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html.
cloud::Rates usual_rates();

/// What came of a call: an error that the caller knows what to do with, or an answer.
struct Outcome {
    http_client::Reply reply{};
    std::optional<ErrorReply> error{};
};

/// The signed request of a query.
http_client::Request signed_request(const Account& account, const Credentials& credentials,
                                    const Query& query);

/// The API of one account. Made for a call or a few; refers to the account and the settings.
class Api {
 public:
    Api(const Account& account, cloud::Tools tools, const AwsSettings& settings)
        : account_(account), tools_(tools), settings_(settings) {}

    const Account& account() const { return account_; }

    /// The outcome of a query. Only RunInstances is counted as a creation. Throws what Calls::send
    /// throws, and NotYet when EC2 asks to slow down or temporary credentials have run out.
    boost::asio::awaitable<Outcome> ask(Query query);
    /// The answer to a query; throws what an error means.
    boost::asio::awaitable<http_client::Reply> call(Query query);
    /// The answers to a query that lists, page by page; without ids in the query, as EC2 demands.
    boost::asio::awaitable<std::vector<http_client::Reply>> pages(Query query,
                                                                  int page_size = 1000);
    /// Throws what the error of an outcome means.
    [[noreturn]] void refuse(const Outcome& outcome, const Query& query) const;

 private:
    const Account& account_;
    cloud::Tools tools_;
    const AwsSettings& settings_;
};

}  // namespace provisioner::providers::aws
