#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/model/tenants/tenant.hpp"

/// The audit log: what was done, by whom, from where, and what it changed.
///
/// Each tenant has a chain of events, numbered from 1 without gaps. An event contains the hash of
/// the one before it, so that none can be changed, removed or added later without notice. Chain 0
/// is that of the installation: tenants, the settings, and requests of nobody that is known.
namespace provisioner::model::audit {

/// How it ended.
enum class Outcome {
    /// It was done, or queued: the end of a job is an event of its own.
    done,
    /// It was not done, because the request was wrong or not allowed.
    refused,
    /// It was tried and failed.
    failed
};

/// Who did it: a user, an identity provider, or the daemon by itself.
struct Actor {
    /// 0: no user, or one that is not known.
    UserId user{};
    /// Of the user, "provisioner", or "identity provider" and its name. For a refused sign-in the
    /// name that was claimed.
    std::string name{};
    /// Name of the user's tenant; differs from that of the chain where a superadmin acts.
    std::string tenant{};
    /// A word of Role; empty when nobody was identified.
    std::string role{};
    /// How the user was identified: "session", "key 12" (an API key by its id), "headers"; empty
    /// for the daemon.
    std::string credential{};
    /// Address of the client as the web server said it; empty for the daemon.
    std::string client{};
    /// Id of the request; empty for the daemon.
    std::string request{};
};

/// What it was done to.
struct Object {
    /// "cluster", "provider", "user", ...; a word with hyphens.
    std::string kind{};
    /// The id that the API shows, where it has one besides the name.
    std::string id{};
    std::string name{};
};

/// One row of the audit log. All texts are valid UTF-8; to_fitting() makes them so.
struct Event {
    /// Whose chain it is in; 0 is the installation's.
    TenantId chain{};
    /// Place in the chain, from 1. Given when it is recorded, like the moment and the hashes.
    std::int64_t number = 0;
    /// By the database's clock; never before that of the event before it.
    base::Timestamp at{};
    Actor actor{};
    /// Noun and verb: "cluster.create", "provider.replace", "sign-in.refused".
    std::string action{};
    Object object{};
    Outcome outcome = Outcome::done;
    /// HTTP status of a refusal, else 0.
    int status = 0;
    /// Why it was refused or failed, in one or more sentences. When it was done: why, as who did it
    /// said, or empty.
    std::string reason{};
    /// How often it happened: refusals of one kind within a minute are one event.
    int times = 1;
    /// JSON text of the object before and after, without secrets; empty where there is nothing.
    std::string before{};
    std::string after{};
    /// Hash of the event before this one; 64 zeros for the first.
    std::string previous{};
    /// SHA-256 of canonical(), in lower-case hexadecimal.
    std::string hash{};
};

/// `previous` of the first event of a chain.
inline constexpr std::string_view hash_before_first =
    "0000000000000000000000000000000000000000000000000000000000000000";

/// Most bytes of Event::before and after, each. Larger documents are replaced by their size and
/// hash.
inline constexpr std::size_t most_document = 64UL * 1024;

/// The bytes that are hashed: the line "cooperage-audit-1", then every member of the event but
/// `hash`, in the order of the columns of table audit_event, each as a netstring: length in bytes,
/// ":", bytes, ",". Numbers are decimal; the moment is `YYYY-MM-DD hh:mm:ss.ffffff` in UTC.
///
/// This never changes. A later form has another first line.
std::string canonical(const Event& event);

/// The event with every text as its column takes it: valid UTF-8, and cut where it is longer.
/// `before` and `after` are left alone.
Event to_fitting(Event event);

/// A copy without secrets: sealed values, and what is called like a secret at any depth, become the
/// mask. Where `other` has another value at the same place, the mask says "(changed)".
base::Json masked_deeply(const base::Json& document, const base::Json& other = {});

/// The daemon acting by itself.
Actor provisioner();

/// The caller of a request.
Actor actor_of(const Caller& caller);

}  // namespace provisioner::model::audit

namespace provisioner::base {

/// Words of audit_event.outcome.
template <>
inline constexpr std::array words<model::audit::Outcome>{
    std::pair{model::audit::Outcome::done, std::string_view("done")},
    std::pair{model::audit::Outcome::refused, std::string_view("refused")},
    std::pair{model::audit::Outcome::failed, std::string_view("failed")}};

}  // namespace provisioner::base
