#pragma once

#include <string>

#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::digitalocean {

/// One call of API v2. Source: https://docs.digitalocean.com/reference/api/.
struct Call {
    std::string method = "GET";
    /// With its query, "/v2/droplets?per_page=1".
    std::string path{};
    /// What a token must allow, for the message when it does not: "droplet:create".
    std::string scope{};
    /// Sent unless it is null.
    base::Json body{};
    /// Whether it makes a droplet: counted apart, and never sent twice.
    bool makes_droplet = false;
};

/// An answer with a status below 500 that is neither 401 nor 403 nor 429.
struct Answer {
    int status = 0;
    /// Null without a body.
    base::Json body{};

    bool is_good() const { return status >= 200 && status < 300; }
    /// DigitalOcean's words about what is wrong; never empty after an error.
    std::string message() const;
};

/// Calls DigitalOcean, or what the account's `api_endpoint` names, within what the account allows:
/// 250 calls a minute and 5,000 in any hour. The rates keep the minute; the hour is kept by what
/// every answer says is left.
class Api {
 public:
    explicit Api(cloud::Tools tools) : tools_(tools) {}

    /// Throws what failures.hpp has: Refusal for 401 and 403, Lost for 5xx and unreadable answers.
    boost::asio::awaitable<Answer> send(const Account& account, Call call);
    /// As send(), and a Refusal for every answer that is not good.
    boost::asio::awaitable<base::Json> get(const Account& account, std::string path,
                                           std::string scope);
    /// All pages of a list, as an array; `member` is its name in the answer. Reads again when the
    /// list has changed between two pages, because an item may have slipped through.
    boost::asio::awaitable<base::Json> all(const Account& account, std::string path,
                                           std::string member, std::string scope);
    /// The same from memory where that was read within `kept_for`: catalogues and keys.
    boost::asio::awaitable<base::Json> all_lately(const Account& account, std::string path,
                                                  std::string member, std::string scope);
    /// Forgets what all_lately() kept.
    void forget(const Account& account, const std::string& path);

    cloud::Tools& tools() { return tools_; }

    static constexpr std::chrono::minutes kept_for{5};

 private:
    /// Slows down when little of the hour is left.
    boost::asio::awaitable<void> keep_within_the_hour(const Account& account,
                                                      const http_client::Reply& reply);
    /// One reading of all pages; sets `is_whole` to whether the list stood still.
    boost::asio::awaitable<base::Json> read_pages(const Account& account, std::string path,
                                                  std::string member, std::string scope,
                                                  bool& is_whole);

    cloud::Tools tools_;
};

/// Which account the fields lead to: "DigitalOcean, token 3fa9c1e2": a fingerprint of the token,
/// and the API's address where it is another one.
std::string account_name_of(const Account& account);

/// Calls a second that keep within 250 a minute: 2 x 60 + 30 and 1 x 60 + 30.
cloud::Rates usual_rates();

}  // namespace provisioner::providers::digitalocean
