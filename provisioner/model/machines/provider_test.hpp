#pragma once

#include <optional>
#include <string>

#include "provisioner/model/clusters/cluster.hpp"

namespace provisioner::model {

/// The last test of a provider: whether its login is valid and its fields name things that exist. A
/// daemon carries it out; it changes nothing at the provider. A row of provider_test.
struct ProviderTest {
    TenantId tenant{};
    /// Name of the provider in the tenant's catalogue.
    std::string provider{};
    /// Counts the tests of the provider, from 1.
    long long number = 0;
    base::Timestamp asked_at{};
    /// Name of the user who asked for it or saved the provider.
    std::string asked_by{};
    /// Whether a daemon is at it.
    bool is_taken = false;
    /// Nothing while it waits or is under way; the members below are those of the test before then.
    std::optional<base::Timestamp> done_at{};
    bool passed = false;
    /// Why it did not pass, a sentence without secrets; empty when it passed.
    std::string message{};
    /// {"choices": {field: [{"value", "label"}]}, "notes": [sentence]}: what may be chosen for
    /// fields of the provider ("availability_zone") and for hardware and image types ("flavor",
    /// "image").
    base::Json offer = base::Json::object();
};

}  // namespace provisioner::model
