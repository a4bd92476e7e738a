#include "fcgi/compression.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "fcgi/auth/csrf.hpp"
#include "fcgi/auth/sessions.hpp"
#include "provisioner/identity/csrf_token.hpp"
#include "provisioner/transcript/packing.hpp"

namespace fcgi {

using http::Request;
using http::Response;

namespace {

/// Shorter answers fit into one packet anyway.
constexpr std::size_t worth_it = 1024;

constexpr std::array text_types{"text/html", "text/plain", "text/csv", "application/json",
                                "application/problem+json"};

/// "br, gzip;q=0" does not.
bool takes_gzip(const Request& request) {
    std::istringstream codings(request.header("accept-encoding"));
    for (std::string coding; std::getline(codings, coding, ',');) {
        std::erase(coding, ' ');
        if (coding == "gzip") return true;
        if (coding.starts_with("gzip;q=")) return coding.find_first_of("123456789") != coding.npos;
    }
    return false;
}

bool is_text(const Response& response) {
    const std::string& type = response.header("Content-Type");
    return std::ranges::any_of(text_types,
                               [&](const char* text) { return type.starts_with(text); });
}

}  // namespace

Response compressed(Response response, const Request& request) {
    const bool is_wanted = takes_gzip(request) && auth::says_same_origin(request);
    if (!is_wanted || response.body.size() < worth_it || !is_text(response)) return response;
    const bool is_final =
        !response.header("Content-Encoding").empty() || !response.header("ETag").empty();
    if (is_final) return response;
    const auto session = auth::session_token(request);
    const std::string secret = session ? provisioner::identity::csrf_token(*session) : "";
    response.body = provisioner::transcript::gzipped_quickly(response.body, secret);
    response.headers.emplace_back("Content-Encoding", "gzip");
    response.headers.emplace_back("Vary", "Accept-Encoding, Sec-Fetch-Site");
    return response;
}

}  // namespace fcgi
