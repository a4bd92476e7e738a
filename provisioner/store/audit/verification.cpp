#include "provisioner/store/audit/verification.hpp"

#include <algorithm>

#include "provisioner/identity/ed25519.hpp"
#include "provisioner/identity/sha256.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

using model::audit::Event;
using Kind = AuditFinding::Kind;

constexpr int events_per_piece = 1000;
constexpr int most_strays = 1000;

constexpr auto select_seals = R"sql(
    SELECT tenant_id, number, hash, sealed_at, public_key, signature, anchor
    FROM audit_seal WHERE tenant_id = ? AND number >= ? ORDER BY number LIMIT ?
)sql";

constexpr auto select_last_seal = R"sql(
    SELECT tenant_id, number, hash, sealed_at, public_key, signature, anchor
    FROM audit_seal WHERE tenant_id = ? ORDER BY number DESC LIMIT 1
)sql";

constexpr auto select_head = R"sql(
    SELECT number, hash, sealed_number FROM audit_chain WHERE tenant_id = ?
)sql";

constexpr auto select_strays = R"sql(
    SELECT number FROM audit_event WHERE tenant_id = ? AND (number <= ? OR number > ?)
    ORDER BY number LIMIT ?
)sql";

AuditSeal read_seal(Rows& row) {
    return {.chain = model::TenantId{row.get<long long>("tenant_id")},
            .number = row.get<long long>("number"),
            .hash = row.get<std::string>("hash"),
            .sealed_at = time_column(row, "sealed_at"),
            .public_key = row.get<std::string>("public_key"),
            .signature = row.get<std::string>("signature"),
            .anchor = row.get<std::string>("anchor")};
}

void add_netstring(std::string& bytes, const std::string& value) {
    bytes += std::to_string(value.size()) + ':' + value + ',';
}

std::string bytes_of(const char* line, const AuditSeal& seal) {
    std::string bytes = line;
    add_netstring(bytes, std::to_string(seal.chain.value));
    add_netstring(bytes, std::to_string(seal.number));
    add_netstring(bytes, seal.hash);
    add_netstring(bytes, base::to_sql(seal.sealed_at));
    return bytes;
}

std::string own_hash(const Event& event) {
    identity::Sha256 hash;
    hash.add(model::audit::canonical(event));
    return hash.finish();
}

/// The key that it is signed by, whatever key it names; nothing if none is believed.
std::optional<AuditKey> signer_of(const AuditSeal& seal, const std::string& bytes,
                                  const std::string& signature, const AuditKeys& keys) {
    const AuditKeys own{{.public_key = seal.public_key}};
    const AuditKeys& believed = keys.empty() ? own : keys;
    const auto found = std::find_if(believed.begin(), believed.end(), [&](const AuditKey& key) {
        return (!key.until || seal.sealed_at <= *key.until) &&
               identity::is_signed(bytes, signature, key.public_key);
    });
    if (found == believed.end()) return std::nullopt;
    return *found;
}

/// What an event is, for a person who looks for it.
std::string outline(const Event& event) {
    std::string text = base::to_sql(event.at) + ", " + event.actor.name + ' ' + event.action;
    if (!event.object.name.empty()) text += ' ' + event.object.name;
    // Names in the log must not forge lines of this report.
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return text;
}

}  // namespace

std::string signed_bytes(const AuditSeal& seal) {
    return bytes_of("cooperage-seal-1\n", seal);
}

std::string anchor_bytes(const AuditSeal& seal) {
    return bytes_of("cooperage-anchor-1\n", seal);
}

std::vector<AuditSeal> seals_from(Connection& connection, model::TenantId chain, std::int64_t from,
                                  int limit) {
    Rows row = connection.sql(select_seals) << chain.value << from << limit;
    std::vector<AuditSeal> seals;
    while (row.next()) seals.push_back(read_seal(row));
    return seals;
}

std::optional<AuditSeal> last_seal(Connection& connection, model::TenantId chain) {
    Rows row = connection.sql(select_last_seal) << chain.value;
    if (!row.next()) return std::nullopt;
    return read_seal(row);
}

