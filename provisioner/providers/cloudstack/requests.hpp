#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/cloudstack/signature.hpp"

namespace provisioner::providers::cloudstack {

/// A call, signed at `now` and valid for 15 minutes (signatureVersion 3). Always a POST with a
/// form: user data of more than 4 KB need it, and newer servers may demand it for changes.
http_client::Request call(const Account& account, const std::string& command, Params params,
                          base::Timestamp now);

/// "2026-11-22T18:52:35+0000".
std::string iso_date(base::Timestamp moment);

/// Ids that a deployment refers to.
struct DeploymentIds {
    std::string zone{};
    std::string offering{};
    std::string template_id{};
    std::vector<std::string> networks{};
    std::vector<std::string> groups{};
};

/// Parameters of deployVirtualMachine.
Params deployment(const cloud::Order& order, const DeploymentIds& ids);

/// What a machine is called inside: unique for each attempt, because a machine that is destroyed
/// but not expunged keeps its name. At most 63 characters, begins with a letter.
std::string machine_name(const Account& account, const cloud::Mark& mark);

/// How the names of all machines of the installation begin. Other installations may share it.
std::string name_prefix(const Account& account);

/// The mark as the display name, which the deployment itself sets; tags come by a second call.
/// "cooperage <installation> <cluster> <name> <task>-<attempt>".
std::string display_name(const cloud::Mark& mark);

/// Reads display_name(); nothing for other texts.
std::optional<cloud::Mark> mark_in_display_name(std::string_view text);

/// Tags as parameters: tags[0].key, tags[0].value, ...
Params tag_params(const std::map<std::string, std::string>& tags);

/// The tag by which everything of the mark's machine is found; without a name, everything of the
/// installation. CloudStack joins several tags with OR, so it is one, and other installations may
/// have equal machines: what is found must be compared with the mark.
Params tag_filter(const cloud::Mark& mark);

/// Parameters of createTags.
Params tagging(const std::string& resource_type, const std::string& id,
               const std::map<std::string, std::string>& tags);

/// The longest user data that CloudStack takes, in base64.
inline constexpr std::size_t longest_user_data = 32768;

/// The tag that keeps the number of the job that makes a machine.
inline constexpr std::string_view tag_job = "cooperage-job";

}  // namespace provisioner::providers::cloudstack
