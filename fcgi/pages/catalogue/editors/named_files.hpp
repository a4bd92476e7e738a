#pragma once

#include <string>
#include <vector>

#include "fcgi/pages/catalogue/files/given_files.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// A file that a field of a service's action names.
struct NamedFile {
    enum class State {
        /// Machines get it, now or after the next sync.
        in_use,
        /// It is uploaded, and machines do not get it.
        unused,
        /// There are others, and none of this name.
        missing
    };

    /// "install".
    std::string action{};
    std::string automator{};
    /// "script".
    std::string field{};
    std::string file{};
    /// The page of the file; of the files that there are if it is missing.
    std::string href{};
    State state = State::in_use;
};

/// The files that the actions of a service name, in wire form. Those with macros are left out, and
/// those of which nothing is there: they may come in another way. Pure.
std::vector<NamedFile> files_named_by(const provisioner::base::Json& service,
                                      const GivenFiles& given);

/// What is wrong with a file, as a sentence; empty for one in use.
std::string warning_about(const NamedFile& file);

}  // namespace fcgi::pages
