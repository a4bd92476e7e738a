#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "provisioner/base/secret.hpp"

namespace provisioner::http_client {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// Who signs a request, as AWS wants it (Signature Version 4).
struct Signing {
    std::string region;
    std::string service;
    std::string access_key;
    base::Secret secret_key;
};

/// A body that is pulled while it is sent, so that nobody holds the whole of it.
struct Upload {
    std::uint64_t size = 0;
    /// Fills in up to that many bytes and returns how many there were. What it throws ends the
    /// transfer and is thrown on.
    std::function<std::size_t(char*, std::size_t)> read;
};

/// One request to somebody else's server.
struct Request {
    std::string method = "POST";
    /// http or https.
    std::string url;
    /// With `signing`, "Host" is signed as it is given here.
    Headers headers;
    std::string body;
    std::optional<Signing> signing;
    /// Certificates (PEM) of the authorities that may vouch for an https server; empty: those of
    /// this system.
    std::string authorities;
    /// How long it may take until the server is connected, TLS included.
    std::chrono::milliseconds connect_limit{10'000};
    /// How long it may take in all; 0: as long as bytes flow, nothing for a minute ends it.
    std::chrono::milliseconds limit{10'000};
    /// Most bytes of a reply's body.
    std::size_t longest_reply = 1 << 20;
    /// What becomes of a longer one. False: it is given up. True: it is read to its end, and kept
    /// up to there.
    bool cuts_reply = false;
};

/// What came back.
struct Reply {
    /// 0 when there was no answer, or none that may be used.
    int status = 0;
    /// In the order they came, names in small letters.
    Headers headers;
    std::string body;
    /// Why there was no answer; empty when there was one.
    std::string error;

    /// The first header of that name (in small letters); empty when there is none.
    std::string header(std::string_view name) const;
};

}  // namespace provisioner::http_client
