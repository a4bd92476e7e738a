#include "provisioner/daemon/claims/database_contact.hpp"

#include "provisioner/daemon/timing.hpp"

namespace provisioner::daemon {

void DatabaseContact::answered(Moment asked, Moment now) {
    const bool is_first = since_.load() == none || now - asked > timing::slow_answer;
    if (is_first) since_ = now;
}

bool DatabaseContact::has_lasted(std::chrono::seconds time, Moment now) const {
    const Moment since = since_;
    return since != none && now - since >= time;
}

}  // namespace provisioner::daemon
