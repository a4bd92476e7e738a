#include "provisioner/operations/identity_providers/gate.hpp"

namespace provisioner::operations {

namespace {

constexpr std::chrono::seconds away_for{10};

}  // namespace

ProviderGate::Stay::Stay(ProviderGate& gate, model::IdentityProviderId provider)
    : gate_(gate), provider_(provider) {
    const auto now = std::chrono::steady_clock::now();
    const std::lock_guard lock(gate_.mutex_);
    const auto away = gate_.away_until_.find(provider);
    if (away != gate_.away_until_.end()) {
        if (now < away->second) {
            answer_ = Answer::away;
            return;
        }
        gate_.away_until_.erase(away);
    }
    if (gate_.inside_ >= gate_.at_once_) return;
    ++gate_.inside_;
    answer_ = Answer::go;
}

ProviderGate::Stay::~Stay() {
    if (answer_ != Answer::go) return;
    const std::lock_guard lock(gate_.mutex_);
    --gate_.inside_;
}

void ProviderGate::Stay::provider_is_away() {
    const std::lock_guard lock(gate_.mutex_);
    gate_.away_until_[provider_] = std::chrono::steady_clock::now() + away_for;
}

}  // namespace provisioner::operations