std::string to_text(const AuditFinding& finding) {
    const std::string number = std::to_string(finding.number);
    switch (finding.kind) {
        case Kind::changed:
            return "event " + number + " was changed: " + finding.detail;
        case Kind::removed:
            return finding.last > finding.number
                       ? "events " + number + " to " + std::to_string(finding.last) +
                             " were removed"
                       : "event " + number + " was removed";
        case Kind::added:
            return "event " + number + " was added: " + finding.detail;
        case Kind::replaced:
            return "event " + number + " was replaced: " + finding.detail;
        case Kind::sealed_wrongly:
            return "the seal of event " + number + " is wrong: " + finding.detail;
    }
    throw std::logic_error("unknown kind of finding");
}

AuditWalker::AuditWalker(model::TenantId chain, std::int64_t number, std::string hash,
                         Report report)
    : chain_(chain),
      number_(number),
      hash_(std::move(hash)),
      report_(std::move(report)),
      sealed_(number) {}

void AuditWalker::say(Kind kind, std::int64_t number, std::string detail, std::int64_t last) {
    report_({.kind = kind,
             .chain = chain_,
             .number = number,
             .last = last == 0 ? number : last,
             .detail = std::move(detail)});
}

void AuditWalker::take(const Event& event) {
    if (event.number > number_ + 1) {
        say(Kind::removed, number_ + 1, "", event.number - 1);
        is_after_wrong_ = true;
    }
    const bool is_changed = own_hash(event) != event.hash;
    if (is_changed) {
        say(Kind::changed, event.number, "its hash does not fit (" + outline(event) + ")");
    } else if (event.previous != hash_ && !is_after_wrong_) {
        say(Kind::replaced, number_,
            "event " + std::to_string(event.number) + " followed on another one");
    }
    number_ = event.number;
    hash_ = event.hash;
    is_after_wrong_ = is_changed;
}

void AuditWalker::take(const AuditSeal& seal, const AuditKeys& keys) {
    const auto signer = signer_of(seal, signed_bytes(seal), seal.signature, keys);
    if (!signer) {
        say(Kind::sealed_wrongly, seal.number, "it is not signed by the key");
    } else if (signer->until && seal.sealed_at < sealed_at_) {
        // Whoever has a key that was replaced can write any moment into a seal, but none that fits
        // behind seals of the key that came after.
        say(Kind::sealed_wrongly, seal.number,
            "it is by a key that was replaced, and older than the seal before it");
    } else if (seal.number == number_ && seal.hash != hash_) {
        say(Kind::sealed_wrongly, seal.number,
            "of events " + std::to_string(sealed_ + 1) + " to " + std::to_string(number_) +
                " at least one is not what was sealed");
    }
    sealed_ = seal.number;
    sealed_at_ = std::max(sealed_at_, seal.sealed_at);
}

void AuditWalker::end(std::int64_t number, const std::string& hash) {
    if (number > number_) {
        say(Kind::removed, number_ + 1, "", number);
    } else if (number == number_ && hash != hash_ && !is_after_wrong_) {
        say(Kind::replaced, number, "the chain ended with another one");
    }
}

std::optional<AuditSeal> anchor_of(Connection& connection, model::TenantId chain,
                                   const AuditKeys& keys) {
    const auto first = seals_from(connection, chain, 0, 1);
    if (first.empty() || first.front().anchor.empty()) return std::nullopt;
    const AuditSeal& seal = first.front();
    const bool is_signed = signer_of(seal, anchor_bytes(seal), seal.anchor, keys) &&
                           signer_of(seal, signed_bytes(seal), seal.signature, keys);
    if (!is_signed) return std::nullopt;
    return seal;
}

namespace {

/// One walk along a chain that the database holds.
class ChainReader {
 public:
    ChainReader(Database& database, model::TenantId chain, const AuditKeys& keys,
                const AuditWalker::Report& report)
        : database_(database), chain_(chain), keys_(keys), report_(report) {}

    AuditWalk walk() {
        const auto anchor = database_.read(
            [&](Connection& connection) { return anchor_of(connection, chain_, keys_); });
        const std::int64_t begin = anchor ? anchor->number : 0;
        if (anchor) note_key(*anchor);
        AuditWalker walker(chain_, begin,
                           anchor ? anchor->hash : std::string(model::audit::hash_before_first),
                           report_);
        walked_.seals = anchor ? 1 : 0;
        last_sealed_ = begin;
        while (take_piece(walker)) {
        }
        look_at_ends(walker, begin);
        walked_.unsealed = std::max<std::int64_t>(0, walker.number() - last_sealed_);
        return walked_;
    }

