#pragma once

#include <string>
#include <vector>

#include "tests/support/python_server.hpp"

namespace tests {

/// An S3 API of the test's own with the bucket "files" (see s3_stand_in.py), which recomputes every
/// signature. Ended by the destructor. Needs python3-venv, and PyPI the first time.
class S3StandIn {
 public:
    S3StandIn();

    /// Lines of settings that lead to it. `secret_key` is written to a file in `folder`.
    std::string settings(const std::string& folder, const std::string& secret_key) const;
    /// With the secret key it knows.
    std::string settings(const std::string& folder) const;

    /// Has the next requests refused with that status.
    void refuse(int count, int status = 503) const;

    /// The keys of all objects.
    std::vector<std::string> objects() const;

    /// Requests whose signature was wrong.
    int wrong_signatures() const;

    std::string endpoint() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }

 private:
    std::string ask(const std::string& method, const std::string& path) const;

    PythonServer server_;
};

}  // namespace tests
