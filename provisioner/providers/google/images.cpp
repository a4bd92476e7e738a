#include "provisioner/providers/google/images.hpp"

#include <algorithm>
#include <array>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/google/names.hpp"

namespace provisioner::providers::google {

namespace {

/// A public project by the beginning of its images' names. The order matters: the first that fits.
struct PublicProject {
    std::string_view begins;
    std::string_view project;
    bool has_cloud_init;
};
constexpr std::array public_projects{PublicProject{"debian-", "debian-cloud", false},
                                     PublicProject{"ubuntu-", "ubuntu-os-cloud", true},
                                     PublicProject{"centos-", "centos-cloud", false},
                                     PublicProject{"rhel-", "rhel-cloud", false},
                                     PublicProject{"rocky-linux-", "rocky-linux-cloud", false},
                                     PublicProject{"almalinux-", "almalinux-cloud", false},
                                     PublicProject{"opensuse-", "opensuse-cloud", false},
                                     PublicProject{"sles-", "suse-cloud", false},
                                     PublicProject{"cos-", "cos-cloud", true},
                                     PublicProject{"fedora-cloud-", "fedora-cloud", true}};

bool has_date(std::string_view name) {
    constexpr std::size_t digits = 8;
    const auto mark = name.rfind("-v");
    if (mark == std::string_view::npos || name.size() < mark + 2 + digits) return false;
    const auto date = name.substr(mark + 2, digits);
    return std::all_of(date.begin(), date.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// What is behind "/compute/v1/" in a URL; other texts as they are.
std::string without_host(const std::string& text) {
    constexpr std::string_view version = "/compute/v1/";
    const auto found = text.find(version);
    const bool is_url = text.starts_with("https://") && found != std::string::npos;
    return is_url ? text.substr(found + version.size()) : text;
}

ImagePlace bare_image(const std::string& name, const std::string& own_project) {
    for (const PublicProject& known : public_projects) {
        if (!name.starts_with(known.begins)) continue;
        return {.project = std::string(known.project), .name = name, .is_family = !has_date(name)};
    }
    return {.project = own_project, .name = name, .is_family = false};
}

}  // namespace

std::string ImagePlace::link() const {
    return "projects/" + project + "/global/images/" + (is_family ? "family/" : "") + name;
}

ImagePlace image_place(const std::string& text, const std::string& own_project) {
    const std::string path = without_host(text);
    const auto slash = path.find('/');
    if (slash == std::string::npos) return bare_image(path, own_project);
    ImagePlace place;
    place.name = last_part(path);
    if (path.find("global/images/") == std::string::npos) {
        place.project = path.substr(0, slash);
        place.is_family = !has_date(place.name);
        return place;
    }
    place.is_family = path.find("/images/family/") != std::string::npos;
    place.project = own_project;
    constexpr std::string_view projects = "projects/";
    if (path.starts_with(projects)) {
        const std::string rest = path.substr(projects.size());
        place.project = rest.substr(0, rest.find('/'));
    }
    return place;
}

bool is_without_cloud_init(const std::string& project) {
    return std::any_of(public_projects.begin(), public_projects.end(), [&](const auto& known) {
        return known.project == project && !known.has_cloud_init;
    });
}

bool image_runs_cloud_init(const Account& account, const MachineSpec& spec) {
    const auto own = spec.hardware.find("cloud_init");
    if (own != spec.hardware.end() && !own->second.empty()) return cloud::is_yes(own->second, true);
    const ImagePlace place = image_place(spec.image, cloud::text_of(account, "google_project"));
    if (is_without_cloud_init(place.project)) return false;
    return cloud::has_cloud_init(account, spec);
}

}  // namespace provisioner::providers::google
