#pragma once

#include <map>
#include <string>

namespace provisioner::base {

/// Settings of one installation. cooperage-web, cooperage-provisioner and cooperage-migrate read
/// the same file; each ignores the settings of the others, so an unknown name is not an error. Read
/// once at start; immutable afterwards and therefore safe from any thread.
///
///     # a comment: the whole line, not the end of one
///     database.socket = /run/mysqld/mysqld.sock
///     web.threads = 8
///
/// Blanks around name and value are cut. Values are not quoted and may contain '='. A later line
/// with the same name replaces the earlier one.
class Config {
 public:
    /// Parses the text of such a file. Throws std::invalid_argument with the line number and the
    /// line if a line has no '=' or no name.
    static Config parse(const std::string& text);

    /// Reads and parses the file. Throws std::runtime_error with the path when it cannot be opened,
    /// and everything that parse() throws.
    static Config load(const std::string& path);

    /// The value of `name`, possibly empty. Throws std::runtime_error with the name when the file
    /// does not set it. The reference lives as long as the Config.
    const std::string& get(const std::string& name) const;

    /// The value of `name`, possibly empty; `otherwise` when the file does not set it.
    std::string get_or(const std::string& name, const std::string& otherwise) const;

    /// The value of `name` as a whole number >= 0; `otherwise` when the file does not set it.
    /// Throws std::runtime_error with the name when the value is empty or not such a number.
    /// `otherwise` is not checked.
    long number_or(const std::string& name, long otherwise) const;

 private:
    /// Name -> value, both without surrounding blanks.
    std::map<std::string, std::string> values_;
};

}  // namespace provisioner::base
