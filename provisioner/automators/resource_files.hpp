#pragma once

#include <string>
#include <vector>

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// The live resources of a task and where on a node they lie. A node gets each version once; what a
/// bootstrap before this one brought and the tenant has recalled since goes.
class ResourceFiles {
 public:
    /// `home` is the automator's directory on nodes, where it is recorded what was brought.
    explicit ResourceFiles(std::string home) : home_(std::move(home)) {}

    /// The resource as it is.
    void add_file(const Resource& resource, const std::string& path, int mode);

    /// A gzip'd tar whose only top entry has the resource's name: it lies in `kept_in` and is
    /// unpacked in `directory`, in place of what another version left there.
    void add_archive(const Resource& resource, const std::string& directory,
                     const std::string& kept_in);

    /// Script that takes away what was recalled and records what will be brought; its shell must
    /// end with the first error.
    std::string recall() const;

    /// The steps that bring and unpack.
    void add_to(remote::Steps& steps) const;

 private:
    struct Archive {
        std::string name;
        std::string file;
        std::string sha256;
        std::uint64_t size = 0;
        std::string directory;
    };

    std::chrono::seconds time_to_unpack() const;
    std::string unpacking() const;

    std::string home_;
    std::vector<remote::DeliveredFile> files_;
    std::vector<Archive> archives_;
    /// All that lies on the node because of the resources.
    std::vector<std::string> paths_;
};

}  // namespace provisioner::automators
