#include "fcgi/turns.hpp"

#include <algorithm>

namespace fcgi {

Turns::Turn::Turn(Turns& all, provisioner::model::UserId user) : all_(all), user_(user) {
    std::unique_lock lock(all_.mutex_);
    Use& use = all_.users_[user_];
    const auto is_free = [&] { return !use.works && all_.at_work_ < all_.limits_.at_once; };
    if (!is_free() && !use.waits && all_.waiting_ < all_.limits_.waiting) {
        use.waits = true;
        ++all_.waiting_;
        all_.somebody_ended_.wait_for(lock, all_.limits_.patience, is_free);
        --all_.waiting_;
        use.waits = false;
    }
    has_begun_ = is_free();
    is_own_fault_ = !has_begun_ && (use.works || use.waits);
    if (has_begun_) {
        use.works = true;
        ++all_.at_work_;
    }
    if (!use.works && !use.waits) all_.users_.erase(user_);
}

Turns::Turn::~Turn() {
    if (!has_begun_) return;
    const std::lock_guard lock(all_.mutex_);
    --all_.at_work_;
    const auto found = all_.users_.find(user_);
    found->second.works = false;
    if (!found->second.waits) all_.users_.erase(found);
    all_.somebody_ended_.notify_all();
}

Turns::Limits turns_for(int threads) {
    const auto all = static_cast<std::size_t>(threads);
    return {.at_once = std::max<std::size_t>(1, all / 2), .waiting = all / 4};
}

}  // namespace fcgi
