#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/callback.hpp"
#include "provisioner/model/tenants/tenant.hpp"

namespace provisioner::model {

/// Which mails a user wants: a row of table mail_choice.
struct MailChoice {
    /// Confirmed: a code that was sent there has come back. Empty: nothing is sent.
    std::string address{};
    /// What mails tell of. `start` is never among them.
    std::set<CallbackEvent> events{};
    /// Whether they tell of what the user administers, too: the installation, or the budget of the
    /// tenant. Counts for superadmins and administrators only.
    bool of_installation = false;
    /// Whether they tell of failed logins to the user's account.
    bool of_failed_logins = false;
    /// Takes the place of `address` as soon as its code is given. Empty: none waits.
    std::string next_address{};
};

/// The code that was sent to MailChoice::next_address.
struct MailCode {
    /// identity::checksum() of the code.
    std::string hash{};
    base::Timestamp until{};
    /// Wrong codes that were given.
    int tries = 0;
};

/// How far the mail with a code is.
enum class CodeDelivery {
    /// Sent, or refused for good by the mail server.
    ended,
    /// No attempt has failed yet.
    waiting,
    /// An attempt has failed; it is tried again until the code ends.
    failing
};

/// A mail that waits to be sent: a row of table mail.
struct Mail {
    std::int64_t id = 0;
    UserId user{};
    std::string address{};
    std::string subject{};
    /// Lines of plain text.
    std::string body{};
    /// Confirms an address: goes before others.
    bool is_code = false;
    /// Later it is not sent any more: news of days ago help nobody.
    std::chrono::minutes lives{36 * 60};
    /// Attempts begun, including one under way.
    int attempts = 0;
    /// Whether it has become too old, or its user is locked: it is not sent.
    bool is_over = false;
    base::Timestamp created_at{};
};

/// What happened to a cluster, for the mail to its owner.
struct MailEvent {
    UserId owner{};
    /// The owner's confirmed address.
    std::string address{};
    CallbackEvent event = CallbackEvent::failure;
    ClusterId cluster{};
    std::string cluster_name{};
    JobId job{};
    /// Of that job; of no meaning for `expiring`.
    Operation operation = Operation::cluster_create;
    /// Job::without of it.
    std::vector<std::string> without{};
    /// Why the job failed.
    std::string message{};
    base::Timestamp at{};
    std::optional<base::Timestamp> expires_at{};
};

/// The end of a mail that somebody gets because they chose to. `site` is the address of the
/// installation with its prefix; empty: without a link.
std::string mail_footer(const std::string& site);

/// "2026-11-26 17:50 UTC", as mails say moments.
std::string minute_in_utc(base::Timestamp moment);

/// Whether mails can go to an address: local part and domain in ASCII, without comments, quotes and
/// address literals, at most 254 characters. Whether somebody reads it only a code can tell.
/// Source: RFC 5321, section 4.1.2, dot-string and domain.
bool is_mail_address(const std::string& text);

}  // namespace provisioner::model
