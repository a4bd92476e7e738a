#include "provisioner/model/catalogue/provider_map.hpp"

namespace provisioner::model {

std::map<std::string, ProviderSettings> read_provider_map(ObjectReader& reader) {
    std::map<std::string, ProviderSettings> settings;
    ObjectReader map = reader.object("providermap");
    for (auto& [provider, of_provider] : map.members()) {
        settings[provider] = of_provider.texts();
    }
    return settings;
}

base::Json provider_map_json(const std::map<std::string, ProviderSettings>& provider_map) {
    base::Json json = base::Json::object();
    for (const auto& [provider, settings] : provider_map) json[provider] = settings;
    return json;
}

std::optional<std::string> setting(const std::map<std::string, ProviderSettings>& provider_map,
                                   const std::string& provider, const std::string& key) {
    const auto settings = provider_map.find(provider);
    if (settings == provider_map.end()) return std::nullopt;
    const auto found = settings->second.find(key);
    if (found == settings->second.end()) return std::nullopt;
    return found->second;
}

}  // namespace provisioner::model
