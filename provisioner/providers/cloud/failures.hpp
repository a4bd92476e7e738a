#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/http_client/message.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::cloud {

// What a call to a cloud can come to, beside an answer. Thrown where a reply is read; CloudProvider
// turns each into the verb's answer. Texts go to people.

/// The cloud gave a definite negative answer.
class Refusal : public std::runtime_error {
 public:
    explicit Refusal(Refused refused)
        : std::runtime_error(refused.message), refused_(std::move(refused)) {}
    const Refused& refused() const { return refused_; }

 private:
    Refused refused_;
};

/// The cloud has no room for such a machine here: another zone or flavor may have. CloudProvider
/// tries the next placement. Nothing was made, or what was made has been taken away.
class NoCapacity : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// Something is under way and the verb must wait: answered as Pending.
class NotYet : public std::runtime_error {
 public:
    NotYet(std::chrono::milliseconds poll_in, const std::string& reason)
        : std::runtime_error(reason), poll_in_(poll_in) {}
    std::chrono::milliseconds poll_in() const { return poll_in_; }

 private:
    std::chrono::milliseconds poll_in_;
};

/// There was no usable answer: the connection broke, the reply was cut off or unreadable, or the
/// cloud said 5xx. Whether the call took effect is unknown.
class Lost : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// A refusal before anything was made that another try does not change.
Refusal wrong(std::string message);
/// Throws wrong() when a group, tag or name that fields ask for is one that we make: it begins with
/// "cooperage-". Machines of a cluster trust whoever has the cluster's group or tag.
void refuse_own_name(std::string_view field, std::string_view name);
/// A refusal before anything was made that time may change: a quota that others use up.
Refusal busy(std::string message);
/// The refusal of the login. `said` are the cloud's own words, without secrets. Names a clock that
/// is wrong by more than `tolerated` as the likely cause, by the reply's Date header.
Refusal wrong_credentials(const http_client::Reply& reply, base::Timestamp now,
                          std::string_view said,
                          std::chrono::seconds tolerated = std::chrono::minutes{4});

/// How far this machine's clock is ahead of the reply's Date header (RFC 9110, section 5.6.7); zero
/// without one.
std::chrono::seconds clock_ahead(const http_client::Reply& reply, base::Timestamp now);

/// What Retry-After asks for, as seconds or as a date (RFC 9110, section 10.2.3), at most an hour;
/// zero without a header that can be read.
std::chrono::milliseconds retry_after(const http_client::Reply& reply, base::Timestamp now);

/// When RateLimit-Reset says that calls are allowed again, as a wait: at least a second and at most
/// a minute; zero without a header that can be read. It is a number of seconds, or of the epoch.
std::chrono::milliseconds until_reset(const http_client::Reply& reply, base::Timestamp now);

/// "there is no image "debain-12"; near: debian-12, debian-11". `what` is the noun. Without near
/// names, the first few of what there is.
std::string unknown_name(std::string_view what, std::string_view name,
                         const std::vector<std::string>& known);

/// At most `most` names, the nearest first, by edit distance without regard to case, and names that
/// contain `name`. Of more than 100,000 known names the first are looked at, and of those that are
/// about as long as `name` the first 5,000 compared.
std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& known,
                                    std::size_t most = 3);

/// Words of a cloud, fit for a message: valid UTF-8, control characters as blanks, at most 500
/// bytes.
std::string words_of(std::string_view text);

/// "status 502, text/html": what to say of an answer that is not what the API speaks. Its body is
/// left out, because it may be that of another service, which the account's owner may not read.
std::string form_of(const http_client::Reply& reply);

}  // namespace provisioner::providers::cloud
