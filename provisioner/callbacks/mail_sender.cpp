#include "provisioner/callbacks/mail_sender.hpp"

#include <fstream>
#include <stdexcept>

#include "provisioner/base/shown_address.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/callbacks/event_mails.hpp"
#include "provisioner/callbacks/mail_message.hpp"
#include "provisioner/identity/private_file.hpp"
#include "provisioner/queue/retry.hpp"
#include "provisioner/store/tenants/mail_store.hpp"

namespace provisioner::callbacks {

namespace {

constexpr std::chrono::seconds time_between_looks{60};
constexpr int events_at_once = 500;
/// How long a mail stays taken beyond the limit of its delivery.
constexpr std::chrono::seconds margin_of_mail{50};

std::string site_in(const base::Config& config) {
    const std::string address = config.get_or("web.address", "");
    return address.empty() ? "" : address + config.get_or("web.prefix", "");
}

}  // namespace

std::optional<MailRules> mail_rules_from(const base::Config& config) {
    MailRules rules{.server = {.url = config.get_or("mail.server", "")},
                    .from = config.get_or("mail.from", ""),
                    .site = site_in(config)};
    if (rules.server.url.empty()) return std::nullopt;
    if (!http_client::read_mail_server(rules.server.url).is_valid) {
        throw std::runtime_error(
            "mail.server has to be smtp://host:port or smtps://host:port, not " +
            base::without_credentials(rules.server.url));
    }
    if (!model::is_mail_address(rules.from)) {
        throw std::runtime_error("mail.from has to be the address that mails come from, not \"" +
                                 rules.from + "\"");
    }
    rules.server.user = config.get_or("mail.user", "");
    const std::string file = config.get_or("mail.password_file", "");
    if (rules.server.user.empty() != file.empty()) {
        throw std::runtime_error("mail.user and mail.password_file are only set together");
    }
    if (!file.empty()) rules.server.password = identity::private_line(file);
    rules.server.authorities = config.get_or("mail.tls_ca", "");
    if (!rules.server.authorities.empty() && !std::ifstream(rules.server.authorities)) {
        throw std::runtime_error("mail.tls_ca cannot be read: " + rules.server.authorities);
    }
    rules.server.limit = std::chrono::seconds{config.number_or("mail.timeout", 20)};
    return rules;
}

MailSender::MailSender(store::Database& database, MailRules rules, std::string installation,
                       const base::Clock& clock, const base::Log& log)
    : database_(database),
      rules_(std::move(rules)),
      installation_(std::move(installation)),
      clock_(clock),
      log_(log),
      failed_looks_(log, "mails.not_written", "mails.written_again") {}

// Events are marked in the transaction that writes their mails, so none is lost and none is told
// twice. Two at once: SKIP LOCKED gives each event to one.
bool MailSender::note_events() {
    const int taken = database_.write([&](store::Connection& connection) {
        const auto events = store::take_mail_events(connection, events_at_once);
        for (const model::Mail& mail : event_mails(events.wanted, rules_.site)) {
            store::insert_mail(connection, mail);
        }
        return events.taken;
    });
    return taken == events_at_once;
}

void MailSender::settle(const model::Mail& mail, const http_client::MailReply& reply) {
    std::optional<std::chrono::milliseconds> again;
    if (!reply.error.empty() && !reply.is_refused) {
        const double jitter = std::uniform_real_distribution<>(0.0, 1.0)(random_);
        again = queue::retry_in(queue::Cause::callback, mail.attempts, jitter);
    }
    if (!reply.error.empty()) {
        log_.warn(again ? "mail.failed" : "mail.given_up",
                  {{"mail", static_cast<long>(mail.id)},
                   {"user", static_cast<long>(mail.user.value)},
                   {"attempt", mail.attempts},
                   {"error", base::to_utf8(reply.error)}});
    }
    database_.write([&](store::Connection& connection) {
        if (again) {
            store::put_off_mail(
                connection, mail.id, *again,
                base::without_credentials(rules_.server.url) + ": " + base::to_utf8(reply.error));
        } else {
            store::delete_mail(connection, mail.id);
        }
    });
}

int MailSender::send_due() {
    const auto now = clock_.now();
    bool has_more = false;
    // A clock that is put back must not stop it.
    if (now >= next_look_ || next_look_ - now > time_between_looks) {
        next_look_ = now + time_between_looks;
        try {
            has_more = note_events();
            if (has_more) next_look_ = now;
            failed_looks_.worked();
        } catch (const std::exception& error) {
            failed_looks_.failed(error.what());
        }
    }
    const auto mail = database_.write([&](store::Connection& connection) {
        return store::take_mail(connection, rules_.server.limit + margin_of_mail);
    });
    if (!mail) return has_more ? 1 : 0;
    if (mail->is_over) {
        settle(*mail, {.error = "it is too old, or its user is locked", .is_refused = true});
        return 1;
    }
    settle(*mail, http_client::send_mail(rules_.server,
                                         {.from = rules_.from,
                                          .to = mail->address,
                                          .text = mail_message(*mail, rules_.from, installation_)},
                                         [this] { return is_stopped_.load(); }));
    return 1;
}

}  // namespace provisioner::callbacks
