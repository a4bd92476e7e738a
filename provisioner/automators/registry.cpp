#include "provisioner/automators/registry.hpp"

#include <array>

#include "provisioner/automators/shell.hpp"

namespace provisioner::automators {

namespace {

struct Entry {
    std::string_view type;
    const Automator* automator;
};

const ShellAutomator shell;

constexpr std::array table{
    Entry{"shell", &shell},
};

}  // namespace

const Automator* find_automator(const std::string& type) {
    for (const Entry& entry : table) {
        if (entry.type == type) return entry.automator;
    }
    return nullptr;
}

std::vector<const Automator*> all_automators() {
    std::vector<const Automator*> all;
    all.reserve(table.size());
    for (const Entry& entry : table) all.push_back(entry.automator);
    return all;
}

}  // namespace provisioner::automators
