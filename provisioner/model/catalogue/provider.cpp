#include "provisioner/model/catalogue/provider.hpp"

#include "provisioner/model/catalogue/entity_json.hpp"

namespace provisioner::model {

base::Checked<Provider> provider_from_json(const base::Json& json) {
    base::Problems problems;
    ObjectReader reader(&json, "", problems);
    Provider provider;
    provider.header = read_header(reader);
    const std::size_t before = problems.size();
    provider.provider_type = reader.text("providertype").value_or("");
    if (provider.provider_type.empty() && problems.size() == before) {
        reader.problem("providertype", "invalid provider type.");
    }
    if (const base::Json* fields = reader.value("provisioner")) {
        if (fields->is_object()) {
            provider.fields = without_nulls(*fields);
        } else {
            reader.problem("provisioner", "must be an object");
        }
    }
    return unless_problems(std::move(provider), std::move(problems));
}

base::Json to_json(const Provider& provider) {
    base::Json json = header_json(provider.header);
    json["providertype"] = provider.provider_type;
    json["provisioner"] = provider.fields;
    return json;
}

}  // namespace provisioner::model
