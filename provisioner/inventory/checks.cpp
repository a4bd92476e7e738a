#include "provisioner/inventory/checks.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "provisioner/base/ids.hpp"

namespace provisioner::inventory {

namespace {

/// Types of host keys that sessions can check, the preferred one first.
constexpr std::array<std::string_view, 4> key_types{"ssh-ed25519", "ecdsa-sha2-nistp256",
                                                    "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"};
constexpr std::size_t longest_name = 255;
/// Of url and system together, so that they fit the key of a lease.
constexpr std::size_t longest_controller = 240;
constexpr std::string_view base64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool consists_of_name_letters(std::string_view text) {
    return !text.empty() && text.size() <= longest_name &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_' || c == '.' || c == ':';
           });
}

/// The bytes of base64 text; empty when it is none.
std::string decoded(std::string_view text) {
    std::string bytes;
    unsigned held = 0;
    int bits = 0;
    text = text.substr(0, text.find('='));
    for (const char c : text) {
        const auto value = base64.find(c);
        if (value == std::string_view::npos) return "";
        held = (held << 6 | static_cast<unsigned>(value)) & 0xffffU;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(held >> bits & 0xffU);
    }
    return bytes;
}

/// The key's own bytes begin with the name of its type.
bool is_whole_key(std::string_view type, std::string_view text) {
    const std::string bytes = decoded(text);
    const std::string begin = std::string(3, '\0') + static_cast<char>(type.size());
    return bytes.size() > type.size() + 36 && bytes.starts_with(begin + std::string(type));
}

std::size_t rank_of(std::string_view key) {
    const auto type = key.substr(0, key.find(' '));
    return static_cast<std::size_t>(std::find(key_types.begin(), key_types.end(), type) -
                                    key_types.begin());
}

/// Reads the values of one machine.
class MachineReader {
 public:
    MachineReader(const Listed& listed, Complaints& complaints)
        : listed_(listed), complaints_(complaints) {
        machine_.name = listed.name;
        machine_.line = listed.line;
    }

    ListedMachine read(const Rules& rules) {
        if (listed_.name.empty()) {
            complain(listed_.line, "a machine has no name");
        } else if (!consists_of_name_letters(listed_.name)) {
            complain(listed_.line, "a name consists of at most 255 letters, digits and . _ - :");
        }
        machine_.address = address_in("address");
        if (!listed_.values.contains("address")) complain(listed_.line, "has no address");
        machine_.bind_address =
            listed_.values.contains("bind_address") ? address_in("bind_address") : machine_.address;
        read_login();
        read_keys(rules);
        machine_.flavors = words("flavor", "flavors");
        machine_.images = words("image", "images");
        machine_.tags = words("tags", "");
        read_controller(rules);
        return std::move(machine_);
    }

 private:
    void complain(int line, const std::string& text) { complaints_.add(line, listed_.name, text); }

    const Value* find(const std::string& name) const {
        const auto found = listed_.values.find(name);
        return found == listed_.values.end() ? nullptr : &found->second;
    }

    std::string text_in(const std::string& name) {
        const Value* value = find(name);
        if (value == nullptr) return "";
        if (!value->is_list && value->texts.size() == 1) return value->texts.front();
        complain(value->line, name + " must be one text");
        return "";
    }

    std::string address_in(const std::string& name) {
        const std::string text = text_in(name);
        const Value* value = find(name);
        if (value == nullptr || value->is_list) return text;
        if (auto address = canonical_address(text)) return *std::move(address);
        complain(value->line,
                 name + " \"" + text +
                     "\" is no IPv4 or IPv6 address of a machine (names are not looked "
                     "up: a name server could lead elsewhere)");
        return text;
    }

    void read_login() {
        if (const Value* port = find("port")) {
            const auto number = base::parse_number(text_in("port"));
            if (!number || *number < 1 || *number > 65535) {
                complain(port->line, "port must be a number from 1 to 65535");
            } else {
                machine_.port = static_cast<int>(*number);
            }
        }
        machine_.user = text_in("user");
        const Value* user = find("user");
        if (user != nullptr &&
            (!consists_of_name_letters(machine_.user) ||
             machine_.user.find(':') != std::string::npos || machine_.user.front() == '-')) {
            complain(user->line, "user \"" + machine_.user + "\" is no name of a user");
        }
    }

    void read_keys(const Rules& rules) {
        bool is_given = false;
        for (const char* name : {"host_key", "host_keys"}) {
            const Value* value = find(name);
            if (value == nullptr) continue;
            is_given = true;
            for (const std::string& text : value->texts) read_key(text, value->line);
        }
        std::stable_sort(machine_.host_keys.begin(), machine_.host_keys.end(),
                         [](const auto& a, const auto& b) { return rank_of(a) < rank_of(b); });
        if (is_given || !rules.needs_host_key) return;
        complain(listed_.line,
                 "has no host_key (`ssh-keyscan -t ed25519 " + machine_.address +
                     "` asks for it; compare it with the machine's own "
                     "/etc/ssh/ssh_host_ed25519_key.pub, or let pin_on_first_contact trust it)");
    }

