#include "provisioner/daemon/tasks/login_keys.hpp"

#include <optional>

#include "provisioner/identity/ssh_keys.hpp"

namespace provisioner::daemon {

namespace {

constexpr std::size_t most_login_keys = 8;

/// The key in the file that the provider names, if it can be used.
std::optional<LoginKey> own_key_file(const model::Account& account) {
    const auto own = account.files.find("ssh_key_resource");
    if (own == account.files.end()) return std::nullopt;
    const auto public_key = identity::public_key_in(own->second);
    if (!public_key || public_key->starts_with("ssh-rsa ")) return std::nullopt;
    return LoginKey{.private_key = base::Secret(own->second), .public_key = *public_key};
}

/// A list without repetitions.
class Chosen {
 public:
    void add(LoginKey key) {
        for (const LoginKey& known : keys) {
            if (known.public_key == key.public_key) return;
        }
        if (keys.size() < most_login_keys) keys.push_back(std::move(key));
    }
    void add(const model::Account& account, bool is_current, bool is_of_provider) {
        for (const model::OpenedLoginKey& key : account.login_keys) {
            if (key.is_current != is_current || key.is_of_provider != is_of_provider) continue;
            if (key.private_key.empty()) continue;
            add({.private_key = key.private_key, .public_key = key.public_key});
        }
    }

    std::vector<LoginKey> keys;
};

}  // namespace

LoginKey LoginKeys::of(const model::Account& account, bool is_shared) const {
    return all_of(account, is_shared).front();
}

std::vector<LoginKey> LoginKeys::all_of(const model::Account& account, bool is_shared) const {
    Chosen chosen;
    chosen.add(account, true, true);
    const auto file = is_shared ? std::nullopt : own_key_file(account);
    if (file) chosen.add(*file);
    chosen.add(account, true, false);
    chosen.add(account, false, true);
    chosen.add(account, false, false);
    if (account.login_keys.empty() && file) return chosen.keys;
    chosen.add(given(account, is_shared));
    return std::move(chosen.keys);
}

LoginKey LoginKeys::given(const model::Account& account, bool is_shared) const {
    if (is_shared) return installation_;
    const std::string purpose = "login key of tenant " + std::to_string(account.tenant.value) +
                                " of installation " + account.installation;
    auto pair =
        identity::ssh_key_pair(identity::derived_secret(installation_.private_key, purpose));
    return {.private_key = std::move(pair.private_key), .public_key = std::move(pair.public_key)};
}

base::Secret LoginKeys::host_key_seed(const model::Account& account,
                                      const std::string& machine) const {
    return identity::derived_secret(
        installation_.private_key,
        "host key of machine " + machine + " of installation " + account.installation);
}

}  // namespace provisioner::daemon
