#include "provisioner/store/database/breaker.hpp"

#include <utility>

namespace provisioner::store {

namespace {

constexpr std::chrono::seconds recently{1};

}  // namespace

Breaker::Turn::~Turn() {
    if (tried_ != nullptr) tried_->is_being_tried_ = false;
}

Breaker::Turn::Turn(Turn&& other) noexcept : tried_(std::exchange(other.tried_, nullptr)) {}

/// The exchange decides between threads that find the server silent at the same moment: exactly one
/// sees false and gets the trial. Another thread may record an answer between the two checks. The
/// trial is then unnecessary but harmless.
std::optional<Breaker::Turn> Breaker::admit() {
    if (!is_silent_) return Turn(nullptr);
    if (is_being_tried_.exchange(true)) return std::nullopt;
    return Turn(this);
}

void Breaker::answered(Moment now) {
    last_answer_ = now;
    if (is_silent_) is_silent_ = false;
}

void Breaker::not_answered(Moment now) {
    const Moment last = last_answer_;
    const bool is_recent = last != Moment::min() && now - last < recently;
    if (!is_recent) is_silent_ = true;
}

}  // namespace provisioner::store
