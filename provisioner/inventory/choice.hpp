#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/inventory/machine.hpp"

namespace provisioner::inventory {

/// What a node needs of a machine.
struct Wanted {
    /// Of the hardware type; empty: any.
    std::string flavor;
    /// Of the image type; empty: any.
    std::string image;
    /// All of these.
    std::vector<std::string> tags;
};

/// Whether the machine is good for it. A machine that names no flavors or images is good for all.
bool fits(const ListedMachine& machine, const Wanted& wanted);

/// The words of a list that commas or blanks separate.
std::vector<std::string> split_words(std::string_view text);

/// What the machine's tag says behind "<key>=": "7" for the key "rack" and the tag "rack=7". Empty
/// without such a tag or without a key.
std::string group_of(const ListedMachine& machine, std::string_view key);

/// Why none of the machines fits: what nobody has, and what there is instead.
std::string why_none_fits(const std::vector<ListedMachine>& machines, const Wanted& wanted);

}  // namespace provisioner::inventory
