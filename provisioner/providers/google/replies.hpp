#pragma once

#include <optional>
#include <string>

#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::google {

/// Why Compute Engine refuses a request.
struct ApiError {
    int status = 0;
    /// One word: "notFound", "quotaExceeded", "resourceNotReady". Empty when the answer has none.
    std::string reason{};
    /// For people; never empty.
    std::string message{};

    bool operator==(const ApiError&) const = default;
};

/// The error in a reply with a status other than 2xx; also of replies that are no JSON.
ApiError error_in(const http_client::Reply& reply);

/// Whether the project's or user's calls come too fast. Compute Engine says so with 403, too.
bool is_too_fast(const ApiError& error);

/// Whether the zone has no room for the machine: now, or as the end of an operation.
bool is_no_capacity(std::string_view code);

/// How an operation failed.
struct Failure {
    /// "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS", "QUOTA_EXCEEDED".
    std::string code{};
    /// Compute Engine's words, with the numbers of a quota and the zones that have room.
    std::string words{};
};

/// The failure of an operation that is done; nothing for others.
std::optional<Failure> failure_in(const base::Json& operation);

/// A machine as the API describes it. `account` says which address logins use
/// (`bootstrap_interface`) and whether the cloud's name is wanted (`provider_hostname`).
/// `details`: "zone", and "started" as text of RFC 3339 once it ran.
cloud::CloudMachine machine_in(const Account& account, const base::Json& instance);

/// A machine that listings do not show, as an operation tells of it: one that is being inserted
/// (starting), or that could not be made or was taken back (gone, with the reason). Nothing for
/// other operations and for machines of others.
std::optional<cloud::CloudMachine> machine_of_operation(const Account& account,
                                                        const base::Json& operation);

/// A moment as the API writes it (RFC 3339, section 5.6, with an offset); nothing for other texts.
std::optional<base::Timestamp> moment_in(const std::string& text);

/// The mark in the labels of a machine or disk.
cloud::Mark mark_in_labels(const base::Json& resource);

}  // namespace provisioner::providers::google
