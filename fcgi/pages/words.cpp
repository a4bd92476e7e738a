#include "fcgi/pages/words.hpp"

#include "fcgi/pages/moments.hpp"

namespace fcgi::pages {

using namespace provisioner::model;

std::string counted(std::size_t number, const std::string& thing) {
    return std::to_string(number) + ' ' + thing + (number == 1 ? "" : "s");
}

std::string size_words(const Constraints& constraints) {
    const auto least = static_cast<std::size_t>(constraints.size_min);
    if (constraints.size_min == constraints.size_max) return counted(least, "machine");
    if (constraints.size_max == no_maximum) return counted(least, "machine") + " or more";
    return std::to_string(least) + " to " +
           counted(static_cast<std::size_t>(constraints.size_max), "machine");
}

std::string lease_words(const LeaseDuration& lease) {
    return lease.initial.count() == 0 ? "for ever" : spoken(lease.initial);
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
        text += names[i];
    }
    return text;
}

std::string title_of(const EntityHeader& header) {
    return header.label.value_or(header.name);
}

}  // namespace fcgi::pages