 private:
    struct Piece {
        std::vector<Event> events;
        std::vector<AuditSeal> seals;
    };

    /// The next events and the seals among them. False at the end.
    bool take_piece(AuditWalker& walker) {
        const std::int64_t after = walker.number();
        const Piece piece = database_.read([&](Connection& connection) {
            Piece read{.events = events_after(connection, chain_, after, events_per_piece),
                       .seals = {}};
            // What is beyond the end is reported as added, later.
            Rows head = connection.sql(select_head) << chain_.value;
            const std::int64_t end = head.next() ? head.get<long long>("number") : 0;
            std::erase_if(read.events, [&](const Event& event) { return event.number > end; });
            if (read.events.empty()) return read;
            const std::int64_t last = read.events.back().number;
            read.seals = seals_from(connection, chain_, after + 1, events_per_piece + 1);
            std::erase_if(read.seals, [&](const AuditSeal& seal) { return seal.number > last; });
            return read;
        });
        auto seal = piece.seals.begin();
        for (const Event& event : piece.events) {
            // One whose event is missing.
            while (seal != piece.seals.end() && seal->number < event.number) take(walker, *seal++);
            walker.take(event);
            ++walked_.events;
            while (seal != piece.seals.end() && seal->number == event.number) {
                take(walker, *seal++);
            }
        }
        return !piece.events.empty();
    }

    void take(AuditWalker& walker, const AuditSeal& seal) {
        walker.take(seal, keys_);
        note_key(seal);
        last_sealed_ = seal.number;
        ++walked_.seals;
    }

    void note_key(const AuditSeal& seal) {
        auto& keys = walked_.keys;
        if (std::count(keys.begin(), keys.end(), seal.public_key) == 0) {
            keys.push_back(seal.public_key);
        }
    }

    /// What was recorded since the last piece is taken here too: head and rows are of one moment.
    void look_at_ends(AuditWalker& walker, std::int64_t begin) {
        database_.read([&](Connection& connection) {
            // read() may run this twice.
            AuditWalker last = walker;
            std::vector<Event> rest = events_after(connection, chain_, last.number(), 100'000);
            Rows head = connection.sql(select_head) << chain_.value;
            const bool has_head = head.next();
            const std::int64_t number = has_head ? head.get<long long>("number") : 0;
            for (const Event& event : rest) {
                if (event.number <= number) last.take(event);
            }
            last.end(number, has_head ? head.get<std::string>("hash") : "");
            const std::int64_t sealed = has_head ? head.get<long long>("sealed_number") : 0;
            const auto seal = last_seal(connection, chain_);
            const std::int64_t reached = std::max(number, last.number());
            if (seal && seal->number > reached) {
                report_({.kind = Kind::removed,
                         .chain = chain_,
                         .number = reached + 1,
                         .last = seal->number,
                         .detail = "a seal has them"});
            }
            if (sealed > (seal ? seal->number : 0)) {
                report_({.kind = Kind::sealed_wrongly,
                         .chain = chain_,
                         .number = sealed,
                         .last = sealed,
                         .detail = "it was removed"});
            }
            report_strays(connection, begin, number);
        });
    }

    void report_strays(Connection& connection, std::int64_t begin, std::int64_t end) {
        Rows row = connection.sql(select_strays) << chain_.value << begin << end << most_strays;
        while (row.next()) {
            const std::int64_t number = row.get<long long>("number");
            report_({.kind = Kind::added,
                     .chain = chain_,
                     .number = number,
                     .last = number,
                     .detail = number > end
                                   ? "the chain ends with event " + std::to_string(end)
                                   : "what was there had been deleted because of its age"});
        }
    }

    Database& database_;
    model::TenantId chain_;
    const AuditKeys& keys_;
    const AuditWalker::Report& report_;
    AuditWalk walked_{};
    std::int64_t last_sealed_ = 0;
};

}  // namespace

AuditWalk verify_chain(Database& database, model::TenantId chain, const AuditKeys& keys,
                       const AuditWalker::Report& report) {
    return ChainReader(database, chain, keys, report).walk();
}

}  // namespace provisioner::store
