#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/http_client/message.hpp"
#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::cloudstack {

/// An error of CloudStack: its number (ApiErrorCode) and its text; 0 and "" for other bodies.
struct Trouble {
    int code = 0;
    std::string text{};
};
Trouble trouble_in(const http_client::Reply& reply);

/// The text or the number of a member as text: CloudStack before version 3 numbered what it has.
std::string word_at(const base::Json& json, std::string_view member);

/// Throws what the error in the reply comes to: cloud::Refusal, cloud::NoCapacity, cloud::Lost.
[[noreturn]] void refuse(const http_client::Reply& reply, base::Timestamp now);

/// What stands in the one member of the body, "listzonesresponse" say; throws as refuse() for
/// errors and cloud::Lost for other bodies.
base::Json answer_in(const http_client::Reply& reply, base::Timestamp now);

/// Whether the error says that the entity does not exist (any more).
bool is_unknown(const Trouble& trouble);
/// Whether what is_unknown() is a security group.
bool is_unknown_group(const Trouble& trouble);
/// Whether the error says that the name of a new machine is taken.
bool is_taken_name(const Trouble& trouble);
/// Whether the account may not expunge machines.
bool is_expunge_forbidden(const Trouble& trouble);

/// The entries of a listing; `member` names them. Empty listings have no such member.
std::vector<base::Json> entries_in(const base::Json& answer, std::string_view member);

/// The tags of an entity.
std::map<std::string, std::string> tags_in(const base::Json& entity);

/// A machine as listVirtualMachines shows it. Its mark is that of the tags, else that of the
/// display name. details: "job" (of the tag), "network" (of its default card), "is_tagged".
cloud::CloudMachine machine_in(const base::Json& machine);

/// Why a job failed; empty for jobs that run or succeeded.
std::string failure_of(const base::Json& job);

/// Something with an id and a name: a zone, an offering, a template, a network.
struct Named {
    std::string id{};
    std::string name{};
    /// Whether the zone has security groups.
    bool has_groups = false;
};
std::vector<Named> named_in(const base::Json& answer, std::string_view member);
/// The entry with that id or name. Throws cloud::Refusal with near names.
Named find_named(const std::string& what, const std::string& wanted,
                 const std::vector<Named>& known);
/// As choices of a form: names where they are unique, else ids.
std::vector<Choice> choices_of(const std::vector<Named>& known);

}  // namespace provisioner::providers::cloudstack
