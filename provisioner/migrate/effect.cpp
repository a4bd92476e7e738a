#include "provisioner/migrate/effect.hpp"

#include <regex>
#include <stdexcept>

namespace provisioner::migrate {

namespace {

constexpr auto syntax = std::regex::ECMAScript | std::regex::icase;

}  // namespace

Effect effect_of(const std::string& statement) {
    static const std::regex rows("(INSERT|UPDATE|DELETE|REPLACE)\\s[^]*", syntax);
    static const std::regex table(
        "(?:CREATE\\s+TABLE(?:\\s+IF\\s+NOT\\s+EXISTS)?|ALTER\\s+TABLE"
        "|DROP\\s+TABLE(?:\\s+IF\\s+EXISTS)?)\\s+`?([A-Za-z0-9_]+)`?(?:$|[\\s(][^]*)",
        syntax);
    // A regular expression with [^]* recurses once per character: the first words are enough.
    const std::string start = statement.substr(0, 200);
    std::smatch found;
    if (std::regex_match(start, rows)) return {};
    if (std::regex_match(start, found, table)) return {.table = found[1]};
    throw std::runtime_error(
        "a migration may only CREATE, ALTER or DROP one TABLE, INSERT, UPDATE, DELETE or REPLACE");
}

std::string without_counter(const std::string& definition) {
    const std::string word = " AUTO_INCREMENT=";
    // Columns and comments come before the last parenthesis, the table's options after it.
    const auto at = definition.find(word, definition.rfind("\n)") + 1);
    if (at == std::string::npos) return definition;
    const auto end = definition.find_first_not_of("0123456789", at + word.size());
    return definition.substr(0, at) +
           (end == std::string::npos ? std::string() : definition.substr(end));
}

}  // namespace provisioner::migrate
