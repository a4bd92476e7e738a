#pragma once

#include <chrono>

#include "provisioner/base/secret.hpp"
#include "provisioner/contents/content_store.hpp"

namespace provisioner::contents {

/// A bucket of an S3 API.
struct S3Settings {
    /// For example "https://s3.eu-central-1.amazonaws.com"; buckets are addressed below it, by
    /// path.
    std::string endpoint;
    std::string bucket;
    std::string region = "us-east-1";
    /// What the key of every object begins with.
    std::string prefix;
    std::string access_key;
    base::Secret secret_key;
    /// The pauses before a request that the place could not take is tried again, each twice the one
    /// before.
    std::chrono::milliseconds first_pause{500};
};

/// What is wrong with them, naming the setting; empty when nothing is.
std::string problem_with(const S3Settings& settings);

/// Keeps bytes as objects <prefix><name>. They go up as they come, in one request with its length
/// said; they come down in ranges, so that who reads them sets the pace.
class S3Contents final : public ContentStore {
 public:
    /// Throws PlaceError when the settings are wrong.
    explicit S3Contents(S3Settings settings);

    void put(const std::string& name, Source& from, std::uint64_t size) override;
    std::unique_ptr<Source> open(const std::string& name) override;
    void remove(const std::string& name) override;

 private:
    S3Settings settings_;
};

}  // namespace provisioner::contents
