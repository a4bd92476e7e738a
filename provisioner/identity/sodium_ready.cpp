#include "provisioner/identity/sodium_ready.hpp"

#include <sodium.h>

#include <stdexcept>

namespace provisioner::identity {

void make_sodium_ready() {
    static const int started = sodium_init();
    if (started < 0) throw std::runtime_error("libsodium cannot be started");
}

}  // namespace provisioner::identity
