#include "provisioner/migrate/migration.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "provisioner/identity/checksum.hpp"

namespace provisioner::migrate {

namespace {

/// Position after the quoted text or comment that begins at `at`; `at` itself when none begins
/// there. A doubled quote counts as two texts, which gives the same end.
std::size_t end_of_quote_or_comment(const std::string& text, std::size_t at) {
    if (text.compare(at, 2, "--") == 0) {
        const auto newline = text.find('\n', at);
        return newline == std::string::npos ? text.size() : newline;
    }
    const char quote = text[at];
    if (quote != '\'' && quote != '"' && quote != '`') return at;
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == quote) {
            return i + 1;
        }
    }
    throw std::runtime_error("an SQL text ends inside quotes");
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

std::vector<std::string> split_statements(const std::string& text) {
    std::vector<std::string> statements;
    std::string statement;
    const auto flush = [&] {
        statement = trimmed(statement);
        if (!statement.empty()) statements.push_back(statement);
        statement.clear();
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = end_of_quote_or_comment(text, at);
        const bool comment = end > at && text[at] == '-';
        if (end > at) {
            if (!comment) statement += text.substr(at, end - at);
            at = end;
        } else if (text[at] == ';') {
            flush();
            ++at;
        } else {
            statement += text[at++];
        }
    }
    flush();
    return statements;
}

std::vector<Migration> pending(std::vector<Migration> files, const std::vector<Applied>& applied) {
    std::sort(files.begin(), files.end(),
              [](const auto& a, const auto& b) { return a.version < b.version; });
    std::map<int, const Migration*> by_version;
    for (const Migration& file : files) {
        if (!by_version.emplace(file.version, &file).second) {
            throw std::runtime_error("two migrations have the number of " + file.name);
        }
    }
    int newest = 0;
    for (const Applied& done : applied) {
        const auto found = by_version.find(done.version);
        if (found == by_version.end()) {
            throw std::runtime_error("migration " + done.name + " was applied but is missing");
        }
        if (identity::checksum(found->second->text) != done.checksum) {
            throw std::runtime_error("migration " + done.name +
                                     " has changed since it was applied; write a new one instead");
        }
        newest = std::max(newest, done.version);
        by_version.erase(found);
    }
    std::vector<Migration> rest;
    for (const auto& [version, file] : by_version) {
        if (version < newest) {
            throw std::runtime_error("migration " + file->name +
                                     " comes before one that was applied already");
        }
        rest.push_back(*file);
    }
    return rest;
}

}  // namespace provisioner::migrate
