#include "fcgi/pages/kept/next.hpp"

#include <algorithm>
#include <string_view>

namespace fcgi::pages {

std::string safe_next(const std::string& path) {
    const bool printable =
        std::all_of(path.begin(), path.end(), [](unsigned char c) { return c > ' ' && c < 0x7f; });
    const bool ours = path.starts_with('/') && !path.starts_with("//");
    constexpr std::string_view log_in = "/login";
    const bool leads_to_log_in =
        path.starts_with(log_in) &&
        (path.size() == log_in.size() ||
         std::string_view("/?#").find(path[log_in.size()]) != std::string_view::npos);
    const bool odd = path.find('\\') != std::string::npos || leads_to_log_in;
    return printable && ours && !odd ? path : "/";
}

}  // namespace fcgi::pages
