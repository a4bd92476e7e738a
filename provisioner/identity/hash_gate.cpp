#include "provisioner/identity/hash_gate.hpp"

namespace provisioner::identity {

void HashGate::set(const Limits& limits) {
    const std::lock_guard lock(mutex_);
    limits_ = limits;
    freed_.notify_all();
}

void HashGate::enter() {
    std::unique_lock lock(mutex_);
    if (running_ >= limits_.at_once) {
        if (waiting_ >= limits_.waiting) throw TooManyHashes();
        ++waiting_;
        const bool is_free =
            freed_.wait_for(lock, limits_.patience, [&] { return running_ < limits_.at_once; });
        --waiting_;
        if (!is_free) throw TooManyHashes();
    }
    ++running_;
}

void HashGate::leave() {
    const std::lock_guard lock(mutex_);
    --running_;
    freed_.notify_one();
}

HashGate& hash_gate() {
    static HashGate gate;
    return gate;
}

}  // namespace provisioner::identity
