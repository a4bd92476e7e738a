#pragma once

namespace provisioner::identity {

/// Starts libsodium on the first call, from any thread; throws std::runtime_error if it cannot.
void make_sodium_ready();

}  // namespace provisioner::identity
