#pragma once

#include <set>
#include <string>

#include "provisioner/base/secret.hpp"
#include "provisioner/model/tenants/mail.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Which mails people get about their clusters and their account. An address counts once its owner
// has given back the code that was sent to it: nobody can have mails sent to others, but for these
// codes, which are few.

/// Codes that are sent for one user on one day (UTC).
inline constexpr int mail_codes_a_day = 5;
/// Codes that are sent to one address on one day, for whomever.
inline constexpr int mail_codes_to_address = 10;
/// Wrong codes after which a code is worth nothing.
inline constexpr int mail_code_tries = 5;
/// How long a code is good.
inline constexpr std::chrono::minutes mail_code_lives{30};

/// What a user asks for.
struct MailWish {
    /// Empty: no mails.
    std::string address{};
    /// `start` is refused.
    std::set<model::CallbackEvent> events{};
    /// Mails about what they administer (daemons/troubles.hpp): for superadmins the whole
    /// installation, for administrators the budget of their tenant. Of others ignored.
    bool of_installation = false;
    /// Mails about failed logins to the user's account (sign_in/failed_logins.hpp).
    bool of_failed_logins = false;
};

/// Stores the caller's wish. Events count at once. An address that is not the present one gets a
/// mail with a code and waits for it (MailChoice::next_address); until then mails go to the present
/// one, if there is one. An address that waits already gets another code, unless its code is good
/// and only the events change. An empty address ends mails at once, also those that wait to be
/// sent; the address before gets a last one that says so. Recorded in the audit log.
///
/// Refused as invalid when the address is none or no event is chosen, as conflict when too many
/// codes were sent today.
Result<model::MailChoice> choose_mails(store::Database& database, const model::Caller& caller,
                                       const MailWish& wish, base::Timestamp now);

/// Makes the next address the caller's, if the code is the one that was sent there. The address
/// before gets a last mail that says so. Recorded in the audit log.
///
/// Refused as invalid when the code is wrong, too old, or was guessed too often.
Result<model::MailChoice> confirm_mail_address(store::Database& database,
                                               const model::Caller& caller,
                                               const base::Secret& code, base::Timestamp now);

/// Whether the code of the next address can still be given.
bool is_good(const std::optional<model::MailCode>& code, base::Timestamp now);

}  // namespace provisioner::operations
