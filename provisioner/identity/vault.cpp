#include "provisioner/identity/vault.hpp"

namespace provisioner::identity {

namespace {

/// What the web only takes in, it must not open, whatever its settings say.
std::unique_ptr<KeySource> daemon_source(const base::Config& config) {
    if (config.program() == "web") return file_source({});
    return key_source(config, daemon_key_setting);
}

}  // namespace

Vault::Vault(const base::Config& config)
    : master_keys_(key_source(config, master_key_setting)),
      daemon_keys_(daemon_source(config)),
      public_file_(config.get_or("secrets.daemon_public_key", "")) {}

Vault::Vault(std::unique_ptr<KeySource> master_keys)
    : master_keys_(std::move(master_keys)), daemon_keys_(std::filesystem::path()) {}

// The modification time is taken before the text, as FileSource does.
std::optional<SealingKey> Vault::public_half() const {
    if (public_file_.empty()) return std::nullopt;
    std::error_code error;
    const auto changed_at = std::filesystem::last_write_time(public_file_, error);
    if (error == std::errc::no_such_file_or_directory) return std::nullopt;
    if (error) throw VaultError("cannot read " + public_file_.string() + ": " + error.message());
    const std::lock_guard lock(mutex_);
    if (!public_half_ || changed_at != read_at_) {
        try {
            public_half_ = public_half_in(text_of_file(public_file_));
        } catch (const VaultError& wrong) {
            throw VaultError(public_file_.string() + ": " + wrong.what());
        }
        read_at_ = changed_at;
    }
    return public_half_;
}

SealingKey Vault::key_for_daemons(const std::optional<KeyName>& newest) const {
    if (!newest) return newest_of(master_keys_.keys());
    if (daemon_keys_.is_there()) {
        const Keys keys = daemon_keys_.keys();
        if (has_key(keys, *newest)) return public_half_of(newest->number, keys.at(newest->number));
    }
    auto half = public_half();
    if (half && half->name == *newest) return *std::move(half);
    throw KeysOutOfStep("the newest key is " + to_words(*newest) + ", and this host has " +
                        (half ? "the public half of " + to_words(half->name) : "none") +
                        ": copy the file of secrets.daemon_public_key from its host");
}

template <class Work>
auto Vault::with_keys_of(std::string_view sealed, Work&& work) const {
    const KeyRing& ring = key_name_of(sealed).is_of_daemons ? daemon_keys_ : master_keys_;
    try {
        return work(ring.keys());
    } catch (const LackingKey&) {
        return work(ring.keys(true));
    }
}

std::string Vault::seal(const base::Secret& secret, std::string_view place) const {
    return identity::seal(newest_of(master_keys_.keys()), secret, place);
}

base::Secret Vault::open(std::string_view sealed, std::string_view place) const {
    return with_keys_of(sealed,
                        [&](const Keys& keys) { return identity::open(keys, sealed, place); });
}

std::optional<std::string> Vault::rewrapped(std::string_view sealed) const {
    return with_keys_of(sealed, [&](const Keys& keys) {
        return identity::rewrapped(keys, sealed, newest_of(master_keys_.keys()));
    });
}

std::optional<std::string> Vault::rewrapped_for_daemons(std::string_view sealed,
                                                        const SealingKey& key) const {
    const KeyName now = key_name_of(sealed);
    const bool would_go_back =
        now.is_of_daemons && (!key.name.is_of_daemons || now.number > key.name.number);
    if (would_go_back) return std::nullopt;
    return with_keys_of(sealed,
                        [&](const Keys& keys) { return identity::rewrapped(keys, sealed, key); });
}

bool Vault::publish_daemon_key() const {
    if (public_file_.empty() || !daemon_keys_.is_there()) return false;
    return daemon_keys_.publish_public_half(public_file_);
}

void check_daemon_keys(const base::Config& config) {
    const Vault vault(config);
    vault.public_half();
    if (vault.daemon_keys().is_there()) vault.daemon_keys().keys();
}

}  // namespace provisioner::identity
