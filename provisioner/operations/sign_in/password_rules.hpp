#pragma once

#include <string>
#include <vector>

#include "provisioner/base/secret.hpp"

namespace provisioner::operations {

/// Characters that a password has at most.
constexpr int longest_password = 256;

/// Names that a password must not consist of.
struct PasswordOwner {
    std::string tenant{};
    std::string user{};
};

/// Why a password may not be used, in sentences; empty when it may. All characters are allowed and
/// none is required. It must have `least` characters, at most longest_password, must not be among
/// the common ones, nor one of them with up to four digits or signs around it, and must be more
/// than the names of its owner and of this program. Pure. Source: OWASP ASVS 5.0, 6.2.
std::vector<std::string> problems_with_password(const base::Secret& password, int least,
                                                const PasswordOwner& owner);

}  // namespace provisioner::operations
