#include "fcgi/api/status.hpp"

namespace fcgi::api {

http::Response server_status(const http::Request&, const auth::Visitor&, App&) {
    return http::text(200, "OK\n");
}

}  // namespace fcgi::api