    void read_key(const std::string& text, int line) {
        const auto blank = text.find(' ');
        const std::string type = text.substr(0, blank);
        if (type == "ssh-rsa" || type == "ssh-dss") {
            return complain(line, "a host key of type " + type +
                                      " cannot be checked: give the one of type ssh-ed25519 or "
                                      "ecdsa-sha2-nistp256");
        }
        const auto rest = blank == std::string::npos ? "" : text.substr(blank + 1);
        const std::string key = rest.substr(0, rest.find(' '));
        if (std::find(key_types.begin(), key_types.end(), type) == key_types.end() ||
            !is_whole_key(type, key)) {
            return complain(line, "\"" + text.substr(0, 60) +
                                      "\" is no public host key such as \"ssh-ed25519 AAAA...\"");
        }
        machine_.host_keys.push_back(type + " " + key);
    }

    std::vector<std::string> words(const std::string& one, const std::string& many) {
        std::vector<std::string> all;
        std::unordered_set<std::string> seen;
        for (const std::string& name : {one, many}) {
            const Value* value = find(name);
            if (value == nullptr) continue;
            for (const std::string& word : words_in(*value)) {
                const bool is_word = !word.empty() && word.size() <= longest_name &&
                                     word.find_first_of(", \t\r\n") == std::string::npos;
                if (!is_word) {
                    complain(value->line, name + ": \"" + word + "\" is no word");
                } else if (seen.insert(word).second) {
                    all.push_back(word);
                }
                if (all.size() <= most_words) continue;
                complaints_.give_up(value->line, too_many_words(listed_.name, name));
                return {};
            }
        }
        return all;
    }

    void read_controller(const Rules& rules) {
        Controller& controller = machine_.controller;
        controller.url = text_in("bmc");
        controller.system = text_in("bmc_system");
        while (controller.url.ends_with('/')) controller.url.pop_back();
        const Value* url = find("bmc");
        if (url == nullptr) {
            if (rules.needs_controller) {
                complain(listed_.line, "has no bmc, the address of its Redfish service");
            }
        } else if (!controller.url.starts_with("https://") ||
                   controller.url.find_first_of("@?# ") != std::string::npos ||
                   controller.url.find('/', 8) != std::string::npos ||
                   controller.url.size() == std::string_view("https://").size() ||
                   controller.url.size() + controller.system.size() > longest_controller) {
            complain(url->line,
                     "bmc must be https://HOST or https://HOST:PORT, without a password");
        }
        const Value* system = find("bmc_system");
        const bool is_path = controller.system.starts_with("/redfish/v1/Systems/") &&
                             controller.system.find_first_of("?# ") == std::string::npos;
        if (system != nullptr && !is_path) {
            complain(system->line, "bmc_system must be a path as /redfish/v1/Systems/1");
        }
    }

    const Listed& listed_;
    Complaints& complaints_;
    ListedMachine machine_;
};

/// Complains about every machine that has what an earlier one has.
class Owners {
 public:
    explicit Owners(Complaints& complaints) : complaints_(complaints) {}

    void claim(const ListedMachine& machine, const std::string& what, const std::string& text) {
        const auto [found, is_first] = owners_.try_emplace(what, &machine);
        if (is_first || found->second == &machine) return;
        complaints_.add(machine.line, machine.name,
                        text + " on line " + std::to_string(found->second->line) + " (" +
                            found->second->name + ")");
    }

 private:
    Complaints& complaints_;
    std::map<std::string, const ListedMachine*> owners_;
};

void check_shared(const std::vector<ListedMachine>& machines, Complaints& complaints) {
    Owners owners(complaints);
    for (const ListedMachine& machine : machines) {
        if (!machine.name.empty())
            owners.claim(machine, "name " + machine.name, "has the name of that");
        if (!machine.address.empty())
            owners.claim(machine, "at " + machine.address + ' ' + std::to_string(machine.port),
                         "has the address and port of that");
        for (const std::string& key : machine.host_keys) {
            owners.claim(machine, key,
                         "has the host key of that: it is the same machine, or a copy, and each "
                         "could pass for the other. Make new keys on one");
        }
        if (machine.controller.url.empty()) continue;
        owners.claim(machine, "bmc " + machine.controller.url + machine.controller.system,
                     "has the bmc and system of that");
    }
}

}  // namespace

std::optional<std::string> canonical_address(const std::string& text) {
    in_addr four{};
    if (inet_pton(AF_INET, text.c_str(), &four) == 1) {
        const auto value = ntohl(four.s_addr);
        if (value == 0 || value >= 0xe0000000U) return std::nullopt;
        return text;
    }
    in6_addr six{};
    if (inet_pton(AF_INET6, text.c_str(), &six) != 1 || IN6_IS_ADDR_UNSPECIFIED(&six) ||
        IN6_IS_ADDR_MULTICAST(&six) || IN6_IS_ADDR_V4MAPPED(&six)) {
        return std::nullopt;
    }
    std::array<char, INET6_ADDRSTRLEN> written{};
    inet_ntop(AF_INET6, &six, written.data(), written.size());
    return written.data();
}

std::vector<ListedMachine> checked_machines(const std::vector<Listed>& listed, const Rules& rules,
                                            Complaints& complaints) {
    std::vector<ListedMachine> machines;
    for (const Listed& each : listed) {
        if (complaints.are_enough()) break;
        machines.push_back(MachineReader(each, complaints).read(rules));
    }
    check_shared(machines, complaints);
    return machines;
}

}  // namespace provisioner::inventory
