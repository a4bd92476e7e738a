#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/daemon/tasks/pattern.hpp"
#include "provisioner/queue/task_queue.hpp"

namespace provisioner::daemon {

/// Least bytes of a secret that is masked in place. A shorter one occurs in ordinary words by
/// chance; a mask there would reveal it by the letters around it.
inline constexpr std::size_t shortest_replaced = 4;

/// `text` with model::secret_mask in place of each secret, longest first. A text that contains a
/// secret shorter than shortest_replaced is replaced as a whole. Empty secrets are ignored. A
/// secret that is divided between two calls is not found: see StreamRedactor. Pure; `secrets` are
/// those of model::Account.
std::string redacted(std::string_view text, const std::vector<std::string>& secrets);

/// Masks secrets in output that comes in pieces, also one that two pieces divide: what may be the
/// beginning of a secret is kept back until more comes. At most two times the longest secret is
/// kept back, for each stream. The work grows with what comes and with the secrets, whatever both
/// are like. One for each turn of a task; not safe for several threads.
class StreamRedactor {
 public:
    /// `secrets` are those of model::Account.
    explicit StreamRedactor(const std::vector<std::string>& secrets);

    /// What of `stream` can be shown now that `text` came; may be empty.
    std::string next(const std::string& stream, std::string_view text);

    /// What was kept back of each stream, masked: {stream, text}, for the end of the turn. Nothing
    /// is kept back afterwards.
    std::map<std::string, std::string> rest();

 private:
    /// What is known of a stream.
    struct Kept {
        /// What was kept back; may hold the beginning of a secret.
        std::string text{};
        /// For each secret, how many bytes at the end of the stream begin it.
        std::vector<std::size_t> begun{};
    };

    std::size_t safe_size(const Kept& kept) const;

    /// The longest first.
    std::vector<Pattern> secrets_;
    std::map<std::string, Kept> kept_;
};

/// Masks the texts of an outcome that people read: messages, tails and reasons. Facts of a success
/// are left as they are, because the engine needs their exact values.
void redact(queue::Outcome& outcome, const std::vector<std::string>& secrets);

}  // namespace provisioner::daemon
