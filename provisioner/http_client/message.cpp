#include "provisioner/http_client/message.hpp"

#include <algorithm>

namespace provisioner::http_client {

std::string Reply::header(std::string_view name) const {
    const auto found = std::find_if(headers.begin(), headers.end(),
                                    [&](const auto& header) { return header.first == name; });
    return found == headers.end() ? "" : found->second;
}

}  // namespace provisioner::http_client
