#include "provisioner/inventory/listed.hpp"

#include <algorithm>

#include "provisioner/base/utf8.hpp"
#include "provisioner/inventory/inventory.hpp"

namespace provisioner::inventory {

namespace {

constexpr std::size_t most_problems = 100;
/// Problems beyond the first hundred after which nobody needs their number.
constexpr std::size_t most_counted = 1'000;
constexpr std::size_t longest_problem = 1'000;
constexpr std::size_t longest_named = 255;
/// Ten thousand machines, each with all its values and in fifty groups, need less.
constexpr std::size_t most_held = 64UL << 20;

Listed listed_machine(const Node& node, Complaints& complaints) {
    Listed listed{.name = {}, .line = node.line, .values = {}};
    const Node* name = node.find("name");
    if (name != nullptr && name->kind == Node::Kind::scalar) listed.name = name->text;
    for (const auto& [key, value] : node.members) {
        const auto& known = value_names();
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            complaints.add(
                value->line, listed.name,
                "nobody knows \"" + key + "\" of a machine; there are " + [&] {
                    std::string names;
                    for (const std::string& each : known) {
                        names += (names.empty() ? "" : ", ") + each;
                    }
                    return names;
                }());
        } else if (key != "name" && !value->is_null) {
            auto read = value_of(*value, listed.name, key, complaints);
            if (read) listed.values.emplace(key, *std::move(read));
        }
    }
    return listed;
}

}  // namespace

void Complaints::add(int line, std::string_view machine, const std::string& text) {
    if (problems_.size() == most_problems) {
        ++more_;
        return;
    }
    std::string message = line > 0 ? "line " + std::to_string(line) + ": " : "";
    if (!machine.empty()) message += std::string(base::utf8_prefix(machine, longest_named)) + ": ";
    problems_.push_back(
        {.field = std::string(machines_field),
         .message = message + std::string(base::utf8_prefix(text, longest_problem))});
}

void Complaints::give_up(int line, const std::string& text) {
    if (!has_given_up_) add(line, "", text);
    has_given_up_ = true;
}

bool Complaints::has_room_for(std::size_t bytes, int line) {
    if (held_ > most_held) return false;
    held_ += bytes;
    if (held_ <= most_held) return true;
    add(line, "", "with its ranges, groups and aliases written out, the list is too long to read");
    return false;
}

bool Complaints::are_enough() const {
    return has_given_up_ || held_ > most_held || more_ > most_counted;
}

base::Problems Complaints::problems() const {
    base::Problems all = problems_;
    if (more_ > 0) {
        all.push_back({.field = std::string(machines_field),
                       .message = "and " + std::to_string(more_) + " more"});
    }
    return all;
}

std::string too_many_machines() {
    return "must not list more than " + std::to_string(most_machines) + " machines";
}

std::string too_many_words(std::string_view machine, std::string_view name) {
    return std::string(base::utf8_prefix(machine, longest_named)) + ": " + std::string(name) +
           " holds more than " + std::to_string(most_words) + " words";
}

std::size_t size_of(std::string_view text) {
    constexpr std::size_t around_it = 32;
    return text.size() + around_it;
}

std::size_t size_of(const Value& value) {
    std::size_t size = 0;
    for (const std::string& text : value.texts) size += size_of(text);
    return size;
}

const std::vector<std::string>& value_names() {
    static const std::vector<std::string> names{
        "name",   "address", "bind_address", "port",   "user", "host_key", "host_keys",
        "flavor", "flavors", "image",        "images", "tags", "bmc",      "bmc_system"};
    return names;
}

std::vector<std::string> words_in(const Value& value) {
    if (value.is_list) return value.texts;
    std::vector<std::string> words;
    constexpr std::string_view separators = ", \t";
    for (std::string_view text : value.texts) {
        while (true) {
            const auto first = text.find_first_not_of(separators);
            if (first == std::string_view::npos) break;
            text.remove_prefix(first);
            const auto end = std::min(text.find_first_of(separators), text.size());
            words.emplace_back(text.substr(0, end));
            text.remove_prefix(end);
        }
    }
    return words;
}

std::optional<Value> value_of(const Node& node, std::string_view machine, std::string_view name,
                              Complaints& complaints) {
    Value value;
    value.line = node.line;
    if (node.kind == Node::Kind::scalar) {
        if (!complaints.has_room_for(size_of(node.text), node.line)) return std::nullopt;
        value.texts = {node.text};
        return value;
    }
    const bool is_list = node.kind == Node::Kind::list &&
                         std::all_of(node.items.begin(), node.items.end(), [](const auto& item) {
                             return item->kind == Node::Kind::scalar && !item->is_null;
                         });
    if (!is_list) {
        complaints.add(node.line, machine,
                       std::string(name) + " must be a text or a list of texts");
        return std::nullopt;
    }
    value.is_list = true;
    for (const auto& item : node.items) {
        if (!complaints.has_room_for(size_of(item->text), node.line)) return std::nullopt;
        value.texts.push_back(item->text);
    }
    return value;
}

std::vector<Listed> listed_in(const Node& list, Complaints& complaints) {
    std::vector<Listed> all;
    for (const auto& item : list.items) {
        if (complaints.are_enough()) break;
        if (all.size() == most_machines) {
            complaints.give_up(item->line, too_many_machines());
            break;
        }
        if (item->kind == Node::Kind::map) {
            all.push_back(listed_machine(*item, complaints));
        } else {
            complaints.add(item->line, "",
                           "a machine is an object with name, address and what else it has");
        }
    }
    return all;
}

}  // namespace provisioner::inventory
