#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/queue/task_queue.hpp"

namespace provisioner::daemon {

/// Least bytes of a secret that is masked in place. A shorter one occurs in ordinary words by
/// chance; a mask there would reveal it by the letters around it.
inline constexpr std::size_t shortest_replaced = 4;

/// `text` with model::secret_mask in place of each secret, longest first. A text that contains a
/// secret shorter than shortest_replaced is replaced as a whole. Empty secrets are ignored. A
/// secret that is divided between two calls is not found. Pure; `secrets` are those of
/// model::Account.
std::string redacted(std::string_view text, const std::vector<std::string>& secrets);

/// Masks the texts of an outcome that people read: messages, tails and reasons. Facts of a success
/// are left as they are, because the engine needs their exact values.
void redact(queue::Outcome& outcome, const std::vector<std::string>& secrets);

}  // namespace provisioner::daemon
