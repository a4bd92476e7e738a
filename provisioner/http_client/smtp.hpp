#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "provisioner/base/secret.hpp"

namespace provisioner::http_client {

/// A server that takes mails. Source: RFC 5321, RFC 3207 (STARTTLS), RFC 8314 (TLS from the start).
struct MailServer {
    /// smtp://host:port, with STARTTLS unless the host is this machine, or smtps://host:port.
    /// Empty: there is none.
    std::string url{};
    /// Account; empty: the server asks for none.
    std::string user{};
    base::Secret password{};
    /// PEM file of the authorities that sign the server's certificate; empty: those of the system.
    /// With it a server on this machine is spoken to with STARTTLS, too.
    std::string authorities{};
    /// For one mail, from the connection to the server's answer.
    std::chrono::seconds limit{20};
};

/// Whether `url` is of that form; `plain` says whether nothing is encrypted.
struct MailServerAddress {
    bool is_valid = false;
    bool is_plain = false;
};
MailServerAddress read_mail_server(const std::string& url);

/// One mail for one receiver.
struct MailToSend {
    /// Addresses without brackets. They must be model::is_mail_address().
    std::string from{};
    std::string to{};
    /// Header and body, lines ending in CR LF.
    std::string text{};
};

/// What the server made of a mail.
struct MailReply {
    /// Empty: it took the mail. Never has the password.
    std::string error{};
    /// Whether it will never take this mail: it answered 550 to 553 or 556 to the receiver or to
    /// the text, or 554 to the text. Refusals of the sender or the account are none: their settings
    /// are mended one day.
    bool is_refused = false;
};

/// Sends a mail and blocks until the server has answered, at most `server.limit` and ten seconds
/// for its goodbye, or until `is_stopped`, which is asked about once a second. Certificates are
/// verified. A mail may arrive twice when the answer to it is lost. Safe from any thread.
MailReply send_mail(const MailServer& server, const MailToSend& mail,
                    const std::function<bool()>& is_stopped);

}  // namespace provisioner::http_client
