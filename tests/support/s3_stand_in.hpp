#pragma once

#include <string>
#include <vector>

#include "tests/support/python_server.hpp"

namespace tests {

/// An S3 API for tests with the empty bucket "files" (s3_stand_in.py). moto keeps the objects in
/// memory. botocore recomputes the signature of every request, so a wrong signature is refused as
/// by a real service. Needs python3-venv, and PyPI on first use.
class S3StandIn {
 public:
    /// Returns when the server answers; the first use installs Python packages below var/. Throws
    /// what PythonServer throws.
    S3StandIn();

    /// Lines of settings for this server, with the prefix "some/where/". `secret_key` is written to
    /// a file in `folder`; another key than the known one gives wrong signatures.
    std::string settings(const std::string& folder, const std::string& secret_key) const;
    /// The same with the correct secret key.
    std::string settings(const std::string& folder) const;

    /// Refuses the next `count` requests with that status, whatever they ask for; 0 ends that.
    /// Replaces an earlier call.
    void refuse(int count, int status = 503) const;

    /// Whether ranges are ignored, so that every answer is the whole object.
    void ignore_ranges(bool ignored) const;

    /// The keys of all objects, sorted.
    std::vector<std::string> objects() const;

    /// Number of requests refused for their signature so far.
    int wrong_signatures() const;

    /// "http://127.0.0.1:<port>".
    std::string endpoint() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }

 private:
    /// Sends a request to the control paths below /-/ and returns the body. Throws
    /// std::runtime_error unless the status is 200.
    std::string ask(const std::string& method, const std::string& path) const;

    PythonServer server_;
};

}  // namespace tests
