#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/tenants/mail.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Mails to people about their clusters: what each of them wants (table mail_choice), and what waits
// to be sent (table mail). Events are rows of the table callback, which are written in the
// transaction that makes them true; the daemon makes mails of those that somebody wants.

/// What a user wants; without an address when they never chose.
model::MailChoice find_mail_choice(Connection& connection, model::UserId user);

/// The same, locked until the transaction ends. Makes an empty row for a user who never chose.
model::MailChoice lock_mail_choice(Connection& connection, model::UserId user);

/// Stores address, events and next address. Does not change the code.
void save_mail_choice(Connection& connection, model::UserId user, const model::MailChoice& choice);

/// The code of the next address; nothing when none waits. Before: lock_mail_choice.
std::optional<model::MailCode> find_mail_code(Connection& connection, model::UserId user);

/// Stores a new code and counts it. Before: save_mail_choice.
void save_mail_code(Connection& connection, model::UserId user, const model::MailCode& code);

/// How far the mail with the user's code is.
model::CodeDelivery delivery_of_code(Connection& connection, model::UserId user);

/// Forgets the code.
void drop_mail_code(Connection& connection, model::UserId user);

/// Counts a wrong code.
void count_wrong_mail_code(Connection& connection, model::UserId user);

/// How many codes were sent to the user today, in UTC by the database's clock.
int mail_codes_today(Connection& connection, model::UserId user);

/// How many codes were sent today to users for whom the address waits.
int mail_codes_to(Connection& connection, const std::string& address);

/// Deletes what waits to be sent to a user: all of it, or codes only.
void delete_mails_of(Connection& connection, model::UserId user, bool only_codes);

/// Mails of a user that wait, except codes, go to another address.
void readdress_mails(Connection& connection, model::UserId user, const std::string& address);

/// Writes a mail that is sent at once, and given up after Mail::lives. A subject longer than 255
/// bytes loses its end.
void insert_mail(Connection& connection, const model::Mail& mail);

/// This function and those below are for the daemon, not for requests.
///
/// What take_mail_events took.
struct TakenEvents {
    /// Those that their owner wants by mail and that happened within the last day, by owner and
    /// time: after a long outage nobody gets mails about what is long over.
    std::vector<model::MailEvent> wanted;
    /// How many were marked.
    int taken = 0;
};

/// Takes the oldest events of which no mail was written yet, at most `limit`, and marks them. Skips
/// rows that another daemon has locked.
TakenEvents take_mail_events(Connection& connection, int limit);

/// Takes the due mail that waits longest, counts an attempt, and makes it due again after `hold`,
/// in case that its daemon dies. Nothing when none is due. Skips rows that another daemon has
/// locked.
std::optional<model::Mail> take_mail(Connection& connection, std::chrono::seconds hold);

/// Deletes a mail: it was sent or given up.
void delete_mail(Connection& connection, std::int64_t id);

/// Makes a mail due again after `pause`, and stores why it was not sent. An error longer than 500
/// bytes loses its end.
void put_off_mail(Connection& connection, std::int64_t id, std::chrono::milliseconds pause,
                  const std::string& error);

}  // namespace provisioner::store
