#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/operations/machines/login_keys.hpp"

namespace fcgi::pages {

/// What each provider logs in with, and the keys of the vault: views/machines/login_keys.
struct LoginKeysPage {
    provisioner::operations::LoginKeysView view{};
    /// False for auditors, and for who views a tenant: no forms.
    bool may_change = true;
    /// The time that "3 minutes ago" refers to.
    provisioner::base::Timestamp now{};
    /// A message; empty for none.
    std::string done{};
};

/// A key and where each node stands: views/machines/login_key.
struct LoginKeyPage {
    /// Most nodes shown; the page counts the others.
    static constexpr int most_nodes = 500;

    provisioner::operations::LoginKeyView key{};
    /// Those that lack it first; at most most_nodes.
    std::vector<provisioner::model::NodeLogin> nodes{};
    /// False for auditors, and for who views a tenant: no forms.
    bool may_change = true;
    provisioner::base::Timestamp now{};
    /// A message; empty for none.
    std::string done{};
};

/// Every provider with words for its source; every key with its progress.
provisioner::base::Json to_json(const LoginKeysPage& page);
/// Every node with its step in words, and why the last try failed.
provisioner::base::Json to_json(const LoginKeyPage& page);

/// GET /login-keys. Of the visitor's tenant.
http::Response list_login_keys(const http::Request& request, const auth::Visitor& visitor,
                               App& app);
/// POST /login-keys with `provider`, empty for all: makes a new key.
http::Response rotate_login_key(const http::Request& request, const auth::Visitor& visitor,
                                App& app);
/// GET /login-keys/{id}. Browsers without scripts load it again every 10 seconds.
http::Response show_login_key(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /login-keys/{id}/give-up with `node` for each: no older key is kept for them any more.
http::Response give_up_older_keys(const http::Request& request, const auth::Visitor& visitor,
                                  App& app);

}  // namespace fcgi::pages
