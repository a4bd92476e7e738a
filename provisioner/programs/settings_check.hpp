#pragma once

#include <functional>
#include <string>
#include <vector>

#include "provisioner/base/config.hpp"
#include "provisioner/base/log.hpp"
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
        /// A folder that can be written, where the setting names one.
        store,
    };

    std::string setting;
    Kind kind = Kind::file;
    /// Appended to the path of the setting: ".pub".
    std::string suffix{};
};

/// Makes what the program will make of its settings when it starts; an exception is a problem. Asks
/// no server.
using Try = std::function<void(const base::Config&)>;

/// Everything that is wrong with the settings for one program: what base::check() finds, needs that
/// are not met, tries that fail, and a file that cannot be read at all. The paths are looked at
/// with the rights of this process. Asks no server. Empty when all is fine.
base::Problems check_settings(const std::string& path, const std::string& program,
                              const std::vector<Need>& needs, const std::vector<Try>& tries);

/// Answers `--check`: prints every problem, or that there is none, and returns the exit code.
/// `more` is called when the settings by themselves are fine, to try what they lead to; an
/// exception is a problem, too.
int report_check(const base::Problems& problems, const std::function<void()>& more);

/// Answers the trial of a reload (keeper.hpp): logs every problem and returns the exit code.
int report_trial(const base::Problems& problems, const base::Log& log);

/// Makes root the user of that name, so that a check sees what the program will see. Others stay
/// who they are. Throws std::runtime_error when there is no such user.
void become(const std::string& user);

}  // namespace provisioner::programs
