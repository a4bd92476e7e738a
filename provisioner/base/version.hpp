#pragma once

#include <string_view>

namespace provisioner::base {

/// Version of this program, "0.1.0": PROJECT_VERSION of the top CMakeLists.txt.
std::string_view version();

/// Number of the last file in sql/migrations when this program was built: the schema that its
/// statements are written for. At least 1.
int schema_version();

}  // namespace provisioner::base
