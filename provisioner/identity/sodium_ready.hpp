#pragma once

namespace provisioner::identity {

/// Initialises libsodium on the first call; later calls cost one load. Safe from any thread. Throws
/// std::runtime_error when that fails, for example without a source of random numbers. Functions
/// that need random numbers or memory of libsodium call it first, so callers need not.
void make_sodium_ready();

}  // namespace provisioner::identity
