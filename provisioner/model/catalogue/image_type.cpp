#include "provisioner/model/catalogue/image_type.hpp"

#include "provisioner/model/catalogue/provider_map.hpp"

namespace provisioner::model {

base::Checked<ImageType> image_type_from_json(const base::Json& json) {
    return mapped_type_from_json<ImageType>(json);
}

base::Json to_json(const ImageType& type) {
    return mapped_type_json(type);
}

}  // namespace provisioner::model
