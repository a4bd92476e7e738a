#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/http_client/message.hpp"
#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::joyent {

/// What CloudAPI says in an error: {"code": "...", "message": "..."}. Both empty for other bodies.
struct Trouble {
    std::string code{};
    std::string message{};
};
Trouble trouble_in(const http_client::Reply& reply);

/// Throws what the error in the reply comes to: cloud::Refusal, cloud::NoCapacity, cloud::Lost.
/// `now` is for clocks that are wrong. Source: "HTTP Status Codes" of CloudAPI's documentation.
[[noreturn]] void refuse(const http_client::Reply& reply, base::Timestamp now);

/// The JSON of a reply with status 2xx; throws as refuse() for others.
base::Json answer_in(const http_client::Reply& reply, base::Timestamp now);

/// Whether the reply says that the name of a new machine is taken.
bool is_taken_name(const http_client::Reply& reply);
/// Whether the reply says that the package does not exist.
bool is_unknown_package(const http_client::Reply& reply);
/// Whether the reply says that the image does not exist.
bool is_unknown_image(const http_client::Reply& reply);

/// A machine as CloudAPI shows it.
cloud::CloudMachine machine_in(const base::Json& machine);
/// Those in a page of a listing; throws cloud::Lost for other JSON.
std::vector<cloud::CloudMachine> machines_in(const base::Json& page);

/// Where services and the daemon reach a machine with these addresses, as Coopr chose: the only
/// one, else the first that is not private. Empty for none.
std::string access_address(const std::vector<std::string>& ips);

/// Something with an id and a name: a package, an image, a network.
struct Named {
    std::string id{};
    std::string name{};
    /// Only images have one.
    std::string version{};
    /// Only images: when they were published, as text that sorts by time.
    std::string published_at{};
    /// More for people: memory, system.
    std::string label{};
};
std::vector<Named> named_in(const base::Json& listing);

/// The id of the entry with that id or name; of several the one published last. An image may be
/// named with its version, "debian-12@20240612". Throws cloud::Refusal with near names.
std::string id_of(const std::string& what, const std::string& wanted,
                  const std::vector<Named>& known);

/// The entries as choices of a form.
std::vector<Choice> choices_of(const std::vector<Named>& known);

}  // namespace provisioner::providers::joyent
