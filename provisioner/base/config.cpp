#include "provisioner/base/config.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "provisioner/base/ids.hpp"

namespace provisioner::base {

namespace {

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

Config Config::parse(const std::string& text) {
    Config config;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        line = trimmed(line);
        if (line.empty() || line.front() == '#') continue;
        const auto equals = line.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw std::invalid_argument("line " + std::to_string(number) +
                                        " is not `name = value`: " + line);
        }
        config.values_[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
    }
    return config;
}

Config Config::load(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read the configuration file " + path);
    std::ostringstream text;
    text << file.rdbuf();
    return parse(text.str());
}

const std::string& Config::get(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw std::runtime_error("the configuration lacks " + name);
    return found->second;
}

std::string Config::get_or(const std::string& name, const std::string& otherwise) const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
}

long Config::number_or(const std::string& name, long otherwise) const {
    const auto found = values_.find(name);
    if (found == values_.end()) return otherwise;
    const auto number = parse_number(found->second);
    if (!number) throw std::runtime_error(name + " must be a whole number >= 0");
    return static_cast<long>(*number);
}

}  // namespace provisioner::base
