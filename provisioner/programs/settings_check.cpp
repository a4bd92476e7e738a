#include "provisioner/programs/settings_check.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "provisioner/base/settings.hpp"

namespace provisioner::programs {

namespace {

namespace fs = std::filesystem;

/// What is wrong with a path; empty when nothing is.
std::string wrong_path(const std::string& path, Need::Kind kind) {
    std::error_code ignored;
    const std::string folder = fs::path(path).parent_path();
    const bool is_place = kind == Need::Kind::place;
    const std::string& looked_at = is_place ? folder : path;
    if (::access(looked_at.c_str(), is_place ? W_OK | X_OK : R_OK) != 0) {
        const std::string cannot = is_place ? "cannot write to the folder " : "cannot read ";
        return cannot + looked_at + ": " + std::strerror(errno);
    }
    if (kind == Need::Kind::folder && !fs::is_directory(path, ignored)) {
        return path + " is no folder";
    }
    if (kind == Need::Kind::file && !fs::is_regular_file(path, ignored))
        return path + " is no file";
    return "";
}

}  // namespace

base::Problems check_settings(const std::string& path, const std::string& program,
                              const std::vector<Need>& needs) {
    try {
        const auto config = base::Config::load(path, program);
        base::Problems problems = base::check(config);
        for (const Need& need : needs) {
            const std::string wrong = wrong_path(config.get(need.setting) + need.suffix, need.kind);
            if (!wrong.empty()) problems.push_back({.field = need.setting, .message = wrong});
        }
        return problems;
    } catch (const std::exception& error) {
        return {{.field = "", .message = error.what()}};
    }
}

int report_check(const base::Problems& problems, const std::function<void()>& more) {
    for (const base::Problem& problem : problems) {
        std::cerr << problem.field << (problem.field.empty() ? "" : ": ") << problem.message
                  << "\n";
    }
    if (!problems.empty()) return 1;
    try {
        more();
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    std::cout << "the settings are fine\n";
    return 0;
}

}  // namespace provisioner::programs
