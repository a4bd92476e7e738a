#pragma once

#include <atomic>
#include <optional>
#include <random>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/base/failure_log.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/http_client/smtp.hpp"
#include "provisioner/model/tenants/mail.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::callbacks {

/// How mails are sent: the settings mail.* and web.address.
struct MailRules {
    http_client::MailServer server{};
    /// The sender's address.
    std::string from{};
    /// Address of the site with its prefix, for links; may be empty.
    std::string site{};
};

/// Reads the settings; nothing when no mail.server is set. Throws std::runtime_error that names the
/// setting which is wrong, and VaultError when the file of the password cannot be read.
std::optional<MailRules> mail_rules_from(const base::Config& config);

/// Makes mails of events, and sends mails that the database holds (table mail), at least once each.
///
/// Once a minute it looks for events since the last look, and writes one mail to each owner who
/// wants them: an outage that fails a hundred clusters fills nobody's mailbox. A mail that was not
/// taken is sent again by the rule of queue::Cause::callback and then given up; one that the server
/// refuses for good, or that is too old, is given up at once. Several daemons may do this at once:
/// each event and each mail is taken by one of them.
///
/// One thread at a time; a RoundThread provides it in the daemon.
class MailSender {
 public:
    /// `database`, `clock` and `log` must outlive it. `installation` is the id of the installation.
    MailSender(store::Database& database, MailRules rules, std::string installation,
               const base::Clock& clock, const base::Log& log);

    /// One round: writes mails about new events if a minute has passed, at most 500 events, and
    /// sends the mail that waits longest. Returns 0 when there is nothing more to do now. Blocks
    /// for up to MailServer::limit and the database. Throws what the database throws; events that
    /// cannot be read keep no mail from being sent.
    int send_due();

    /// Ends the delivery under way within about a second; its mail is sent again. Safe from any
    /// thread.
    void stop() { is_stopped_ = true; }

 private:
    /// Writes the mails about events that nobody was told of. Whether there are more of them.
    bool note_events();
    /// Deletes the mail or makes it due again.
    void settle(const model::Mail& mail, const http_client::MailReply& reply);

    store::Database& database_;
    MailRules rules_;
    std::string installation_;
    const base::Clock& clock_;
    const base::Log& log_;
    base::FailureLog failed_looks_;
    std::atomic<bool> is_stopped_ = false;
    /// When events are looked for next.
    base::Timestamp next_look_{};
    /// For the jitter of retries.
    std::mt19937 random_{std::random_device{}()};
};

}  // namespace provisioner::callbacks
