#pragma once

#include <stdexcept>
#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"

namespace tests {

/// JSON written with single quotes for double ones, so that a test reads like the wire.
inline provisioner::base::Json wire(std::string text) {
    for (char& c : text) {
        if (c == '\'') c = '"';
    }
    return provisioner::base::Json::parse(text);
}

/// Every Problem as "field: message", parted by "; "; "none" when there is a value.
template <class T>
std::string problems_of(const provisioner::base::Checked<T>& checked) {
    return checked ? "none" : provisioner::base::to_text(checked.error());
}

/// What is written after reading `text`; throws with the Problems when it cannot be read.
template <class T>
std::string rewritten(provisioner::base::Checked<T> (*read)(const provisioner::base::Json&),
                      const std::string& text) {
    const auto value = read(wire(text));
    if (!value) throw std::invalid_argument(problems_of(value));
    return provisioner::base::to_text(to_json(*value));
}

/// `text` as compact JSON in its own order.
inline std::string compact(const std::string& text) {
    return provisioner::base::to_text(wire(text));
}

}  // namespace tests
