#pragma once

#include <optional>
#include <string>

#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// How a script names a request so that sending it again makes nothing more.
struct IdempotencyKey {
    /// 1 to 255 bytes of UTF-8, chosen by the script.
    std::string name;
    /// 64 characters that tell one request from another.
    std::string fingerprint;
};

/// What was made under a user's key.
struct KeptAnswer {
    std::string fingerprint;
    model::ClusterId cluster;
};

std::optional<KeptAnswer> find_answer(Connection& connection, model::UserId user,
                                      const std::string& name);

/// Keeps what was made in the same transaction that makes it.
void keep_answer(Connection& connection, model::UserId user, const IdempotencyKey& key,
                 model::ClusterId cluster, base::Timestamp now);

}  // namespace provisioner::store
