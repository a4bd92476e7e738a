#pragma once

#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"

namespace provisioner::model {

/// The draft of a change to a cluster template that users may be offered. It is a state of the
/// template, not an entry of the catalogue: nothing that reads entries sees it.
struct TemplateDraft {
    /// Another one with each save, also over drafts that have ended.
    long long number = 0;
    /// Name of the template that it changes.
    std::string name{};
    /// The version of the template that the draft was begun from, and what that said, in wire form
    /// without "version".
    int base_version = 0;
    base::Json base{};
    /// What the template would be, likewise.
    base::Json document{};
    /// Names of users.
    std::string begun_by{};
    base::Timestamp begun_at{};
    std::string written_by{};
    base::Timestamp written_at{};
    /// Why, in the words of who saved it: "smaller; later". At most longest_note bytes.
    std::string note{};
};

}  // namespace provisioner::model
