#pragma once

#include <memory>

#include "provisioner/http/client.hpp"

namespace provisioner::http {

/// A client on libcurl; keeps connections for the next time.
std::unique_ptr<Client> make_curl_client();

}  // namespace provisioner::http
