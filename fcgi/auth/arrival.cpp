#include "fcgi/auth/arrival.hpp"

namespace fcgi::auth {

namespace {

/// The path of the referring page below the prefix, if it is a page of this origin.
std::optional<std::string> referring_path(const http::Request& request) {
    const std::string& page = request.header("referer");
    const auto scheme_end = page.find("://");
    if (scheme_end == std::string::npos) return std::nullopt;
    const std::string address = page.substr(scheme_end + 3);
    const std::string ours = request.header("host") + request.prefix + '/';
    if (!address.starts_with(ours)) return std::nullopt;
    return address.substr(ours.size() - 1);
}

bool is_document(const http::Request& request) {
    if (request.headers.contains("x-live-parts")) return false;
    const std::string& mode = request.header("sec-fetch-mode");
    const std::string& destination = request.header("sec-fetch-dest");
    if (!mode.empty() && mode != "navigate") return false;
    if (!destination.empty()) return destination == "document";
    const std::string& accepted = request.header("accept");
    return accepted.find("text/html") != std::string::npos;
}

}  // namespace

Arrival arrival_of(const http::Request& request) {
    if (!is_document(request)) return Arrival::embedded;
    const std::string& site = request.header("sec-fetch-site");
    const auto path = referring_path(request);
    // Whoever logs in there may have followed a link of another site.
    if (path && path->starts_with("/login")) return Arrival::led;
    if (!site.empty()) {
        return site == "same-origin" || site == "none" ? Arrival::meant : Arrival::led;
    }
    return path || request.header("referer").empty() ? Arrival::meant : Arrival::led;
}

}  // namespace fcgi::auth
