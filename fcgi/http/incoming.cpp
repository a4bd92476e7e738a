#include "fcgi/http/incoming.hpp"

#include <algorithm>

#include "fcgi/http/errors.hpp"

namespace fcgi::http {
namespace {

constexpr std::size_t read_at_once = 64UL * 1024UL;

}  // namespace

std::optional<Response> read_body(Request& request, std::uint64_t limit) {
    if (request.incoming == nullptr) return std::nullopt;
    if (request.incoming_size > limit) return too_large(request, limit);
    // The buffer grows as bytes arrive, so a client that announces much and sends little costs
    // little memory.
    std::string& body = request.body;
    while (body.size() < request.incoming_size) {
        const std::size_t had = body.size();
        const std::size_t wanted = std::min<std::size_t>(read_at_once, request.incoming_size - had);
        body.resize(had + wanted);
        body.resize(had + request.incoming->read(body.data() + had, wanted));
    }
    request.incoming = nullptr;
    return std::nullopt;
}

}  // namespace fcgi::http
