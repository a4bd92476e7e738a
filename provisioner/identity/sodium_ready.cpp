#include "provisioner/identity/sodium_ready.hpp"

#include <sodium.h>

#include <stdexcept>

namespace provisioner::identity {

void make_sodium_ready() {
    // A function-local static: concurrent first calls wait for one sodium_init().
    static const int started = sodium_init();
    if (started < 0) throw std::runtime_error("libsodium cannot be started");
}

}  // namespace provisioner::identity
