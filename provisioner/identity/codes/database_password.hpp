#pragma once

#include <string>

#include "provisioner/base/secret.hpp"

namespace provisioner::identity {

/// What MariaDB and MySQL store of a password for mysql_native_password: "*" and SHA-1 of SHA-1 in
/// upper-case hexadecimal digits. Statements that have it in place of the password can stand in
/// logs and in the binlog: who reads it cannot log in with it, and a random password of 256 bits is
/// not found by trying.
std::string native_password_hash(const base::Secret& password);

}  // namespace provisioner::identity
