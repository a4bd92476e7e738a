#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/queue/task_queue.hpp"

namespace provisioner::daemon {

/// Shorter ones stand in many words by chance, and what is left of the words would tell them.
inline constexpr std::size_t shortest_replaced = 4;

/// The text with the mask in place of each secret; of a text with a shorter secret in it nothing
/// but the mask is left.
std::string redacted(std::string_view text, const std::vector<std::string>& secrets);

/// The same for everything an outcome tells people.
void redact(queue::Outcome& outcome, const std::vector<std::string>& secrets);

}  // namespace provisioner::daemon
