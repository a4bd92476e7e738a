#include "fcgi/pages/kept/next.hpp"

#include <algorithm>

namespace fcgi::pages {

std::string safe_next(const std::string& path) {
    const bool printable =
        std::all_of(path.begin(), path.end(), [](unsigned char c) { return c > ' ' && c < 0x7f; });
    const bool ours = path.starts_with('/') && !path.starts_with("//");
    const bool odd = path.find('\\') != std::string::npos || path.starts_with("/login");
    return printable && ours && !odd ? path : "/";
}

}  // namespace fcgi::pages
