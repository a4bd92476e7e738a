#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace provisioner::programs {

/// What a program says about itself. Its command line, `--help` and its manual page are made of it,
/// so that they cannot differ.
struct Manual {
    /// A name and what it means.
    using Entry = std::pair<std::string, std::string>;

    /// "cooperage-web".
    std::string name;
    /// One line after the name, without a full stop: "answers the requests of a web server".
    std::string summary;
    /// What follows the name on a command line: "[OPTION...]".
    std::string synopsis;
    /// Paragraphs.
    std::vector<std::string> description;
    /// Words that the first argument may be; empty for a program that has one duty.
    std::vector<Entry> commands{};
    /// Signals, files and exit codes, each with what it means.
    std::vector<Entry> signals{};
    std::vector<Entry> files{};
    std::vector<Entry> exit_codes{{"0", "It has done what was asked for."},
                                  {"1", "It has not, and says why on standard error."},
                                  {"2", "The command line is wrong."}};
    /// Other pages: "cooperage.conf(5)".
    std::vector<std::string> see_also{};
};

/// The path of the settings file of this build, the default of --config.
std::string default_config();

/// The text of `--help`.
std::string help_text(const Manual& manual,
                      const boost::program_options::options_description& options);

/// The page of section 8 of the manual, in the man(7) macros.
std::string manual_page(const Manual& manual,
                        const boost::program_options::options_description& options);

/// The page cooperage.conf(5), made of the table of all settings (base/settings.hpp).
std::string manual_page_of_settings();

/// Reads a command line. `options` are the program's own; --help, --version and the hidden --man
/// are added and answered here. `positions` may name the option that the first plain word sets, or
/// be empty. Returns what was chosen, or the exit code when nothing is left to do: 0 after an
/// answer, 2 after a wrong command line, which was reported on standard error.
std::variant<boost::program_options::variables_map, int> read_command_line(
    const Manual& manual, boost::program_options::options_description options, int argc,
    const char* const* argv, const std::string& positions = "");

}  // namespace provisioner::programs
