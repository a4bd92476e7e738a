#pragma once

#include <string>
#include <vector>

#include "provisioner/automators/automator.hpp"

namespace provisioner::automators {

/// The live resources of a task and where they lie on a node; makes the steps that bring them
/// there. Used by one bootstrap: add resources, then recall() and add_to().
///
/// A node gets each version once, by checksum. The file <home>/brought lists the paths that lie on
/// the node because of resources. Paths that a bootstrap no longer lists were recalled and are
/// removed.
class ResourceFiles {
 public:
    /// `home` is the automator's directory on nodes, an absolute path.
    explicit ResourceFiles(std::string home) : home_(std::move(home)) {}

    /// Brings the content of the resource to `path`.
    void add_file(const Resource& resource, const std::string& path, int mode);

    /// Brings a gzip'd tar to `kept_in` and unpacks it in `directory`. Its only top entry must be
    /// called like the resource; it replaces what another version left there.
    void add_archive(const Resource& resource, const std::string& directory,
                     const std::string& kept_in);

    /// Script that removes recalled paths and writes the new list. Its shell must end at the first
    /// error (set -e), and it must run before the steps of add_to(). Includes everything added so
    /// far.
    std::string recall() const;

    /// Appends the steps that bring and unpack; none if no resource was added.
    void add_to(remote::Steps& steps) const;

 private:
    /// An archive to unpack.
    struct Archive {
        std::string name;
        /// Path of the tar on the node.
        std::string file;
        std::string sha256;
        std::uint64_t size = 0;
        /// Where it is unpacked.
        std::string directory;
    };

    /// Time allowed for all archives, by their sizes.
    std::chrono::seconds time_to_unpack() const;
    /// Script that unpacks archives whose version is not unpacked yet.
    std::string unpacking() const;

    std::string home_;
    std::vector<remote::DeliveredFile> files_;
    std::vector<Archive> archives_;
    /// Every path that lies on the node because of the resources. Directories end with '/'.
    std::vector<std::string> paths_;
};

}  // namespace provisioner::automators
