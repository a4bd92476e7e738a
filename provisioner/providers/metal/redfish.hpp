#pragma once

#include <string>
#include <vector>

#include "provisioner/base/expected.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/http_client/message.hpp"

namespace provisioner::providers::metal {

// Redfish (DMTF DSP0266): calls of a machine's controller as requests, and its answers as values.
// Pure.

/// Who logs in to a controller, and whom it must prove to be.
struct ControllerLogin {
    std::string user;
    base::Secret password;
    /// Certificates of the authorities that may have signed its certificate; empty: the system's.
    std::string authorities;
};

/// The collection of all machines of a controller.
inline constexpr const char* systems_path = "/redfish/v1/Systems";

/// GET of a path at the controller, by HTTP Basic authentication.
http_client::Request get_request(const std::string& url, const std::string& path,
                                 const ControllerLogin& login);
/// POST of a reset to its target.
http_client::Request reset_request(const std::string& url, const std::string& target,
                                   const std::string& reset_type, const ControllerLogin& login);

/// A machine as its controller shows it.
struct ComputerSystem {
    /// "On", "Off", "PoweringOn", "PoweringOff" or another word; empty: it does not say.
    std::string power_state;
    /// Path to which resets are posted.
    std::string reset_target;
    /// What the target takes; empty: it does not say.
    std::vector<std::string> reset_types;

    /// The first of these that the target takes, or the first of all if it does not say; empty if
    /// it takes none.
    std::string first_of(const std::vector<std::string>& wanted) const;
};

/// The machine in an answer. The error says what is wrong with the answer.
base::expected<ComputerSystem, std::string> system_in(const std::string& body);

/// The paths of the machines in an answer to GET systems_path.
base::expected<std::vector<std::string>, std::string> systems_in(const std::string& body);

/// What the controller says about a failure ("@Message.ExtendedInfo"), else its status.
std::string failure_in(const http_client::Reply& reply);

}  // namespace provisioner::providers::metal
