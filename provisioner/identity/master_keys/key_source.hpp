#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/config.hpp"

namespace provisioner::identity {

/// The settings that name the two rings of keys (sealing.hpp).
constexpr auto master_key_setting = "secrets.keys";
constexpr auto daemon_key_setting = "secrets.daemon_keys";

/// Where the text of a ring of keys comes from (sealing.hpp, keys_in()). For master keys:
///
///     secrets.keys             a file
///     secrets.keys_credential  a file in $CREDENTIALS_DIRECTORY, where systemd puts credentials
///     secrets.keys_command     what a command prints, such as a client of a key management service
///
/// The last that is set counts. Not safe for several threads: the ring has a mutex.
class KeySource {
 public:
    virtual ~KeySource() = default;

    /// The text, or nothing when it is what was returned last. `is_lacking`: a secret needs a key
    /// that the last text did not have. Throws VaultError.
    virtual std::optional<std::string> fresh(bool is_lacking) = 0;

    /// Path of the file that `cooperage-migrate new-key` may change; empty for other sources.
    virtual std::filesystem::path own_file() const { return {}; }

    /// Whether keys are there: false where the setting is empty or names a file that is missing.
    virtual bool is_there() const { return true; }
};

/// The source that `setting` and those beside it name. Reads nothing yet. Throws VaultError for
/// settings that exclude each other, and for a command that is no absolute path.
std::unique_ptr<KeySource> key_source(const base::Config& config,
                                      const std::string& setting = master_key_setting);

/// A file, read again when its modification time changes. With an empty path fresh() throws.
std::unique_ptr<KeySource> file_source(std::filesystem::path path);

/// Throws VaultError when the master keys cannot be read, or are none. For the check of settings.
void check_key_source(const base::Config& config);

/// Starts a process that runs secrets.keys_command for this one, if the settings name a command:
/// for programs that give up the right to execute others. It does nothing else, gets no other
/// descriptor, and ends with this process. To be called before any thread starts, and before rights
/// are given up. All sources of master keys of this process use it afterwards; daemon keys are not
/// for such programs.
void start_key_reader(const base::Config& config);

/// What a command prints on standard output, at most 64 KiB. The first word is an absolute path;
/// there is no shell. Standard input is empty, standard error is discarded, so that neither reaches
/// a log. Throws VaultError, without any output, when it cannot be run, exits with another code
/// than 0, prints more, or takes longer than `limit`, after which it is killed.
std::string output_of_key_command(const std::vector<std::string>& words,
                                  std::chrono::milliseconds limit);

}  // namespace provisioner::identity
