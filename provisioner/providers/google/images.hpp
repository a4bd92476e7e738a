#pragma once

#include <string>

#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::google {

/// Where an image is.
struct ImagePlace {
    std::string project{};
    /// Of the image or of the family.
    std::string name{};
    /// The newest image of a family, rather than one image.
    bool is_family = false;

    /// "projects/debian-cloud/global/images/family/debian-12".
    std::string link() const;

    bool operator==(const ImagePlace&) const = default;
};

/// The image that an image type means by `text`: a URL of the API or its end, "project/name", or a
/// name alone. A name with a date ("debian-12-bookworm-v20240515") is an image, another one a
/// family. Names that begin as those of Google's public projects do ("debian-", "ubuntu-") are
/// looked for there, other names in `own_project`, where they are names of images.
ImagePlace image_place(const std::string& text, const std::string& own_project);

/// Whether images of the project are known to run without cloud-init: most public ones do, and have
/// Google's guest agent instead.
bool is_without_cloud_init(const std::string& project);

/// Whether user data work with the machine's image: `cloud_init` of the image type, else what is
/// known of its project, else `cloud_init` of the provider, else yes.
bool image_runs_cloud_init(const Account& account, const MachineSpec& spec);

}  // namespace provisioner::providers::google
