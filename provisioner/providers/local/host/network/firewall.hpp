#pragma once

#include <string>

namespace provisioner::providers::local {

/// Sees to it that the network's rules (rules.hpp) hold: loads them in one step, unless exactly
/// these are loaded and nobody has changed them since. Other tables are not touched. Returns why
/// they cannot be had, as a sentence without a full stop; empty if they hold.
///
/// What was loaded is kept in /run/cooperage/rules/<network>, with the kernel's number of the last
/// change of anybody's rules. If that number is still the same, this takes microseconds; else the
/// table is listed and compared (5 ms), and loaded (20 ms) only if it differs.
///
/// Calls for one network must not overlap.
std::string hold_rules(int network, const std::string& rules);

/// Whether rules of the network were loaded.
bool has_rules(int network);

/// The same as hold_rules() with the rules that were loaded last; nothing is done if none were.
std::string hold_last_rules(int network);

/// Removes the network's table, if there can be one. A failure is reported on standard error.
void drop_rules(int network);

}  // namespace provisioner::providers::local
