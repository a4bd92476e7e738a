#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/providers/aws/query.hpp"
#include "provisioner/providers/aws/replies.hpp"
#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::aws {

/// Tags as EC2 has them.
using Tags = std::map<std::string, std::string>;

/// Whether the machine is a spot machine (field or setting `spot`): AWS may take it back.
bool is_spot(const Account& account, const MachineSpec& spec);

/// What RunInstances is told beside the order.
struct Launch {
    Image image{};
    /// Ids; at least one.
    std::vector<std::string> groups{};
    /// "" for none: then the user data lets the daemon in.
    std::string key_pair{};
};

/// Adds TagSpecification.<number>: tags for a kind of thing that is made by the same call.
void add_tags(Query& query, int number, const std::string& kind, const Tags& tags);

/// The call that makes the machine of an order. Equal arguments give equal texts: EC2 refuses a
/// client token with other parameters than at first. Throws cloud::Refusal for a root disk that is
/// smaller than the image and for user data that are too long.
Query run_instances(const cloud::Order& order, const Launch& launch);

/// The client token of an order: one for each attempt at each placement, so that a replacement is
/// another machine and a repeated call the same one.
std::string client_token(const cloud::Order& order);

}  // namespace provisioner::providers::aws
