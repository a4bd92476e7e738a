#pragma once

#include <map>
#include <string>

namespace provisioner::base {

/// One installation's settings, read from a file of `name = value` lines with # comments. The same
/// file serves cooperage-web, cooperage-provisioner and cooperage-migrate.
class Config {
 public:
    /// Parses the text of such a file; throws std::invalid_argument naming the line that is wrong.
    static Config parse(const std::string& text);

    /// Reads and parses the file; throws std::runtime_error naming it when it cannot be read.
    static Config load(const std::string& path);

    /// The value of `name`; throws std::runtime_error naming it when the file does not set it.
    const std::string& get(const std::string& name) const;

    /// The value of `name`, or `otherwise`.
    std::string get_or(const std::string& name, const std::string& otherwise) const;

    /// The value of `name` as a whole number >= 0, or `otherwise`; throws std::runtime_error if it
    /// is none.
    long number_or(const std::string& name, long otherwise) const;

 private:
    std::map<std::string, std::string> values_;
};

}  // namespace provisioner::base
