// The lenient reader of request bodies: it must answer, and what it read must be JSON that reads as
// the same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fcgi/http/json_body.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view body(reinterpret_cast<const char*>(data), size);
    const auto json = fcgi::http::read_json(body);
    if (!json) {
        if (json.error().size() != 1 || json.error().front().message.empty()) std::abort();
        return 0;
    }
    const auto again = fcgi::http::read_json(json->dump());
    if (!again || *again != *json) std::abort();
    return 0;
}
