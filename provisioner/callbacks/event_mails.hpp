#pragma once

#include <string>
#include <vector>

#include "provisioner/model/tenants/mail.hpp"

namespace provisioner::callbacks {

/// Most events that one mail tells of; of further ones it says how many there are.
inline constexpr int events_in_mail = 50;

/// The mails about events: one for each owner, in the order of `events`, which are ordered by
/// owner. `site` is the address of the installation with its prefix, for links; empty: without
/// links. In English. Pure.
std::vector<model::Mail> event_mails(const std::vector<model::MailEvent>& events,
                                     const std::string& site);

}  // namespace provisioner::callbacks
