#pragma once

#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// What is known of the calls to an account, by the database's clock.
struct CallRate {
    /// When all calls that were taken will have gone; long ago for a lane that nobody used.
    base::Timestamp idle_at{};
    /// The time of the database.
    base::Timestamp now{};
};

/// Reads and locks the row of a lane, which is made when there is none. `account` has 64 characters
/// at most, `kind` 32. Two at once: the second waits for the first's transaction.
CallRate lock_call_rate(Connection& connection, const std::string& account,
                        const std::string& kind);

/// Stores what lock_call_rate() locked.
void save_call_rate(Connection& connection, const std::string& account, const std::string& kind,
                    base::Timestamp idle_at);

/// Deletes lanes that have been idle for a day.
void forget_call_rates(Connection& connection);

}  // namespace provisioner::store
