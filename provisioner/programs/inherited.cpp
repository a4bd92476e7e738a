#include "provisioner/programs/inherited.hpp"

#include <cstdlib>

namespace provisioner::programs {

// "<descriptor>:<path>".
Inherited take_inherited(const char* variable) {
    const char* const value = std::getenv(variable);
    const std::string text = value ? value : "";
    ::unsetenv(variable);
    const auto colon = text.find(':');
    if (colon == std::string::npos) return {};
    return {.descriptor = std::atoi(text.c_str()), .path = text.substr(colon + 1)};
}

std::map<std::string, std::string> to_inherit(const char* variable, const Inherited& left) {
    return {{variable, std::to_string(left.descriptor) + ":" + left.path}};
}

}  // namespace provisioner::programs
