#pragma once

#include <string>
#include <vector>

#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"

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
                                      const EditContext& context);

/// What is wrong with a file, as a sentence; empty for one in use.
std::string warning_about(const NamedFile& file);

/// Names of files for a field that names one: those of "scripts" for the field "script". None for
/// other fields.
std::vector<std::string> files_for(const EditContext& context,
                                   const provisioner::model::PluginType& type,
                                   const std::string& field);

}  // namespace fcgi::pages
