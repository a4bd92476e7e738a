#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::digitalocean {

/// The machine that an element of GET /v2/droplets describes. In `details`: "locked", whether an
/// event is under way, and "tags".
///
/// An address may be missing although the droplet is active; where `has_public_address`, only a
/// public one counts. Throws cloud::Lost for a droplet without an id.
cloud::CloudMachine machine_in(const base::Json& droplet, bool has_public_address);

/// Whether the droplet was made by this installation: by the tag, or by the name where no tag says
/// anything, because tags are put on after the creation and may get lost.
bool is_ours(const base::Json& droplet, const std::string& installation);

/// The machines of the installation among the droplets of an account.
std::vector<cloud::CloudMachine> machines_in(const base::Json& droplets,
                                             const std::string& installation,
                                             bool has_public_address);

/// The id in the answer to a creation; throws cloud::Lost without one.
std::string made_droplet(const base::Json& answer);

/// The texts of a member of all elements, without those that have none: "slug", "name".
std::vector<std::string> texts_of(const base::Json& items, std::string_view member);

/// The first element whose member is that text; null when there is none.
const base::Json* with_text(const base::Json& items, std::string_view member,
                            std::string_view text);

}  // namespace provisioner::providers::digitalocean
