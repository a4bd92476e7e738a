#include "provisioner/operations/plugins/secret_files.hpp"

#include "provisioner/contents/sources.hpp"
#include "provisioner/operations/daemon_secrets.hpp"

namespace provisioner::operations {

namespace {

std::string place_of_file(const store::ResourceShelf& shelf) {
    return base::to_text(
        base::Json::array({shelf.tenant.value, "file", shelf.plugin, shelf.resource_type}));
}

bool is_sealed_text(const std::string& text) {
    try {
        identity::key_name_of(text);
        return true;
    } catch (const identity::VaultError&) {
        return false;
    }
}

std::vector<store::ShelvedContent> secret_contents(store::Database& database) {
    return database.read([](store::Connection& connection) {
        std::vector<store::ShelvedContent> secret;
        for (auto& one : store::contents_of_providers(connection)) {
            if (is_secret_shelf(one.shelf.kind, one.shelf.resource_type)) {
                secret.push_back(std::move(one));
            }
        }
        return secret;
    });
}

std::string kept_bytes(const contents::Contents& contents, const model::Content& content) {
    if (content.size > 2 * longest_secret_file) {
        throw std::runtime_error("has more than " + std::to_string(longest_secret_file) + " bytes");
    }
    return contents::text_of(*contents.open(content));
}

/// Puts other bytes in the place of a content, for the files of its shelf.
void replace_bytes(store::Database& database, const contents::Contents& contents,
                   const store::ShelvedContent& old, const std::string& bytes,
                   base::Timestamp now) {
    contents::TextSource source(bytes);
    const auto fresh = contents.take_in(source, bytes.size(), old.stored.content.place, now);
    try {
        const bool is_used = database.write([&](store::Connection& connection) {
            contents.keep_new(connection, fresh);
            return store::refer_to(connection, old, fresh.id);
        });
        if (!is_used) contents.discard(fresh);
    } catch (...) {
        contents.discard(fresh);
        throw;
    }
    contents.remove_unused(old.stored, std::chrono::seconds{0});
}

}  // namespace

bool is_secret_shelf(model::PluginKind kind, const std::string& resource_type) {
    return kind == model::PluginKind::provider && resource_type != "user_data";
}

std::string sealed_file(const identity::SealingKey& key, const store::ResourceShelf& shelf,
                        const std::string& bytes) {
    return identity::seal(key, base::Secret(bytes), place_of_file(shelf));
}

// A daemon of a version that knew no daemon keys took what is sealed under them for a plain file,
// and sealed it once more.
std::string opened_file(const identity::Vault& vault, const store::ResourceShelf& shelf,
                        const std::string& kept) {
    std::string bytes = kept;
    while (is_sealed_text(bytes)) bytes = vault.open(bytes, place_of_file(shelf)).reveal();
    return bytes;
}

store::FieldsWalk reseal_files(store::Database& database, const contents::Contents& contents,
                               base::Timestamp now) {
    store::FieldsWalk walk;
    const auto key = sealing_key_of_daemons(database);
    for (const store::ShelvedContent& one : secret_contents(database)) {
        try {
            const std::string kept = kept_bytes(contents, one.stored.content);
            const auto fresh = is_sealed_text(kept)
                                   ? database.vault().rewrapped_for_daemons(kept, key)
                                   : sealed_file(key, one.shelf, kept);
            if (!fresh) continue;
            replace_bytes(database, contents, one, *fresh, now);
            ++walk.changed;
        } catch (const std::exception& error) {
            walk.problems.push_back("a file of provider type " + one.shelf.plugin + ": " +
                                    error.what());
        }
    }
    return walk;
}

void look_at_files(store::Database& database, const contents::Contents& contents,
                   const std::function<void(const std::string& kept)>& look) {
    for (const store::ShelvedContent& one : secret_contents(database)) {
        look(kept_bytes(contents, one.stored.content));
    }
}

}  // namespace provisioner::operations
