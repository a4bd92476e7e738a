#include "provisioner/operations/clusters/machine_settings.hpp"

namespace provisioner::operations {

namespace {

template <class Type>
model::ProviderSettings settings_of(const std::vector<Type>& types, const std::string& name,
                                    const std::string& provider) {
    for (const Type& type : types) {
        if (type.header.name != name) continue;
        const auto found = type.provider_map.find(provider);
        if (found != type.provider_map.end()) return found->second;
    }
    return {};
}

}  // namespace

model::ProviderSettings machine_settings(const std::vector<model::HardwareType>& hardware,
                                         const std::vector<model::ImageType>& image,
                                         const std::string& hardware_type,
                                         const std::string& image_type,
                                         const std::string& provider) {
    auto settings = settings_of(hardware, hardware_type, provider);
    settings.merge(settings_of(image, image_type, provider));
    return settings;
}

}  // namespace provisioner::operations
