#include "provisioner/remote/short_sum.hpp"

#include "provisioner/base/fnv1a.hpp"

namespace provisioner::remote {

std::string short_sum(std::string_view text) {
    std::uint64_t sum = base::fnv1a(text);
    std::string digits(16, '0');
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, sum >>= 4) {
        *digit = "0123456789abcdef"[sum & 15];
    }
    return digits;
}

}  // namespace provisioner::remote
