#pragma once

#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/mail.hpp"

namespace provisioner::callbacks {

/// A mail as it goes to the server: header and body with lines ending in CR LF, all of it ASCII of
/// at most 78 characters a line. `from` is the sender's address, `id` the installation's: a mail
/// that arrives twice has the same Message-ID. Pure. Source: RFC 5322, RFC 2045 (base64), RFC 2047
/// (subject), RFC 3834 (Auto-Submitted).
std::string mail_message(const model::Mail& mail, const std::string& from, const std::string& id);

/// "Thu, 26 Nov 2026 17:50:13 +0000". Source: RFC 5322, section 3.3.
std::string mail_date(base::Timestamp moment);

}  // namespace provisioner::callbacks
