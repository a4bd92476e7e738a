#include "fcgi/auth/arrival.hpp"

namespace fcgi::auth {

Arrival arrival_of(const http::Request& request) {
    if (request.headers.contains("x-live-parts")) {
        return request.headers.contains("x-hidden") ? Arrival::unseen : Arrival::news;
    }
    const std::string& mode = request.header("sec-fetch-mode");
    const std::string& destination = request.header("sec-fetch-dest");
    if (!mode.empty() && mode != "navigate") return Arrival::unseen;
    const bool is_page = destination.empty()
                             ? request.header("accept").find("text/html") != std::string::npos
                             : destination == "document";
    return is_page ? Arrival::page : Arrival::unseen;
}

}  // namespace fcgi::auth
