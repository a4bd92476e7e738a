#pragma once

#include <string>
#include <vector>

#include "provisioner/base/json.hpp"

namespace fcgi::pages {

// What people read for members of documents: entries of the catalogue, tenants, users, clusters.
// Pure.

/// The words of the forms for a member by its path: "constraints.size.max" is "Maximum machines",
/// "providermap.cloud.flavor" is "Flavor at cloud". A path that is not known stays, one name gets a
/// capital: "publicKey" is "Public key".
std::string member_label(const std::string& path);

/// Those of several members, each once.
std::vector<std::string> member_labels(const std::vector<std::string>& paths);

/// A value of that member as the forms write it: "5 days" for 432000000 of a lease, "no limit",
/// "yes" for true. Secrets are hidden. Any other value stays.
std::string member_value(const std::string& path, const std::string& value);

/// What value_differences() found, in these words.
provisioner::base::Json in_words(provisioner::base::Json differences);

}  // namespace fcgi::pages
