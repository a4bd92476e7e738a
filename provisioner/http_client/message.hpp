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

/// Names and values of headers. A name may occur several times.
using Headers = std::vector<std::pair<std::string, std::string>>;

/// Credentials for signing a request as AWS requires (Signature Version 4). libcurl computes the
/// signature. Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html.
struct Signing {
    /// For example "eu-central-1".
    std::string region;
    /// The signing name of the API, for example "s3" or "ec2".
    std::string service;
    /// Must not contain a colon: libcurl splits the credentials there.
    std::string access_key;
    /// Passed to libcurl for the signature only; never sent.
    base::Secret secret_key;
};

/// A request body that is read piece by piece during the transfer, so that large files need little
/// memory. Only Transfers accepts one. libcurl may first ask the server for permission ("Expect:
/// 100-continue"). Then a refusal can come before the body.
struct Upload {
    /// Bytes in all; sent as Content-Length.
    std::uint64_t size = 0;
    /// Fills in up to that many bytes and returns their number; 0 means the end. Called on the
    /// thread that sends. An exception ends the transfer and is rethrown to the sender.
    std::function<std::size_t(char*, std::size_t)> read;
};

/// One HTTP request with all its limits. Exceeding a limit ends the request with an error in its
/// Reply, except where the body is cut. Requests use HTTP/1.1 only, and name "cooperage" as their
/// user agent.
struct Request {
    /// In capitals. A body is sent with any method; POST and PUT send an empty one too.
    std::string method = "POST";
    /// Absolute. libcurl refuses every scheme other than http and https.
    std::string url;
    /// Sent as given, besides those of libcurl. With `signing`, "Host" is signed as it is given
    /// here. One with a line break or a zero byte is refused: it could hold further headers.
    Headers headers;
    /// Bytes of any kind, sent with their length. Not sent when an Upload is given.
    std::string body;
    /// Without it the request is sent unsigned.
    std::optional<Signing> signing;
    /// Whether it must not reach the server twice, because it creates something. Then it gets a new
    /// connection: on a kept one that breaks before an answer, libcurl would send it once more.
    bool at_most_once = false;
    /// Whether it must not reach what is_own_network() has (own_network.hpp), because its address
    /// comes from people who may not use this host. It then fails before a byte is sent, whatever
    /// names resolve to. A proxy is not concerned, and is left to decide for itself.
    bool forbids_own_network = false;
    /// Certificates (PEM) of the only authorities trusted for an https server; empty means those of
    /// this system. Certificates and host names are always checked.
    std::string authorities;
    /// Whether Reply::certificate is wanted.
    bool keeps_certificate = false;
    /// Limit for name lookup, connecting and the TLS handshake together.
    std::chrono::milliseconds connect_limit{10'000};
    /// Limit for the whole request, waiting for a free connection included. 0 means no such limit,
    /// for bodies of unknown length. A minute without a byte always ends the request.
    std::chrono::milliseconds limit{10'000};
    /// Largest accepted body of a reply, in bytes.
    std::size_t longest_reply = 1 << 20;
    /// What happens to a longer body. False: the request fails. True: the body is read to its end,
    /// and bytes beyond the limit are dropped.
    bool cuts_reply = false;
};

/// The answer to a request, or why there is none. Exactly one of `status` and `error` is set.
struct Reply {
    /// HTTP status code; 0 when there was no usable answer. Redirections (3xx) and errors (4xx,
    /// 5xx) are answers like any other.
    int status = 0;
    /// Of the final answer, in the order received, names in lower case. At most 64 KiB.
    Headers headers;
    /// At most Request::longest_reply bytes. After a failure it may hold a part.
    std::string body;
    /// Why there was no usable answer, as a text for operators; empty when there was one.
    std::string error;
    /// Whether the cause is a body longer than Request::longest_reply or too many headers, so that
    /// the same request would fail again.
    bool is_too_long = false;
    /// What verifying the server's certificate gave (CURLINFO_SSL_VERIFYRESULT), if it was not
    /// accepted; nothing if that is not the cause.
    std::optional<long> certificate_result{};
    /// The server's certificate (DER) then, if it was wanted; empty if it is not known.
    std::string certificate{};

    /// The value of the first header with that name, given in lower case; "" when there is none.
    std::string header(std::string_view name) const;
};

}  // namespace provisioner::http_client
