#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/inventory/yaml_document.hpp"

namespace provisioner::inventory {

/// A value that an inventory gives a machine: one text or a list of them.
struct Value {
    std::vector<std::string> texts;
    bool is_list = false;
    /// Where it stands, from 1.
    int line = 0;
};

/// A machine as the inventory has it, before anything is checked.
struct Listed {
    std::string name;
    int line = 0;
    /// By our names: address, port, host_keys ...
    std::map<std::string, Value> values;
};

/// Collects problems with their lines, and watches how much a text stands for: ranges, groups and
/// aliases let a small one stand for more than memory holds.
class Complaints {
 public:
    /// "line 3: text"; `machine` is named if it is not empty. Beyond 100 they are only counted, and
    /// the end of a text beyond 1,000 bytes is cut off.
    void add(int line, std::string_view machine, const std::string& text);
    /// Adds a problem after which nobody reads on: are_enough() from now on.
    void give_up(int line, const std::string& text);
    /// Counts what is about to be held, or passed over. False, with one complaint, once all of it
    /// together exceeds 64 MiB; it is not to be held then.
    bool has_room_for(std::size_t bytes, int line);

    bool empty() const { return problems_.empty(); }
    /// Whether to read on makes no sense: there is no room, a limit is exceeded, or nearly
    /// everything is wrong.
    bool are_enough() const;
    /// All of them; the last one says how many more there are.
    base::Problems problems() const;

 private:
    base::Problems problems_;
    std::size_t more_ = 0;
    std::size_t held_ = 0;
    bool has_given_up_ = false;
};

/// What a list of more than `most_machines` is told.
std::string too_many_machines();
/// What a machine with more than `most_words` tags is told, or flavors, or images.
std::string too_many_words(std::string_view machine, std::string_view name);

/// What a text or value takes of the room that Complaints watches.
std::size_t size_of(std::string_view text);
std::size_t size_of(const Value& value);

/// The words of a value: the items of a list, or what commas and blanks separate in a text.
std::vector<std::string> words_in(const Value& value);

/// The names of values in a list of machines: "address", "host_keys" ...
const std::vector<std::string>& value_names();

/// A value from a node: a scalar, or a list of scalars. Nothing, with a complaint, for others and
/// where there is no room.
std::optional<Value> value_of(const Node& node, std::string_view machine, std::string_view name,
                              Complaints& complaints);

/// The machines of a list [{"name": ..., "address": ...}, ...].
std::vector<Listed> listed_in(const Node& list, Complaints& complaints);

}  // namespace provisioner::inventory
