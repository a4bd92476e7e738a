#include "provisioner/programs/settings_check.hpp"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "provisioner/base/settings.hpp"

namespace provisioner::programs {

namespace {

namespace fs = std::filesystem;

/// What is wrong with a path; empty when nothing is.
std::string wrong_path(const std::string& path, Need::Kind kind) {
    std::error_code ignored;
    const std::string folder = fs::path(path).parent_path();
    const bool is_place = kind == Need::Kind::place;
    const bool is_written = is_place || kind == Need::Kind::store;
    const std::string& looked_at = is_place ? folder : path;
    if (::access(looked_at.c_str(), is_written ? W_OK | X_OK : R_OK) != 0) {
        const std::string cannot = is_written ? "cannot write to the folder " : "cannot read ";
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
                              const std::vector<Need>& needs, const std::vector<Try>& tries) {
    try {
        const auto config = base::Config::load(path, program);
        base::Problems problems = base::check(config);
        for (const Need& need : needs) {
            const bool is_optional = need.kind == Need::Kind::store;
            const std::string value = config.get_or(need.setting, "");
            if (is_optional && value.empty()) continue;
            const std::string wrong = wrong_path(value + need.suffix, need.kind);
            if (!wrong.empty()) problems.push_back({.field = need.setting, .message = wrong});
        }
        for (const Try& attempt : tries) {
            try {
                attempt(config);
            } catch (const std::exception& error) {
                // What a setting's range or path says already is not said twice.
                const std::string message = error.what();
                const bool is_new = std::none_of(
                    problems.begin(), problems.end(), [&](const base::Problem& problem) {
                        return message.find(problem.field) != std::string::npos;
                    });
                if (is_new) problems.push_back({.field = "", .message = message});
            }
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

int report_trial(const base::Problems& problems, const base::Log& log) {
    for (const base::Problem& problem : problems) {
        log.error("settings.refused", {{"setting", problem.field}, {"reason", problem.message}});
    }
    return problems.empty() ? 0 : 1;
}

void become(const std::string& user) {
    if (::geteuid() != 0) return;
    const passwd* const entry = ::getpwnam(user.c_str());
    if (entry == nullptr) throw std::runtime_error("there is no user " + user);
    const bool is_done = ::initgroups(user.c_str(), entry->pw_gid) == 0 &&
                         ::setgid(entry->pw_gid) == 0 && ::setuid(entry->pw_uid) == 0;
    if (!is_done) throw std::runtime_error("cannot become " + user + ": " + std::strerror(errno));
}

}  // namespace provisioner::programs
