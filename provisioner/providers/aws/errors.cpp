#include "provisioner/providers/aws/errors.hpp"

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <string_view>

#include "provisioner/providers/aws/xml.hpp"
#include "provisioner/providers/cloud/failures.hpp"

namespace provisioner::providers::aws {

namespace {

/// What a code means. Source:
/// https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html.
enum class Meaning { credentials, permission, throttle, capacity, quota, later, wrong, unknown };

struct Code {
    std::string_view name;
    Meaning meaning;
};

constexpr std::array codes{
    Code{"AuthFailure", Meaning::credentials},
    Code{"SignatureDoesNotMatch", Meaning::credentials},
    Code{"IncompleteSignature", Meaning::credentials},
    Code{"InvalidClientTokenId", Meaning::credentials},
    Code{"UnrecognizedClientException", Meaning::credentials},
    Code{"MissingAuthenticationToken", Meaning::credentials},
    Code{"RequestExpired", Meaning::credentials},
    Code{"ExpiredToken", Meaning::credentials},
    Code{"ExpiredTokenException", Meaning::credentials},
    Code{"Blocked", Meaning::credentials},
    Code{"UnauthorizedOperation", Meaning::permission},
    Code{"AccessDenied", Meaning::permission},
    Code{"RequestLimitExceeded", Meaning::throttle},
    Code{"Throttling", Meaning::throttle},
    Code{"ThrottlingException", Meaning::throttle},
    Code{"EC2ThrottledException", Meaning::throttle},
    Code{"InsufficientInstanceCapacity", Meaning::capacity},
    Code{"InsufficientHostCapacity", Meaning::capacity},
    Code{"InsufficientReservedInstanceCapacity", Meaning::capacity},
    Code{"InsufficientCapacity", Meaning::capacity},
    Code{"InsufficientFreeAddressesInSubnet", Meaning::capacity},
    Code{"UnfulfillableCapacity", Meaning::capacity},
    Code{"SpotMaxPriceTooLow", Meaning::capacity},
    // "Your requested instance type is not supported in your requested Availability Zone."
    Code{"Unsupported", Meaning::capacity},
    Code{"InstanceLimitExceeded", Meaning::quota},
    Code{"VcpuLimitExceeded", Meaning::quota},
    Code{"MaxSpotInstanceCountExceeded", Meaning::quota},
    Code{"VolumeLimitExceeded", Meaning::quota},
    Code{"MaxIOPSLimitExceeded", Meaning::quota},
    Code{"NetworkInterfaceLimitExceeded", Meaning::quota},
    Code{"SecurityGroupLimitExceeded", Meaning::quota},
    Code{"SecurityGroupsPerInterfaceLimitExceeded", Meaning::quota},
    Code{"RulesPerSecurityGroupLimitExceeded", Meaning::quota},
    Code{"ResourceLimitExceeded", Meaning::quota},
    Code{"ResourceCountExceeded", Meaning::quota},
    Code{"PendingVerification", Meaning::later},
    Code{"IncorrectInstanceState", Meaning::later},
    Code{"InvalidGroup.InUse", Meaning::later},
    Code{"DependencyViolation", Meaning::later},
    Code{"ConcurrentTagAccess", Meaning::later},
    // The machine of the same token is gone: the next attempt has another token.
    Code{"IdempotentInstanceTerminated", Meaning::later},
    Code{"InternalError", Meaning::unknown},
    Code{"InternalFailure", Meaning::unknown},
    Code{"ServiceUnavailable", Meaning::unknown},
    Code{"Unavailable", Meaning::unknown},
};

Meaning meaning_of(const ErrorReply& error) {
    // Older answers have the side in front: "Client.RequestLimitExceeded".
    std::string_view name = error.code;
    for (const std::string_view side : {"Client.", "Server."}) {
        if (name.starts_with(side)) name.remove_prefix(side.size());
    }
    const auto found = std::find_if(codes.begin(), codes.end(),
                                    [&](const Code& code) { return code.name == name; });
    if (found != codes.end()) return found->meaning;
    return error.status >= 500 || error.code.empty() ? Meaning::unknown : Meaning::wrong;
}

/// Without "Encoded authorization failure message: ...", a kilobyte that only the account's owner
/// can decode.
std::string without_encoded(const std::string& message) {
    return message.substr(0, message.find(" Encoded authorization failure message:"));
}

std::string said(const ErrorReply& error) {
    return cloud::words_of(error.message) + " (" + cloud::words_of(error.code) + ")";
}

}  // namespace

bool ErrorReply::is_throttle() const {
    return meaning_of(*this) == Meaning::throttle;
}

bool ErrorReply::is_not_found() const {
    return code.ends_with("NotFound");
}

bool ErrorReply::is_expired_login() const {
    return code == "ExpiredToken" || code == "ExpiredTokenException";
}

std::optional<ErrorReply> error_in(const http_client::Reply& reply) {
    if (reply.status >= 200 && reply.status < 300) return std::nullopt;
    ErrorReply error;
    error.status = reply.status;
    pugi::xml_document document;
    if (!document.load_string(reply.body.c_str())) return error;
    const pugi::xml_node node = document.child("Response").child("Errors").child("Error");
    error.code = text_in(node, "Code");
    error.message = text_in(node, "Message");
    return error;
}

void throw_meaning(const ErrorReply& error, const std::string& action,
                   const http_client::Reply& reply, base::Timestamp now) {
    switch (meaning_of(error)) {
        case Meaning::credentials:
            throw cloud::wrong_credentials(reply, now, said(error));
        case Meaning::permission:
            throw cloud::wrong("the access key may not call ec2:" + action +
                               ": add the action to its policy. AWS says: " +
                               cloud::words_of(without_encoded(error.message)));
        case Meaning::capacity:
            throw cloud::NoCapacity(said(error));
        case Meaning::quota:
            throw cloud::busy("a quota of the account is used up: " + said(error));
        case Meaning::later:
            throw cloud::busy("AWS refuses " + action + " for now: " + said(error));
        case Meaning::throttle:
            throw cloud::NotYet(std::chrono::seconds{2}, "AWS asks to slow down: " + said(error));
        case Meaning::wrong:
            throw cloud::wrong("AWS refuses " + action + ": " + said(error));
        case Meaning::unknown:
            break;
    }
    throw cloud::Lost("AWS could not answer " + action + " (status " +
                      std::to_string(error.status) + "): " + said(error));
}

}  // namespace provisioner::providers::aws
