#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/operations/machines/login_keys.hpp"

namespace fcgi::api {

/// {providers: [{provider, providerType, source, keyId}], keys: [...]}. `keyId` is 0 for sources
/// outside the vault. Keys are those of login_key_json() without nodes, newest first.
provisioner::base::Json login_keys_json(const provisioner::operations::LoginKeysView& view);

/// {id, provider, publicKey, state, madeAt, madeBy, spreadAt, nodes, done, failed, givenUp,
/// withoutMachine}; the last two do not count among `nodes`. Times are
/// milliseconds since 1970; `spreadAt` is 0 while some node lacks the key. Never the private half.
provisioner::base::Json login_key_json(const provisioner::operations::LoginKeyView& key);

/// An array of {node, clusterId, hostname, step, standing, tries, message, retryAt, givenUpBy}.
provisioner::base::Json key_nodes_json(const std::vector<provisioner::model::NodeLogin>& nodes);

/// GET /v2/loginkeys: what each provider of the caller's tenant logs in with. Outside the wire
/// contract, like the others.
http::Response list_login_keys(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

/// POST /v2/loginkeys {"provider": "..."}: makes a new key and has running nodes get it; 202 with
/// it. Without a provider it is for all of the tenant.
http::Response rotate_login_key(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// GET /v2/loginkeys/{id}: the key with the nodes that are to have it, those that lack it first; at
/// most 10,000.
http::Response show_login_key(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /v2/loginkeys/{id}/giveup {"nodes": ["..."]}: no older key is kept for these nodes any
/// more.
http::Response give_up_older_keys(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);

}  // namespace fcgi::api
