#pragma once

#include <chrono>

#include "provisioner/base/secret.hpp"
#include "provisioner/contents/content_store.hpp"

namespace provisioner::contents {

/// The settings of a bucket behind an S3 API, from resources.s3.* of the configuration.
struct S3Settings {
    /// Scheme, host and optional port, for example "https://s3.eu-central-1.amazonaws.com". Buckets
    /// are addressed by path below it.
    std::string endpoint;
    std::string bucket;
    /// Part of the signature; services outside AWS often ignore it.
    std::string region = "us-east-1";
    /// Beginning of the key of every object; may be empty, and must not begin with "/".
    std::string prefix;
    std::string access_key;
    base::Secret secret_key;
    /// Pause before the second try of a request; each further pause is twice as long. At most four
    /// tries.
    std::chrono::milliseconds first_pause{500};
};

/// The first problem with the settings, naming the setting; "" when they are well-formed. Does not
/// contact the service.
std::string problem_with(const S3Settings& settings);

/// Stores bytes as objects <prefix><name> of a bucket. Requests are signed by libcurl (Signature
/// Version 4).
///
/// put() is one request, so the service limits the size of an object (5 GiB at AWS). Its payload is
/// not signed, because the bytes are not known in advance: use https. A failed upload is repeated
/// only if no more than 4 MiB were sent. Downloads are ranges of 8 MiB, so a slow reader holds no
/// connection. Tries and their pauses block the calling thread.
class S3Contents final : public ContentStore {
 public:
    /// Throws PlaceError when the settings have a problem. Does not contact the service.
    explicit S3Contents(S3Settings settings);

    void put(const std::string& name, Source& from, std::uint64_t size) override;
    std::unique_ptr<Source> open(const std::string& name) override;
    /// Asks for a range of one byte.
    bool has_bytes(const std::string& name) override;
    void remove(const std::string& name) override;

 private:
    S3Settings settings_;
};

}  // namespace provisioner::contents
