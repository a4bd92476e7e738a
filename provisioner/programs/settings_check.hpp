#pragma once

#include <functional>
#include <string>
#include <vector>

#include "provisioner/base/config.hpp"
#include "provisioner/base/problem.hpp"

namespace provisioner::programs {

/// What a program needs of the file system under the path of a setting.
struct Need {
    enum class Kind {
        /// A file that can be read.
        file,
        /// A folder that can be read.
        folder,
        /// A place whose folder exists and can be written.
        place,
    };

    std::string setting;
    Kind kind = Kind::file;
    /// Appended to the path of the setting: ".pub".
    std::string suffix{};
};

/// Everything that is wrong with the settings for one program: what base::check() finds, needs that
/// are not met, and a file that cannot be read at all. The paths are looked at with the rights of
/// this process. Asks no server. Empty when all is fine.
base::Problems check_settings(const std::string& path, const std::string& program,
                              const std::vector<Need>& needs);

/// Answers `--check`: prints every problem, or that there is none, and returns the exit code.
/// `more` is called when the settings by themselves are fine, to try what they lead to; an
/// exception is a problem, too.
int report_check(const base::Problems& problems, const std::function<void()>& more);

}  // namespace provisioner::programs
