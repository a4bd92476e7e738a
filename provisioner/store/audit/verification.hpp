#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/audit/event.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// A signature of what a chain was: a row of audit_seal.
struct AuditSeal {
    model::TenantId chain{};
    /// Of the last event that it covers, and that event's hash.
    std::int64_t number = 0;
    std::string hash{};
    base::Timestamp sealed_at{};
    /// In base64.
    std::string public_key{};
    std::string signature{};
    /// Signature of anchor_bytes(): the events up to it were deleted because of their age. Empty
    /// for all seals but the first of a chain that was pruned.
    std::string anchor{};
};

/// The bytes that a seal signs: the line "cooperage-seal-1", then chain, number, hash and moment as
/// netstrings, as in model::audit::canonical().
std::string signed_bytes(const AuditSeal& seal);

/// The bytes that AuditSeal::anchor signs: the same with the line "cooperage-anchor-1".
std::string anchor_bytes(const AuditSeal& seal);

/// Seals of a chain from number `from` on, the oldest first, at most `limit`.
std::vector<AuditSeal> seals_from(Connection& connection, model::TenantId chain, std::int64_t from,
                                  int limit);

/// The last seal; nothing without one.
std::optional<AuditSeal> last_seal(Connection& connection, model::TenantId chain);

/// A public key that is believed.
struct AuditKey {
    /// In base64.
    std::string public_key{};
    /// Seals made later are none of its: it was replaced. Nothing for a key that is in use.
    std::optional<base::Timestamp> until{};

    bool operator==(const AuditKey&) const = default;
};

/// The keys that are believed; none: each seal's own, which whoever writes to the database can
/// choose.
using AuditKeys = std::vector<AuditKey>;

/// Something wrong in a chain.
struct AuditFinding {
    enum class Kind {
        /// The event is not what was recorded: its hash does not fit what it says.
        changed,
        /// Events are missing, `number` the first and `last` the last of them.
        removed,
        /// The event was not recorded by the program: it stands beyond the end.
        added,
        /// The event does not follow on the one before it, which was replaced with its hash.
        replaced,
        /// The seal is not signed by the key, or the events up to it are not what it says.
        sealed_wrongly
    };

    Kind kind = Kind::changed;
    model::TenantId chain{};
    std::int64_t number = 0;
    std::int64_t last = 0;
    std::string detail{};
};

/// "event 12 was changed: ..."
std::string to_text(const AuditFinding& finding);

/// What a walk along a chain saw.
struct AuditWalk {
    std::int64_t events = 0;
    std::int64_t seals = 0;
    /// The events after the last seal: only hashes without a key protect them.
    std::int64_t unsealed = 0;
    /// The keys that signed, in base64; more than one when the key was changed.
    std::vector<std::string> keys{};
};

/// Follows a chain event by event, with each finding as it comes. Pure: whoever has the rows, gives
/// them in the order of their numbers, each seal after the event that it covers.
class AuditWalker {
 public:
    using Report = std::function<void(AuditFinding)>;

    /// Begins after event `number` with that hash: 0 and hash_before_first, or a seal.
    AuditWalker(model::TenantId chain, std::int64_t number, std::string hash, Report report);

    void take(const model::audit::Event& event);
    void take(const AuditSeal& seal, const AuditKeys& keys);
    /// The chain's head says that it ends here.
    void end(std::int64_t number, const std::string& hash);

    model::TenantId chain() const { return chain_; }
    std::int64_t number() const { return number_; }
    const std::string& hash() const { return hash_; }

 private:
    void say(AuditFinding::Kind kind, std::int64_t number, std::string detail,
             std::int64_t last = 0);

    model::TenantId chain_;
    std::int64_t number_;
    std::string hash_;
    Report report_;
    /// Whether the event before is missing or said wrong already: then nothing follows on it.
    bool is_after_wrong_ = false;
    /// The last event before which everything is sealed.
    std::int64_t sealed_ = 0;
    /// When the last seal was made.
    base::Timestamp sealed_at_{};
};

/// The seal where verification begins; nothing for a chain that was never pruned. An anchor that is
/// not signed is none.
std::optional<AuditSeal> anchor_of(Connection& connection, model::TenantId chain,
                                   const AuditKeys& keys);

/// Walks the whole chain in pieces, each in a read of its own, so that memory does not grow with
/// it. Events that are recorded meanwhile are not looked at.
AuditWalk verify_chain(Database& database, model::TenantId chain, const AuditKeys& keys,
                       const AuditWalker::Report& report);

}  // namespace provisioner::store
