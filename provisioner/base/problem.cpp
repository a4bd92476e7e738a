#include "provisioner/base/problem.hpp"

namespace provisioner::base {

std::string to_text(const Problems& problems) {
    std::string text;
    for (const Problem& problem : problems) {
        if (!text.empty()) text += "; ";
        if (!problem.field.empty()) text += problem.field + ": ";
        text += problem.message;
    }
    return text;
}

}  // namespace provisioner::base
