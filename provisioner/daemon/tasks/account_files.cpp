#include "provisioner/daemon/tasks/account_files.hpp"

#include "provisioner/contents/sources.hpp"
#include "provisioner/operations/plugins/secret_files.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace provisioner::daemon {

namespace {

constexpr std::string_view names_a_file = "_resource";
/// Sealing makes a file of 256 KiB longer by a third.
constexpr std::uint64_t longest_file = 512 * 1024;
constexpr std::size_t most_texts = 256;

/// "ssh_key" of "ssh_key_resource"; empty for fields that name no file.
std::string stem_of(const std::string& field) {
    return field.ends_with(names_a_file) ? field.substr(0, field.size() - names_a_file.size()) : "";
}

}  // namespace

void AccountFiles::add(store::Connection& connection, model::Account& account) {
    std::map<std::string, std::string> wanted;
    for (const auto& [field, value] : account.fields.items()) {
        if (stem_of(field).empty() || !value.is_string() || value.empty()) continue;
        wanted[field] = value.get<std::string>();
    }
    if (wanted.empty()) return;
    const auto live = store::live_resources(connection, account.tenant, model::PluginKind::provider,
                                            account.provider_type);
    for (const auto& [field, name] : wanted) {
        const std::string stem = stem_of(field);
        for (const store::PluginResource& file : live) {
            const bool is_type = file.resource_type == stem || file.resource_type == stem + "s";
            if (!is_type || file.name != name) continue;
            std::string text = text_of(file.content);
            if (text.empty()) continue;
            if (operations::is_secret_shelf(model::PluginKind::provider, file.resource_type)) {
                text = operations::opened_file(connection.vault(),
                                               {.tenant = account.tenant,
                                                .kind = model::PluginKind::provider,
                                                .plugin = account.provider_type,
                                                .resource_type = file.resource_type},
                                               text);
            }
            // User data are no secret: whoever asks the cloud reads them.
            const bool is_secret = stem != "user_data";
            if (is_secret && text.size() > model::longest_secret) continue;
            if (is_secret) account.secrets.push_back(text);
            account.files[field] = std::move(text);
        }
    }
}

std::string AccountFiles::text_of(const model::Content& content) {
    if (content.size > longest_file) return "";
    const std::lock_guard lock(mutex_);
    const auto known = texts_.find(content.sha256);
    if (known != texts_.end()) return known->second;
    std::string text(content.size, '\0');
    try {
        const auto source = contents_.open(content);
        text.resize(contents::read_fully(*source, text.data(), text.size()));
        // Only the read of the end compares size and SHA-256.
        contents::expect_end(*source);
    } catch (const std::exception&) {
        // Providers say that the file cannot be read; a later turn tries again.
        return "";
    }
    if (texts_.size() >= most_texts) texts_.clear();
    return texts_[content.sha256] = text;
}

}  // namespace provisioner::daemon
