#pragma once

#include "provisioner/base/json.hpp"
#include "provisioner/store/jobs/callback_store.hpp"

namespace provisioner::callbacks {

/// The JSON body of a callback: {"cluster":{...},"job":{...},"nodes":[...]}, with the internal
/// names and the words in capitals of the wire contract (Coopr's callbacks).
///
/// The states of cluster and job are those of `callback`, from when the event happened; everything
/// else is as `facts` were read, which may be later: a delivery is made when it is sent. Sealed
/// fields of the provider are left out. Pure. Linear in nodes times attempts. Throws
/// std::logic_error for an enum value without a word.
base::Json callback_body(const store::CallbackFacts& facts, const model::Callback& callback);

}  // namespace provisioner::callbacks
