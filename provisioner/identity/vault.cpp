#include "provisioner/identity/vault.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace provisioner::identity {

namespace {

std::string text_of_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw VaultError("cannot read " + path + ": " + std::strerror(errno));
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Vault::Vault(const base::Config& config)
    : master_keys_(key_source(config, master_key_setting)),
      daemon_keys_(key_source(config, daemon_key_setting)),
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

SealingKey Vault::key_for_daemons() const {
    if (auto key = public_half()) return *std::move(key);
    return newest_of(master_keys_.keys());
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

std::string Vault::seal_for_daemons(const base::Secret& secret, std::string_view place) const {
    return identity::seal(key_for_daemons(), secret, place);
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

std::optional<std::string> Vault::rewrapped_for_daemons(std::string_view sealed) const {
    return with_keys_of(sealed, [&](const Keys& keys) {
        return identity::rewrapped(keys, sealed, key_for_daemons());
    });
}

bool Vault::publish_daemon_key() const {
    if (public_file_.empty() || !daemon_keys_.is_there()) return false;
    const std::string line = line_of_public_half(public_half_of(daemon_keys_.keys()));
    std::error_code ignored;
    if (std::filesystem::exists(public_file_, ignored) && text_of_file(public_file_) == line) {
        return false;
    }
    replace_key_file(public_file_, line, {.mode = 0644});
    return true;
}

void check_daemon_keys(const base::Config& config) {
    const Vault vault(config);
    const auto half = vault.public_half();
    const std::string place = "a check";
    // A ring that is not there opens nothing.
    if (half) vault.open(identity::seal(*half, base::Secret(place), place), place);
    if (!half && vault.daemon_keys().is_there()) vault.daemon_keys().keys();
}

}  // namespace provisioner::identity
