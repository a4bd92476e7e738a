#include "provisioner/identity/constant_time.hpp"

#include <sodium.h>

#include "provisioner/identity/checksum.hpp"
#include "provisioner/identity/sodium_ready.hpp"

namespace provisioner::identity {

bool are_equal_in_constant_time(std::string_view one, std::string_view other) {
    make_sodium_ready();
    const std::string first = checksum(one);
    const std::string second = checksum(other);
    return sodium_memcmp(first.data(), second.data(), first.size()) == 0;
}

}  // namespace provisioner::identity
