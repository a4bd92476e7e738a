#pragma once

#include <string>

namespace tests::host_keys {

// Public host keys as ssh-keygen makes them.

inline const std::string first_key =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICXq77wGxN4iDGJoAEZxwMR9ZLQpgE9M23f8gFgEVJBh";
inline const std::string second_key =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGbkjPd8KzbQwbecKjUjrnerYXr00kpuOPRD/GoSaUU6";
inline const std::string ecdsa_key =
    "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBO7MYCM/"
    "6xMPsVbxZu537+ziDYqncx7bhMkhxkcD/51PlxL8qako/s869849g69RYabIFNZtwfG1U9l+jVv+pZM=";

}  // namespace tests::host_keys
