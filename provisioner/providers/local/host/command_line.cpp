#include "provisioner/providers/local/host/command_line.hpp"

#include <map>
#include <set>

#include "provisioner/base/ids.hpp"
#include "provisioner/providers/local/bounds.hpp"

namespace provisioner::providers::local {

namespace {

/// Thrown for a wrong word, with a sentence about it; parse_command_line() catches it.
struct WrongWord {
    std::string message;
};

/// What follows the command: plain words, options with one value, and options with packages.
struct Words {
    std::vector<std::string> plain;
    std::map<std::string, std::string> options;
    std::map<std::string, std::vector<std::string>> packages;
};

/// The options that are followed by packages, up to the next option.
const std::set<std::string> package_options = {"--cache", "--install"};

Words sorted_out(const std::vector<std::string>& words, const std::set<std::string>& known) {
    Words result;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (!word.starts_with("--")) {
            result.plain.push_back(word);
            continue;
        }
        if (!known.contains(word)) throw WrongWord{"unknown option " + word};
        if (i + 1 == words.size()) throw WrongWord{"option " + word + " wants a value"};
        if (!package_options.contains(word)) {
            result.options[word] = words[++i];
            continue;
        }
        while (i + 1 < words.size() && !words[i + 1].starts_with("--")) {
            result.packages[word].push_back(words[++i]);
        }
    }
    return result;
}

std::string the_one_word(const Words& words, const std::string& what) {
    if (words.plain.size() != 1) throw WrongWord{"exactly one " + what + " is wanted"};
    return words.plain.front();
}

std::string needed(const Words& words, const std::string& option) {
    const auto at = words.options.find(option);
    if (at == words.options.end() || at->second.empty())
        throw WrongWord{"option " + option + " is missing"};
    return at->second;
}

std::string given_or(const Words& words, const std::string& option, const std::string& otherwise) {
    const auto at = words.options.find(option);
    return at == words.options.end() ? otherwise : at->second;
}

void check(bool fine, const std::string& option, const std::string& text, const std::string& rule) {
    if (!fine) throw WrongWord{option + ": \"" + text + "\" is not " + rule};
}

long whole_number(const Words& words, const std::string& option, long otherwise) {
    const std::string text = given_or(words, option, std::to_string(otherwise));
    const auto number = base::parse_number(text);
    if (!number) throw WrongWord{option + ": \"" + text + "\" is no whole number"};
    return static_cast<long>(*number);
}

bool on_or_off(const Words& words, const std::string& option) {
    const std::string text = given_or(words, option, "off");
    check(text == "on" || text == "off", option, text, "on or off");
    return text == "on";
}

std::vector<std::string> ports(const Words& words, const std::string& option) {
    const auto ports = ports_in(given_or(words, option, ""));
    if (!ports) check(false, option, ports.error(), rule_of_ports());
    return *ports;
}

long memory_mb(const Words& words, long otherwise = 0) {
    const std::string text = given_or(words, "--memory-mb", std::to_string(otherwise));
    const auto number = memory_mb_in(text);
    check(number.has_value(), "--memory-mb", text, rule_of_memory_mb());
    return *number;
}

double cpus(const Words& words) {
    const std::string text = given_or(words, "--cpus", "0");
    const auto number = cpus_in(text);
    check(number.has_value(), "--cpus", text, rule_of_cpus());
    return *number;
}

long processes(const Words& words, const std::string& option, long otherwise) {
    const std::string text = given_or(words, option, std::to_string(otherwise));
    const auto number = processes_in(text);
    check(number.has_value(), option, text, rule_of_processes());
    return *number;
}

std::string machine_name(const Words& words) {
    std::string name = the_one_word(words, "machine name");
    const std::string trouble = name_trouble("machine name", name);
    if (!trouble.empty()) throw WrongWord{trouble};
    return name;
}

constexpr std::string_view lower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view digits = "0123456789";

std::string letters_and_digits() {
    std::string all(lower);
    for (const char letter : lower) all += static_cast<char>(letter - 'a' + 'A');
    return all.append(digits);
}

/// Whether the text is 1 to `most` characters, the first of `first` and the others of `first` or
/// `more`.
bool is_made_of(std::string_view text, const std::string& first, const std::string& more,
                std::size_t most) {
    if (text.empty() || text.size() > most || first.find(text.front()) == std::string::npos)
        return false;
    return text.find_first_not_of(first + more) == std::string_view::npos;
}

bool is_hostname(std::string_view text) {
    constexpr std::size_t longest = 253;
    if (text.size() > longest) return false;
    while (true) {
        const auto dot = text.find('.');
        if (!is_made_of(text.substr(0, dot), letters_and_digits(), "-", 63)) return false;
        if (dot == std::string_view::npos) return true;
        text.remove_prefix(dot + 1);
    }
}

bool is_public_key(const std::string& text) {
    const bool known =
        text.starts_with("ssh-") || text.starts_with("ecdsa-") || text.starts_with("sk-");
    return known && text.find(' ') != std::string::npos &&
           text.find_first_of("\r\n") == std::string::npos;
}

Command parse_root(const std::vector<std::string>& words) {
    Words sorted = sorted_out(words, {"--cache", "--install", "--mirror"});
    for (const auto& [option, packages] : sorted.packages) {
        for (const std::string& package : packages) {
            const bool fine = is_made_of(package, std::string(lower).append(digits), "+.-", 200);
            check(fine, option, package, "the name of a package");
        }
    }
    return RootRequest{.target = the_one_word(sorted, "directory"),
                       .mirror = given_or(sorted, "--mirror", ""),
                       .cache = sorted.packages["--cache"],
                       .install = sorted.packages["--install"]};
}

Command parse_start(const std::vector<std::string>& words) {
    const Words sorted =
        sorted_out(words, {"--state", "--root", "--hostname", "--cluster", "--key", "--user",
                           "--memory-mb", "--cpus", "--processes", "--max", "--task", "--tenant",
                           "--mix-tenants", "--open", "--machine-ports"});
    StartRequest request{
        .name = machine_name(sorted),
        .state = needed(sorted, "--state"),
        .root = needed(sorted, "--root"),
        .cluster = needed(sorted, "--cluster"),
        .task = whole_number(sorted, "--task", 0),
        .hostname = needed(sorted, "--hostname"),
        .ssh_user = given_or(sorted, "--user", "root"),
        .authorized_key = needed(sorted, "--key"),
        .limits = {.memory_mb = memory_mb(sorted),
                   .cpus = cpus(sorted),
                   .processes = processes(sorted, "--processes", default_processes)},
        .max_hosts = whole_number(sorted, "--max", default_max_hosts),
        .tenant = given_or(sorted, "--tenant", ""),
        .open_ports = ports(sorted, "--open"),
        .machine_ports = ports(sorted, "--machine-ports"),
        .most_hosts = whole_number(sorted, "--max", default_max_hosts),
        .mixes_tenants = on_or_off(sorted, "--mix-tenants")};
    if (!request.tenant.empty()) {
        const std::string wrong = name_trouble("--tenant", request.tenant);
        if (!wrong.empty()) throw WrongWord{wrong};
    }
    const std::string trouble = name_trouble("--cluster", request.cluster);
    if (!trouble.empty()) throw WrongWord{trouble};
    check(is_hostname(request.hostname), "--hostname", request.hostname,
          "a host name (letters, digits, hyphens and dots; at most 63 letters a part)");
    const bool user_fine =
        is_made_of(request.ssh_user, std::string(lower) + "_", std::string(digits) + "-", 32);
    check(user_fine, "--user", request.ssh_user, "the name of a user");
    check(is_public_key(request.authorized_key), "--key", request.authorized_key, "one public key");
    return request;
}

Command parse_stop(const std::vector<std::string>& words) {
    const Words sorted = sorted_out(words, {"--state", "--task"});
    return StopCommand{.state = needed(sorted, "--state"),
                       .name = machine_name(sorted),
                       .task = whole_number(sorted, "--task", 0)};
}

Command parse_status(const std::vector<std::string>& words) {
    const Words sorted = sorted_out(words, {"--state"});
    return StatusCommand{.state = needed(sorted, "--state"), .name = machine_name(sorted)};
}

template <class AllMachines>
Command parse_all_machines(const std::vector<std::string>& words) {
    const Words sorted = sorted_out(words, {"--state"});
    if (!sorted.plain.empty()) throw WrongWord{"unexpected \"" + sorted.plain.front() + "\""};
    return AllMachines{.state = needed(sorted, "--state")};
}

Command parse_serve(const std::vector<std::string>& words) {
    const Words sorted = sorted_out(
        words, {"--config", "--socket", "--group", "--user", "--state", "--roots", "--max",
                "--wait", "--mix-tenants", "--machine-ports", "--max-processes", "--memory-mb"});
    if (!sorted.plain.empty()) throw WrongWord{"unexpected \"" + sorted.plain.front() + "\""};
    const long wait = whole_number(sorted, "--wait", 0);
    if (sorted.options.contains("--config")) {
        for (const auto& [option, value] : sorted.options) {
            if (option == "--config" || option == "--wait") continue;
            throw WrongWord{"option " + option + " stands in the settings file already"};
        }
        return ServeCommand{.config = needed(sorted, "--config"), .wait = wait};
    }
    return ServeCommand{.socket = needed(sorted, "--socket"),
                        .group = needed(sorted, "--group"),
                        .user = needed(sorted, "--user"),
                        .state = needed(sorted, "--state"),
                        .roots = needed(sorted, "--roots"),
                        .max_hosts = whole_number(sorted, "--max", default_max_hosts),
                        .max_processes = processes(sorted, "--max-processes", default_processes),
                        .memory_mb = memory_mb(sorted, default_memory_mb),
                        .wait = wait,
                        .machine_ports = ports(sorted, "--machine-ports"),
                        .mixes_tenants = on_or_off(sorted, "--mix-tenants")};
}

Command parse_help(const std::vector<std::string>& words) {
    return HelpCommand{.is_page = words.front() == "--man"};
}

struct Verb {
    std::string_view word;
    Command (*parse)(const std::vector<std::string>& words);
};

constexpr Verb verbs[] = {{"root", parse_root},
                          {"start", parse_start},
                          {"stop", parse_stop},
                          {"status", parse_status},
                          {"list", parse_all_machines<ListCommand>},
                          {"cleanup", parse_all_machines<CleanupCommand>},
                          {"serve", parse_serve},
                          {"--help", parse_help},
                          {"--man", parse_help},
                          {"help", parse_help}};

}  // namespace

std::string name_trouble(const std::string& what, const std::string& name) {
    if (is_made_of(name, letters_and_digits(), "._-", 100)) return "";
    return what + ": \"" + name +
           "\" is not 1 to 100 letters, digits, '.', '_' and '-', beginning with a letter or digit";
}

base::expected<Command, std::string> parse_command_line(const std::vector<std::string>& words) {
    if (words.empty()) return base::unexpected(std::string("a command is missing"));
    for (const Verb& verb : verbs) {
        if (verb.word != words.front()) continue;
        try {
            return verb.parse(words);
        } catch (const WrongWord& wrong) {
            return base::unexpected(wrong.message);
        }
    }
    return base::unexpected("unknown command \"" + words.front() + "\"");
}

}  // namespace provisioner::providers::local
