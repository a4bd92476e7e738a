#pragma once

#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/audit/event.hpp"

/// Events in the forms in which they leave the installation. Each is one line, whatever names and
/// reasons contain.
namespace provisioner::model::audit {

/// All members of the event. `before` and `after` are documents, or null. For the API and for
/// webhooks, where it is one line.
base::Json to_json(const Event& event);

/// The names of the columns of csv_values(), in their order.
const std::vector<std::string>& csv_columns();

/// The event as a row of a table. A value that a spreadsheet would take for a formula gets an
/// apostrophe before it. Control characters become blanks. Source: OWASP, "CSV Injection".
std::vector<std::string> csv_values(const Event& event);

/// A message of RFC 5424 without a line end: facility 13 (log audit), severity notice, or warning
/// for what was refused or failed. `host` is of the sender, `chain` the name of the tenant. The
/// structured data has the members that are not empty, hash included, and not the documents.
std::string syslog_message(const Event& event, const std::string& host, const std::string& chain);

/// The message with its length before it: RFC 6587, 3.4.1 (octet counting).
std::string framed(const std::string& message);

}  // namespace provisioner::model::audit
