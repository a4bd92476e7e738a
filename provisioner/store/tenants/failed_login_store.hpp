#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Failed logins of users who want mails about them (MailChoice::failed_logins). The audit log has
// them, so a login itself does nothing for these mails and takes as long as any other.

/// Failed logins from one address.
struct FailedLogins {
    /// As the audit log has it.
    std::string address{};
    std::int64_t tries = 0;
    /// Of these, how many had the right password and a wrong second factor.
    std::int64_t with_password = 0;
};

/// What a user is to be told now.
struct FailedLoginNews {
    model::UserId user{};
    std::string user_name{};
    std::string tenant{};
    /// The user's confirmed address for mails.
    std::string mail_address{};
    /// By address; never empty.
    std::vector<FailedLogins> from{};
    /// Number of the newest of their events in the log of the tenant.
    std::int64_t last = 0;
    base::Timestamp first_at{};
    base::Timestamp last_at{};
};

/// What was not told yet, for those to whom no such mail was written within `pause`. Without locked
/// users.
std::vector<FailedLoginNews> list_failed_login_news(Connection& connection,
                                                    std::chrono::minutes pause);

/// Notes that `news` is told now. False if another daemon has done it meanwhile.
bool note_failed_logins(Connection& connection, const FailedLoginNews& news,
                        std::chrono::minutes pause);

/// What has failed until now is not told to a user of the tenant. Before: lock_mail_choice.
void skip_failed_logins(Connection& connection, model::UserId user, model::TenantId tenant);

}  // namespace provisioner::store
