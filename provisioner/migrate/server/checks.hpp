#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/migrate/server/server_facts.hpp"

namespace provisioner::migrate {

/// What a server or an account lacks.
struct Findings {
    /// The programs would fail or lose something. Each names the variable, its value, the wanted
    /// one, and how to set it.
    std::vector<std::string> refusals;
    /// They work, but worse or less safely than they could.
    std::vector<std::string> warnings;
};

/// Looks at everything and not only at the first mistake. What sessions set themselves (sql_mode,
/// time_zone, isolation, lock time-outs) is not looked at. `program` is whose account was used, see
/// rights.hpp. Pure.
Findings check(const ServerFacts& facts, const std::string& database, std::string_view program);

/// The findings, one a line: "error: ..." and "warning: ...".
std::string to_text(const Findings& findings);

}  // namespace provisioner::migrate
