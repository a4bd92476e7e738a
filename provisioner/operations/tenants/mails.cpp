#include "provisioner/operations/tenants/mails.hpp"

#include <algorithm>
#include <utility>

#include "provisioner/identity/checksum.hpp"
#include "provisioner/identity/constant_time.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/store/tenants/failed_login_store.hpp"
#include "provisioner/store/tenants/mail_store.hpp"

namespace provisioner::operations {

namespace {

constexpr std::size_t characters_of_code = 8;

/// 32 random bits in lower-case hexadecimal.
std::string new_mail_code() {
    const std::string token = identity::new_token().reveal();
    return token.substr(token.size() - characters_of_code);
}

/// As people type it: blanks around and capitals do not matter.
std::string normal_code(const std::string& typed) {
    std::string code;
    for (const char c : typed) {
        if (c == ' ' || c == '-') continue;
        code += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    return code;
}

base::Json audited_choice(const model::MailChoice& choice) {
    base::Json events = base::Json::array();
    for (const auto event : choice.events) events.push_back(base::to_word(event));
    return {{"mailAddress", choice.address},
            {"nextMailAddress", choice.next_address},
            {"mailEvents", std::move(events)},
            {"mailsOfInstallation", choice.of_installation},
            {"mailsOfFailedLogins", choice.of_failed_logins}};
}

model::Mail code_mail(const model::Caller& caller, const std::string& address,
                      const std::string& code) {
    return {.user = caller.user.id,
            .address = address,
            .subject = "Your code for mails from Cooperage: " + code,
            .body = "The user " + caller.user.name + " of the tenant " + caller.tenant.name +
                    " wants mails from Cooperage to go to this address.\n\nThe code is " + code +
                    ". It is good for " + std::to_string(mail_code_lives.count()) +
                    " minutes.\n\nIf that was not you, ignore this mail: without the code "
                    "nothing more is sent here.\n",
            .is_code = true,
            .lives = mail_code_lives};
}

model::Mail farewell(const model::Caller& caller, const std::string& address) {
    return {.user = caller.user.id,
            .address = address,
            .subject = "Mails from Cooperage do not come here any more",
            .body = "The user " + caller.user.name + " of the tenant " + caller.tenant.name +
                    " gets no mails from Cooperage at this address from now on.\n\nIf that was "
                    "not you, change your password and look at your sessions.\n"};
}

base::Problems problems_with(const MailWish& wish) {
    base::Problems problems;
    if (!wish.address.empty() && !model::is_mail_address(wish.address)) {
        problems.push_back({"address", "Enter an email address, like ada@example.com."});
    }
    if (wish.events.contains(model::CallbackEvent::start)) {
        problems.push_back({"events", "These can be failure, success and expiring."});
    } else if (!wish.address.empty() && wish.events.empty() && !wish.of_installation &&
               !wish.of_failed_logins) {
        problems.push_back({"events", "Choose at least one, or leave the address empty."});
    }
    return problems;
}

bool has_changed_events(const model::MailChoice& now, const model::MailChoice& before) {
    return now.events != before.events || now.of_installation != before.of_installation ||
           now.of_failed_logins != before.of_failed_logins;
}

bool may_send_code(store::Connection& connection, const model::Caller& caller,
                   const std::string& address) {
    return store::mail_codes_today(connection, caller.user.id) < mail_codes_a_day &&
           store::mail_codes_to(connection, address) < mail_codes_to_address;
}

/// Sends a code to the next address of the choice, which is stored.
void send_code(store::Connection& connection, const model::Caller& caller,
               const model::MailChoice& choice, base::Timestamp now) {
    const std::string code = new_mail_code();
    store::save_mail_code(connection, caller.user.id,
                          {.hash = identity::checksum(code), .until = now + mail_code_lives});
    store::delete_mails_of(connection, caller.user.id, true);
    store::insert_mail(connection, code_mail(caller, choice.next_address, code));
}

}  // namespace

bool is_good(const std::optional<model::MailCode>& code, base::Timestamp now) {
    return code && code->until > now && code->tries < mail_code_tries;
}

Result<model::MailChoice> choose_mails(store::Database& database, const model::Caller& caller,
                                       const MailWish& wish, base::Timestamp now) {
    if (auto problems = problems_with(wish); !problems.empty()) {
        return refuse(Refusal::Kind::invalid, std::move(problems));
    }
    return database.write([&](store::Connection& connection) -> Result<model::MailChoice> {
        const auto before = store::lock_mail_choice(connection, caller.user.id);
        model::MailChoice choice{.address = before.address, .events = wish.events};
        choice.of_installation = wish.of_installation && caller.is_admin();
        choice.of_failed_logins = wish.of_failed_logins;
        if (wish.address.empty()) choice.address.clear();
        if (wish.address != choice.address) choice.next_address = wish.address;
        const bool keeps_code = choice.next_address == before.next_address &&
                                has_changed_events(choice, before) &&
                                is_good(store::find_mail_code(connection, caller.user.id), now);
        const bool needs_code = !choice.next_address.empty() && !keeps_code;
        if (needs_code && !may_send_code(connection, caller, choice.next_address)) {
            return refuse(Refusal::Kind::conflict, "address",
                          "Enough codes were sent today. Try again tomorrow.");
        }
        store::save_mail_choice(connection, caller.user.id, choice);
        if (choice.of_failed_logins && !before.of_failed_logins) {
            store::skip_failed_logins(connection, caller.user.id, caller.tenant.id);
        }
        if (!keeps_code) store::drop_mail_code(connection, caller.user.id);
        if (needs_code) send_code(connection, caller, choice, now);
        if (choice.address != before.address) {
            store::delete_mails_of(connection, caller.user.id, false);
            store::insert_mail(connection, farewell(caller, before.address));
        }
        audit_user(connection, caller, "user.choose-mails", caller.user, audited_choice(before),
                   audited_choice(choice));
        return choice;
    });
}

Result<model::MailChoice> confirm_mail_address(store::Database& database,
                                               const model::Caller& caller,
                                               const base::Secret& code, base::Timestamp now) {
    const std::string hash = identity::checksum(normal_code(code.reveal()));
    return database.write([&](store::Connection& connection) -> Result<model::MailChoice> {
        const auto before = store::lock_mail_choice(connection, caller.user.id);
        const auto sent = store::find_mail_code(connection, caller.user.id);
        if (!is_good(sent, now)) {
            return refuse(
                Refusal::Kind::invalid, "code",
                "This code is too old, or was guessed too often. Save the address again to "
                "get a new one.");
        }
        if (!identity::are_equal_in_constant_time(hash, sent->hash)) {
            store::count_wrong_mail_code(connection, caller.user.id);
            return refuse(Refusal::Kind::invalid, "code", "This is not the code that was sent.");
        }
        model::MailChoice choice = before;
        choice.address = std::exchange(choice.next_address, "");
        store::save_mail_choice(connection, caller.user.id, choice);
        store::drop_mail_code(connection, caller.user.id);
        if (!before.address.empty()) {
            store::readdress_mails(connection, caller.user.id, choice.address);
            store::insert_mail(connection, farewell(caller, before.address));
        }
        audit_user(connection, caller, "user.choose-mails", caller.user, audited_choice(before),
                   audited_choice(choice));
        return choice;
    });
}

}  // namespace provisioner::operations
