#pragma once

#include <string>
#include <string_view>

#include "provisioner/remote/steps.hpp"

namespace provisioner::remote {

/// The POSIX shell script that keeps the ledger of steps on a node: step_wrapper.sh.
std::string_view step_wrapper_text();

/// The file it is installed as, "step-<checksum of the text>": daemons of two versions do not get
/// into each other's way.
std::string step_wrapper_name();

/// EX_UNAVAILABLE of sysexits.h, which the wrapper itself never ends with.
constexpr int wrapper_missing = 69;

/// Command lines for a node: how the wrapper is put there and called. Each word is quoted; nothing
/// secret is in them.
class StepCommands {
 public:
    /// Steps and the wrapper are kept in `state_directory`, an absolute path; users other than root
    /// go through sudo.
    StepCommands(std::string state_directory, const std::string& user);

    /// Installs the wrapper, whose text is to be sent to standard input.
    std::string install() const;

    /// One of the following, on a node that may not have the wrapper: the exit code is then
    /// `wrapper_missing`, and nothing was done.
    std::string if_installed(const std::string& line) const;

    /// A shell that stays and takes the requests below on its standard input, after greeting(). It
    /// ends with `wrapper_missing` where the wrapper is not, or no longer.
    std::string serve() const;
    std::string greeting() const;

    /// Begins, joins or replays a step. Throws as run() and run_input() do. Each request has a
    /// token, and what is answered to it is told from other output by that.
    std::string begin(std::string_view token, const Run& run, const StepKey& key) const;

    /// What came since the last request about the step that was begun, and whether it has ended.
    std::string look(std::string_view token) const;

    /// Puts a file. Throws as put() does, and for a content with a NUL byte, which a shell cannot
    /// hold.
    std::string write(std::string_view token, const Upload& upload) const;

    /// Runs a step; run_input() is to be sent to standard input. Throws std::invalid_argument for a
    /// key or kind that is not made of letters, digits, '.', '_' and '-' (a key: at most 200, no
    /// '.' or '-' first), a negative fence or a limit below a second.
    std::string run(const Run& run, const StepKey& key) const;

    /// Ends a step; nothing is sent to standard input. Throws as run() does for a bad key.
    std::string stop(const StepKey& key) const;

    /// Puts a file; its content is to be sent to standard input. Throws std::invalid_argument for a
    /// path that is not absolute or names a folder, and for a mode outside 0 to 07777.
    std::string put(const Upload& upload) const;

    /// Puts a file of a delivery; its content, which is checked there, is to be sent to standard
    /// input. Throws as put() of an upload does, and for what is no SHA-256.
    std::string put(const DeliveredFile& file) const;

    /// Tells which files of a delivery are lacking, the number of each on a line of its own counted
    /// from 0; lacking_input() is to be sent to standard input.
    std::string lacking() const;

 private:
    std::string wrapper(std::string_view verb) const;

    std::string state_directory_;
    std::string prefix_;
};

/// What a run reads from standard input: the token that will mark the answer, the script, and the
/// token again, which proves that the script is whole. Throws std::invalid_argument for a script
/// with a NUL byte.
std::string run_input(std::string_view token, const Run& run);

/// What `lacking` reads from standard input: checksum, mode and path of each file. Throws
/// std::invalid_argument for files that cannot be put, and for a path with a line end.
std::string lacking_input(const Delivery& delivery);

}  // namespace provisioner::remote
