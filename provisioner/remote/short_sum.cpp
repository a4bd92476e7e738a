#include "provisioner/remote/short_sum.hpp"

#include <cstdint>

namespace provisioner::remote {

std::string short_sum(std::string_view text) {
    std::uint64_t sum = 14695981039346656037ULL;
    for (const char c : text) {
        sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    }
    std::string digits(16, '0');
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, sum >>= 4) {
        *digit = "0123456789abcdef"[sum & 15];
    }
    return digits;
}

}  // namespace provisioner::remote
