#pragma once

#include "provisioner/base/json.hpp"
#include "provisioner/store/jobs/callback_store.hpp"

namespace provisioner::callbacks {

/// {"cluster":{...},"job":{...},"nodes":[...]} with the wire contract's internal names and words in
/// capitals: cluster and job in the state they had when it happened, everything else as it is now.
/// Fields of the provider that are secret are left out.
base::Json callback_body(const store::CallbackFacts& facts, const model::Callback& callback);

}  // namespace provisioner::callbacks
