#include "provisioner/base/failure_log.hpp"

namespace provisioner::base {

namespace {

constexpr std::chrono::minutes between_lines{1};

}  // namespace

void FailureLog::failed(const std::string& error, Moment now) {
    ++failures_;
    if (failures_ == 1) first_ = now;
    if (failures_ > 1 && now - logged_ < between_lines) return;
    logged_ = now;
    if (which_) {
        log_.warn(event_, {*which_, {"failures", failures_}, {"error", error}});
    } else {
        log_.warn(event_, {{"failures", failures_}, {"error", error}});
    }
}

void FailureLog::worked(Moment now) {
    if (failures_ == 0) return;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - first_).count();
    if (which_) {
        log_.info(again_, {*which_, {"failures", failures_}, {"seconds", seconds}});
    } else {
        log_.info(again_, {{"failures", failures_}, {"seconds", seconds}});
    }
    failures_ = 0;
}

}  // namespace provisioner::base
