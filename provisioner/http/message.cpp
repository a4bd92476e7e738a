#include "provisioner/http/message.hpp"

#include <algorithm>

namespace provisioner::http {

std::string Reply::header(std::string_view name) const {
    const auto found = std::find_if(headers.begin(), headers.end(),
                                    [&](const auto& header) { return header.first == name; });
    return found == headers.end() ? "" : found->second;
}

}  // namespace provisioner::http
