#pragma once

#include <string>
#include <string_view>

#include "provisioner/remote/steps.hpp"

namespace provisioner::remote {

/// The POSIX shell script that keeps the ledger of steps on a node: step_wrapper.sh, compiled into
/// the program.
std::string_view step_wrapper_text();

/// File name of the wrapper on a node: "step-<short_sum of the text>". Daemons of two versions have
/// wrappers of two names and do not disturb each other.
std::string step_wrapper_name();

/// Exit code of a command or kept shell that found no wrapper script: EX_UNAVAILABLE of sysexits.h.
/// The wrapper ends with it for no other reason.
constexpr int wrapper_missing = 69;

/// Builds the command lines and requests that install and call the wrapper on a node. Pure text, no
/// I/O. Every word is quoted. A command line holds nothing secret, because process lists show it;
/// scripts and contents go to standard input.
///
/// There are two ways to call the wrapper. A command line starts a shell for one verb (run, stop,
/// put, lacking). A request is a line for a shell that stays (begin, look, write). Each request
/// carries a token, and its answer is marked with that token.
class StepCommands {
 public:
    /// Steps and the wrapper are kept in `state_directory`, an absolute path. For users other than
    /// root all commands run through `sudo -n`.
    StepCommands(std::string state_directory, const std::string& user);

    /// Installs the wrapper: its text is sent to standard input. The file takes its place only when
    /// it is whole and on the disk.
    std::string install() const;

    /// `line` for a node that may lack the wrapper: then the exit code is `wrapper_missing`, and
    /// nothing was done. `line` must come from run(), stop(), put() or lacking() of this object.
    std::string if_installed(const std::string& line) const;

    /// Starts a shell that stays. Its standard input takes greeting() first, then the requests
    /// below.
    std::string serve() const;
    /// Makes the shell that stays read the wrapper. The shell ends with `wrapper_missing` if the
    /// wrapper is not there; requests that begin or write check that again.
    std::string greeting() const;

    /// Request that begins, joins or replays a step; the answer says whether it still runs. Throws
    /// as run() and run_input() do.
    std::string begin(std::string_view token, const Run& run, const StepKey& key) const;

    /// Request for the output since the last request about the step that was begun, and for its
    /// state.
    std::string look(std::string_view token) const;

    /// Request that writes a file. Throws as put() does. The content must not hold a zero byte,
    /// which a shell cannot hold.
    std::string write(std::string_view token, const Upload& upload) const;

    /// Command line that runs a step and waits for it; its standard input is run_input(). Keys and
    /// kinds consist of letters, digits, '.', '_' and '-'. A key has 1 to 200 characters and does
    /// not begin with '.' or '-'; a kind may be empty. Throws std::invalid_argument for any other
    /// key or kind, for a negative fence, and for a limit below one second.
    std::string run(const Run& run, const StepKey& key) const;

    /// Command line that ends a step; reads no standard input. Throws as run() does for a bad key.
    std::string stop(const StepKey& key) const;

    /// Command line that writes a file; its standard input is the content. Throws
    /// std::invalid_argument for a path that is not absolute, ends with '/' or holds a line end. It
    /// also throws for a mode outside 0 to 07777.
    std::string put(const Upload& upload) const;

    /// Command line that writes a file of a delivery; its standard input is the content, whose size
    /// and checksum the node verifies. Throws as the other put(), and for a malformed SHA-256.
    std::string put(const DeliveredFile& file) const;

    /// Command line that prints which files of a delivery the node lacks: their positions, from 0,
    /// one on a line. Its standard input is lacking_input().
    std::string lacking() const;

 private:
    /// The beginning of a command line that calls the wrapper.
    std::string wrapper(std::string_view verb) const;

    std::string state_directory_;
    /// "sudo -n " and a blank, or empty for root.
    std::string prefix_;
};

/// Standard input of a run: the token that marks the answers, a line end, the script, the token
/// again. The second token proves that the script has arrived whole. Throws std::invalid_argument
/// for a script with a zero byte.
std::string run_input(std::string_view token, const Run& run);

/// Standard input of `lacking`: a line with checksum, mode and path for each file. Throws
/// std::invalid_argument for the first file that put() would not take.
std::string lacking_input(const Delivery& delivery);

}  // namespace provisioner::remote
