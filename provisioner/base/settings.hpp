#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/config.hpp"
#include "provisioner/base/problem.hpp"

namespace provisioner::base {

/// One setting that an administrator may write into the settings file. The table of all settings is
/// the only place that knows their names, defaults and ranges: checks, the manual page
/// cooperage.conf(5) and the file that packages install are made from it.
struct Setting {
    enum class Kind { text, path, number, octal, choice, address };

    /// "web.threads". `callback.*` and `retention.*` are written out, one row each.
    std::string_view name;
    Kind kind = Kind::text;
    /// What holds when no file sets it. Empty: off, none, or said by `meaning`.
    std::string_view otherwise;
    /// A sentence for administrators: what it means, and its unit.
    std::string_view meaning;
    /// The range of a number, both inclusive.
    long least = 0;
    long most = 1'000'000'000'000;
    /// The words of a choice, separated by '|'.
    std::string_view words = {};
};

/// All settings, in the order in which the manual page shows them.
const std::vector<Setting>& settings();

/// The setting of that name; null for an unknown one. A name with a program before it
/// ("web.database.user") is found as the one without ("database.user").
const Setting* find_setting(std::string_view name);

/// Everything that is wrong with the settings by themselves: names that no program knows, with the
/// one that may be meant, and values out of their range. Looks at no file and no server. Each
/// problem's field is the name as it was written. Empty when all is fine.
Problems check(const Config& config);

/// A settings file in which each setting stands as a comment with its meaning and default.
std::string settings_file();

}  // namespace provisioner::base
