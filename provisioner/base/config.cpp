#include "provisioner/base/config.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/settings.hpp"

namespace provisioner::base {

namespace {

namespace fs = std::filesystem;

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    if (!file || fs::is_directory(path)) {
        throw std::runtime_error("cannot read the configuration file " + path.string() + ": " +
                                 std::strerror(file ? EISDIR : errno));
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The files named *.conf in the folder conf.d beside `path`, by name.
std::vector<fs::path> additions_to(const fs::path& path) {
    const fs::path folder = path.parent_path() / "conf.d";
    std::vector<fs::path> files;
    if (!fs::is_directory(folder)) return files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".conf") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

void refuse(const std::string& problems) {
    if (!problems.empty()) throw std::invalid_argument(problems.substr(0, problems.size() - 1));
}

}  // namespace

void Config::add(const std::string& text, const std::string& source, std::string& problems) {
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        line = trimmed(line);
        if (line.empty() || line.front() == '#') continue;
        const auto equals = line.find('=');
        if (equals == std::string::npos || equals == 0) {
            problems += source + "line " + std::to_string(number) + " is not `name = value`\n";
            continue;
        }
        values_[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
    }
}

void Config::set_defaults() {
    for (const Setting& setting : settings()) {
        if (!setting.otherwise.empty()) defaults_.emplace(setting.name, setting.otherwise);
    }
    // Each program has an account of its own, with the rights it needs.
    if (!program_.empty()) defaults_["database.user"] = "cooperage-" + program_;
}

Config Config::parse(const std::string& text, const std::string& program) {
    Config config;
    std::string problems;
    config.program_ = program;
    config.set_defaults();
    config.add(text, "", problems);
    refuse(problems);
    return config;
}

Config Config::load(const std::string& path, const std::string& program) {
    Config config = parse("", program);
    std::string problems;
    config.add(text_of(path), path + ": ", problems);
    for (const fs::path& file : additions_to(path)) {
        config.add(text_of(file), file.string() + ": ", problems);
    }
    refuse(problems);
    return config;
}

const std::string* Config::find(const std::string& name) const {
    if (name.starts_with("database.") && !program_.empty()) {
        const auto own = values_.find(program_ + "." + name);
        if (own != values_.end()) return &own->second;
    }
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
}

const std::string& Config::get(const std::string& name) const {
    if (const std::string* value = find(name)) return *value;
    const auto found = defaults_.find(name);
    if (found == defaults_.end()) throw std::runtime_error("the configuration lacks " + name);
    return found->second;
}

std::string Config::get_or(const std::string& name, const std::string& otherwise) const {
    return find(name) || defaults_.contains(name) ? get(name) : otherwise;
}

long Config::number_or(const std::string& name, long otherwise) const {
    return find(name) || defaults_.contains(name) ? number(name) : otherwise;
}

long Config::number(const std::string& name) const {
    const auto number = parse_number(get(name));
    if (!number) throw std::runtime_error(name + " must be a whole number >= 0");
    return static_cast<long>(*number);
}

std::vector<std::string> Config::names() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : values_) names.push_back(name);
    return names;
}

}  // namespace provisioner::base
