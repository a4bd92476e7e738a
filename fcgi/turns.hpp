#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>

#include "provisioner/model/tenants/tenant.hpp"

namespace fcgi {

/// Who may do what takes long now (Route::is_laborious): one request of a user at once, and so many
/// of all users that
/// threads are left for other requests. A request waits a moment for its turn, because the one
/// before may just be ending; only few wait, because each holds a thread. Any thread may call any
/// function.
class Turns {
 public:
    /// Limits of the turns.
    struct Limits {
        /// Requests of all users that have a turn at once; at least 1.
        std::size_t at_once = 4;
        /// Requests that wait at once.
        std::size_t waiting = 2;
        /// How long a request waits.
        std::chrono::milliseconds patience{500};
    };

    /// Everything is free at first.
    explicit Turns(Limits limits) : limits_(limits) {}

    /// A turn of a user, from the constructor, which waits for it, to the destructor.
    class Turn {
     public:
        Turn(Turns& all, provisioner::model::UserId user);
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

        /// Whether the work may be done.
        bool has_begun() const { return has_begun_; }
        /// Whether a request of the same user was in the way. Only without a turn.
        bool is_own_fault() const { return is_own_fault_; }

     private:
        Turns& all_;
        provisioner::model::UserId user_;
        bool has_begun_ = false;
        bool is_own_fault_ = false;
    };

 private:
    /// What a user has under way.
    struct Use {
        bool works = false;
        bool waits = false;
    };

    const Limits limits_;
    std::mutex mutex_;
    /// Signals that a turn has ended.
    std::condition_variable somebody_ended_;
    /// Only users with something under way.
    std::map<provisioner::model::UserId, Use> users_;
    std::size_t at_work_ = 0;
    std::size_t waiting_ = 0;
};

/// The limits for a program of so many threads: half of them do what takes long, a quarter wait for
/// that, and a quarter is left, from four threads on.
Turns::Limits turns_for(int threads);

}  // namespace fcgi
