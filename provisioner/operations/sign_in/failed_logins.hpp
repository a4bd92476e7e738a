#pragma once

#include <chrono>
#include <string>

#include "provisioner/model/tenants/mail.hpp"
#include "provisioner/store/tenants/failed_login_store.hpp"

namespace provisioner::operations {

// Users who want to are told by mail of failed logins to their account. The daemon reads them from
// the audit log.

/// A user gets at most one such mail in this time. It tells what failed since the one before.
inline constexpr std::chrono::minutes failed_logins_pause{60};
/// Most addresses in one mail; of further ones it says how many there are.
inline constexpr std::size_t addresses_in_mail = 20;

/// The mail that tells it. `site` is the address of the installation with its prefix, for links;
/// empty: without links. Pure.
model::Mail mail_about_failed_logins(const store::FailedLoginNews& news, const std::string& site);

/// Writes the mails that are due. Several daemons may do it at once: each mail is written by one.
/// Returns how many.
int tell_failed_logins(store::Database& database, const std::string& site);

}  // namespace provisioner::operations
