#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/daemon/redaction/masked_stream.hpp"
#include "provisioner/queue/task_queue.hpp"

namespace provisioner::daemon {

/// `text` with model::secret_mask in place of each secret; secrets that overlap get one mask. A
/// text that contains a secret shorter than shortest_replaced, and not as a part of a longer one,
/// is replaced as a whole. Empty secrets are ignored. What else is found of a secret:
/// automaton_of(). A secret that is divided between two calls is not found: see StreamRedactor.
/// Pure; `secrets` are those of model::Account.
std::string redacted(std::string_view text, const std::vector<std::string>& secrets);

/// Masks secrets in output that comes in pieces, also one that two pieces divide: what may be the
/// beginning of a secret is kept back until more comes. Of each stream, at most the longest secret
/// is kept back. The work grows with what comes, whatever that and the secrets are like. One for
/// each turn of a task; not safe for several threads.
class StreamRedactor {
 public:
    /// `secrets` are those of model::Account.
    explicit StreamRedactor(const std::vector<std::string>& secrets);

    /// What of `stream` can be shown now that `text` came; may be empty.
    std::string next(const std::string& stream, std::string_view text);

    /// What was kept back of each stream, masked: {stream, text}, for the end of the turn. Nothing
    /// is kept back afterwards.
    std::map<std::string, std::string> rest();

    /// How many bytes of a stream are kept back.
    std::size_t kept_back(const std::string& stream) const;

 private:
    std::shared_ptr<const SecretAutomaton> secrets_;
    std::map<std::string, MaskedStream> streams_;
};

/// Masks the texts of an outcome that people read: messages, tails and reasons. Facts of a success
/// are left as they are, because the engine needs their exact values.
void redact(queue::Outcome& outcome, const std::vector<std::string>& secrets);

}  // namespace provisioner::daemon
