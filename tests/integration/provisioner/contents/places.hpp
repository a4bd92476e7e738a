#pragma once

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "provisioner/contents/contents.hpp"
#include "provisioner/contents/sources.hpp"
#include "provisioner/operations/plugins/resources.hpp"
#include "provisioner/store/plugins/resource_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"
#include "tests/support/s3_stand_in.hpp"

namespace tests {

/// The one S3 API all cases of the suite share.
S3StandIn& bucket();

/// All three places over a database, a folder and a bucket that are empty, and a tenant with a
/// shelf.
struct Places {
    /// New contents go to `place`.
    explicit Places(
        provisioner::model::ContentPlace place = provisioner::model::ContentPlace::database);
    ~Places();

    /// Somebody of the shelf's tenant.
    provisioner::model::Caller caller() const;
    /// The next version of "f" on the shelf; throws what the operation throws.
    provisioner::store::ResourceVersion upload(const std::string& bytes) const;
    /// Deletes a version.
    void remove(int version) const;
    /// What nodes would get of a version.
    std::string bytes_of(int version) const;
    /// The content a version refers to.
    provisioner::model::Content content_of(int version) const;
    /// Takes bytes in to a place, as an upload that does not go on.
    provisioner::store::StoredContent arrive(provisioner::model::ContentPlace place,
                                             const std::string& bytes) const;

    /// Names of what a place really has, half files too, in order.
    std::vector<std::string> kept_in(provisioner::model::ContentPlace place) const;
    /// Rows of the database that say there are bytes.
    long rows() const;
    /// Makes everything that arrives have stopped doing so two hours ago.
    void let_time_pass() const;
    /// Runs a statement that changes the database.
    void change(const std::string& sql) const;
    /// The first number a statement of the database gives.
    long number(const std::string& sql) const;

    std::filesystem::path folder;
    mutable FreshDatabase fresh;
    provisioner::contents::Contents contents;
    mutable provisioner::store::ResourceShelf shelf;
    provisioner::base::Timestamp now = some_time();
};

/// Bytes with everything in them that could go wrong, the same for the same size.
std::string some_bytes(std::size_t size);

/// A source that gives so many bytes and then breaks with std::domain_error.
class BreakingSource final : public provisioner::contents::Source {
 public:
    explicit BreakingSource(std::size_t size) : left_(size) {}
    std::size_t read(char* into, std::size_t size) override;

 private:
    std::size_t left_;
};

}  // namespace tests
