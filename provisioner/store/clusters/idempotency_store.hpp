#pragma once

#include <optional>
#include <string>

#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// A key that a script chooses for a request (header Idempotency-Key). When the script repeats the
/// request with the same key, it gets the first answer and no second cluster is made. Keys belong
/// to a user. Retention deletes them after 24 hours.
struct IdempotencyKey {
    /// 1 to 255 bytes of UTF-8, chosen by the script.
    std::string name;
    /// Hash of the request's body, 64 hexadecimal digits. Shows whether the key came with another
    /// request.
    std::string fingerprint;
};

/// The result stored under a user's key.
struct KeptAnswer {
    /// Of the request that made the cluster.
    std::string fingerprint;
    /// The cluster that request made.
    model::ClusterId cluster;
};

/// The result under that key; nothing when the user has not used it. Compare the fingerprint: the
/// key may have come with another request. Lock the tenant first: otherwise two equal requests may
/// both find nothing.
std::optional<KeptAnswer> find_answer(Connection& connection, model::UserId user,
                                      const std::string& name);

/// Stores the result. Call it in the transaction that makes the cluster, after find_answer found
/// nothing. Throws DatabaseError when the key is in use. Does nothing for a user who was deleted
/// meanwhile.
void keep_answer(Connection& connection, model::UserId user, const IdempotencyKey& key,
                 model::ClusterId cluster, base::Timestamp now);

}  // namespace provisioner::store
