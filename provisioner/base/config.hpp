#pragma once

#include <map>
#include <string>
#include <vector>

namespace provisioner::base {

/// Settings of one installation. cooperage-web, cooperage-provisioner and cooperage-migrate read
/// the same files; each ignores the settings of the others. Read once at start; immutable
/// afterwards and therefore safe from any thread. base/settings.hpp has the names and defaults.
///
///     # a comment: the whole line, not the end of one
///     database.socket = /run/mysqld/mysqld.sock
///     web.threads = 8
///     web.database.user = somebody     # for cooperage-web only
///
/// Blanks around name and value are cut. Values are not quoted and may contain '='. A later line
/// with the same name replaces the earlier one. A name of database.* with a program before it
/// (web, provisioner, migrate) holds for that program, whatever the name without it says.
class Config {
 public:
    /// Parses the text of such a file for `program`: "web", "provisioner", "migrate" or "" (none of
    /// them). Throws std::invalid_argument with the number of every line that has no '=' or no
    /// name; the line itself may be a password.
    static Config parse(const std::string& text, const std::string& program = "");

    /// Reads the file, and after it those named *.conf in the folder conf.d beside it, in the order
    /// of their names. Throws std::runtime_error with the path when one cannot be read, and
    /// std::invalid_argument with the path and every wrong line.
    static Config load(const std::string& path, const std::string& program = "");

    /// The value of `name`, possibly empty, or its default (base/settings.hpp). Throws
    /// std::runtime_error with the name when it has neither. The reference lives as long as the
    /// Config.
    const std::string& get(const std::string& name) const;

    /// The value of `name`, possibly empty, or its default; `otherwise` when it has neither.
    std::string get_or(const std::string& name, const std::string& otherwise) const;

    /// The same as a whole number >= 0. Throws
    /// std::runtime_error with the name when the value is empty or not such a number. `otherwise`
    /// is not checked.
    long number_or(const std::string& name, long otherwise) const;

    /// The value of `name` or its default as a whole number >= 0. Throws as get() and number_or().
    long number(const std::string& name) const;

    /// For which program it was read, as parse() has it.
    const std::string& program() const { return program_; }

    /// All names that the files set.
    std::vector<std::string> names() const;

 private:
    /// The value that a file gives `name` for this program; null when none does.
    const std::string* find(const std::string& name) const;
    /// Adds the lines of a text. `source` begins the sentences about wrong lines, which are added
    /// to `problems`, a line each.
    void add(const std::string& text, const std::string& source, std::string& problems);
    void set_defaults();

    std::string program_;
    /// Name -> value, both without surrounding blanks.
    std::map<std::string, std::string> values_;
    /// Name -> default, for those settings that have one.
    std::map<std::string, std::string> defaults_;
};

}  // namespace provisioner::base
