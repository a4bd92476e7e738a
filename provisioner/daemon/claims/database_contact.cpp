#include "provisioner/daemon/claims/database_contact.hpp"

#include "provisioner/daemon/timing.hpp"

namespace provisioner::daemon {

// After: since_ is the first answer since the last break. A slow answer begins anew: while it was
// awaited, other daemons could not renew. Load and store are two steps, which is safe because one
// thread writes; a reader sees the old or the new moment, and the new one makes it wait longer.
void DatabaseContact::answered(Moment asked, Moment now) {
    const bool is_first = since_.load() == none || now - asked > timing::slow_answer;
    if (is_first) since_ = now;
}

bool DatabaseContact::has_lasted(std::chrono::seconds time, Moment now) const {
    const Moment since = since_;
    return since != none && now - since >= time;
}

}  // namespace provisioner::daemon
