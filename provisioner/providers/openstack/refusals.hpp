#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/http_client/message.hpp"
#include "provisioner/providers/cloud/failures.hpp"

namespace provisioner::providers::openstack {

/// What OpenStack says went wrong: the message in a JSON object of any of its services
/// ({"forbidden": {"message": ...}}, {"NeutronError": ...}, {"error": ...}), else the title of a
/// page. Fit for a message; may be empty.
std::string said(const http_client::Reply& reply);

/// Throws what a reply that is no success means: Lost for 5xx, a refusal worth another try for
/// quotas, one in words for the others. `what` names the call: "the server", "listing networks".
[[noreturn]] void throw_refusal(const http_client::Reply& reply, const std::string& what);

/// Whether a refusal is about a quota: 403 of Nova, 409 of Neutron, 413 of old clouds.
bool is_quota(const http_client::Reply& reply);

/// Whether a refusal says that a security group does not exist (404 of Neutron, 400 of Nova). The
/// cluster's own goes with its last machine, also while the next one begins.
bool is_group_gone(const http_client::Reply& reply);

/// Whether `part` occurs in `text`.
bool contains(std::string_view text, std::string_view part);

/// "a, b and c"; empty for none.
std::string listed(const std::vector<std::string>& names);

}  // namespace provisioner::providers::openstack
