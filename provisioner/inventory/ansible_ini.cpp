#include <algorithm>
#include <optional>

#include "provisioner/inventory/ansible.hpp"

namespace provisioner::inventory {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Words of a line as a shell has them: quotes and backslashes join, # begins a comment. Nothing if
/// a quote is not closed.
std::optional<std::vector<std::string>> words_of(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote == 0 && blanks.find(c) != std::string_view::npos) {
            if (in_word) words.push_back(std::move(word));
            word.clear();
            in_word = false;
            continue;
        }
        if (quote == 0 && c == '#') break;
        in_word = true;
        if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == quote) {
            quote = 0;
        } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
            word += line[++i];
        } else {
            word += c;
        }
    }
    if (quote != 0) return std::nullopt;
    if (in_word) words.push_back(std::move(word));
    return words;
}

/// A value as Ansible reads Python's literals: a quoted text, ['a', 'b'], or the text as it is.
Value literal(std::string_view text, int line) {
    Value value;
    value.line = line;
    text = trimmed(text);
    const bool has_ends = text.size() >= 2;
    if (has_ends && (text.front() == '"' || text.front() == '\'') && text.front() == text.back()) {
        value.texts = {std::string(text.substr(1, text.size() - 2))};
        return value;
    }
    if (!has_ends || text.front() != '[' || text.back() != ']') {
        value.texts = {std::string(text)};
        return value;
    }
    value.is_list = true;
    std::string_view rest = text.substr(1, text.size() - 2);
    while (!trimmed(rest).empty()) {
        rest = trimmed(rest);
        const bool is_quoted = rest.front() == '"' || rest.front() == '\'';
        const auto closing = is_quoted ? rest.find(rest.front(), 1) : std::string_view::npos;
        const auto comma = rest.find(',', closing == std::string_view::npos ? 0 : closing);
        auto item = trimmed(rest.substr(0, comma));
        if (is_quoted && item.size() >= 2 && item.back() == item.front()) {
            item = item.substr(1, item.size() - 2);
        }
        value.texts.emplace_back(item);
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    return value;
}

/// Reads an INI inventory line by line; a wrong line is a complaint and the next one goes on.
class IniReader {
 public:
    explicit IniReader(Complaints& complaints) : complaints_(complaints) {}

    void read(std::string_view line, int number) {
        line = trimmed(line);
        number_ = number;
        if (line.empty() || line.front() == '#' || line.front() == ';') return;
        if (line.front() == '[' && is_header(line)) {
            begin_section(line);
        } else if (kind_ == Kind::hosts) {
            read_host(line);
        } else if (kind_ == Kind::children) {
            read_child(line);
        } else if (kind_ == Kind::vars) {
            read_variable(line);
        }
    }

    AnsibleInventory take() { return std::move(inventory_); }

 private:
    enum class Kind { hosts, vars, children, unknown };

    /// "[web]" with nothing but a comment behind it; "[::1]" and "[1:3].example" are hosts.
    static bool is_header(std::string_view line) {
        const auto close = line.find(']');
        if (close == std::string_view::npos) return true;
        const auto rest = trimmed(line.substr(close + 1));
        const bool is_address = line.find("::") < close;
        return !is_address && (rest.empty() || rest.front() == '#' || rest.front() == ';');
    }

    void begin_section(std::string_view line) {
        const auto close = line.find(']');
        if (close == std::string_view::npos) {
            kind_ = Kind::unknown;
            return complaints_.add(number_, "", "the name of a group is not closed by ]");
        }
        const auto inside = trimmed(line.substr(1, close - 1));
        const auto colon = inside.find(':');
        const auto kind = colon == std::string_view::npos ? "" : inside.substr(colon + 1);
        group_ = std::string(inside.substr(0, colon));
        kind_ = kind.empty()         ? Kind::hosts
                : kind == "vars"     ? Kind::vars
                : kind == "children" ? Kind::children
                                     : Kind::unknown;
        if (kind_ == Kind::unknown || group_.empty()) {
            kind_ = Kind::unknown;
            return complaints_.add(
                number_, "",
                "[" + std::string(inside) +
                    "] is no section: there are [group], [group:vars] and [group:children]");
        }
        if (inventory_.group(group_, number_, complaints_) == nullptr) kind_ = Kind::unknown;
    }

    void read_host(std::string_view line) {
        const auto words = words_of(line);
        if (!words) return complaints_.add(number_, "", "a quote is not closed");
        if (words->empty()) return;
        const auto hosts = hosts_of_pattern(words->front());
        if (!hosts) return complaints_.add(number_, words->front(), hosts.error());
        Variables variables;
        if (!hosts->port.empty()) {
            variables["ansible_port"] = {.texts = {hosts->port}, .is_list = false, .line = number_};
        }
        for (std::size_t i = 1; i < words->size(); ++i) {
            const auto equals = (*words)[i].find('=');
            if (equals == std::string::npos) {
                complaints_.add(number_, words->front(),
                                "\"" + (*words)[i] + "\" is no variable: name=value is expected");
                continue;
            }
            variables[(*words)[i].substr(0, equals)] =
                literal(std::string_view((*words)[i]).substr(equals + 1), number_);
        }
        inventory_.add_hosts(*hosts, variables, group_, number_, complaints_);
    }

    void read_child(std::string_view line) {
        const std::string name(trimmed(line.substr(0, line.find_first_of("#;"))));
        if (inventory_.group(name, number_, complaints_) == nullptr) return;
        AnsibleGroup* parent = inventory_.group(group_, number_, complaints_);
        if (parent != nullptr) parent->children.insert(name);
    }

    void read_variable(std::string_view line) {
        const auto equals = line.find('=');
        if (equals == std::string_view::npos) {
            return complaints_.add(
                number_, "",
                "\"" + std::string(line) + "\" is no variable: name=value is expected");
        }
        const std::string name(trimmed(line.substr(0, equals)));
        AnsibleGroup* group = inventory_.group(group_, number_, complaints_);
        if (group != nullptr) group->variables[name] = literal(line.substr(equals + 1), number_);
    }

    Complaints& complaints_;
    AnsibleInventory inventory_;
    Kind kind_ = Kind::hosts;
    std::string group_ = "ungrouped";
    int number_ = 0;
};

}  // namespace

AnsibleInventory read_ansible_ini(std::string_view text, Complaints& complaints) {
    IniReader reader(complaints);
    int number = 0;
    while (!text.empty() && !complaints.are_enough()) {
        const auto end = std::min(text.find('\n'), text.size());
        reader.read(text.substr(0, end), ++number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return reader.take();
}

}  // namespace provisioner::inventory
