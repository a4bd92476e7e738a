#pragma once

#include <optional>
#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/model/machines/provider_test.hpp"

namespace fcgi::pages {

/// The part "Connection" of a provider's page. A daemon does the test; the part follows it.
struct ProviderTestPart {
    std::string provider{};
    /// The last test; nothing when there was none.
    std::optional<provisioner::model::ProviderTest> test{};
    bool may_change = true;
    /// Whether the viewer has asked for the test just now, so that the page is about it.
    bool is_just_asked = false;
    provisioner::base::Timestamp now{};

    /// Whether a test waits or is under way.
    bool is_busy() const { return test && !test->done_at; }
};

/// "Testing", "Works", ...
std::string status_words(const ProviderTestPart& part);

provisioner::base::Json to_json(const ProviderTestPart& part);

}  // namespace fcgi::pages
