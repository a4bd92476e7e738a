#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "provisioner/connection/settings.hpp"
#include "provisioner/migrate/server/server_facts.hpp"

namespace provisioner::migrate {

/// Where the server's own tools find it: hosts and certificates, user and password go to them in an
/// options file in memory, never on their command line.

/// Dumps the database by mariadb-dump (or mysqldump) in one consistent snapshot and gives `take`
/// the gzip'd text piece by piece. Tables `without` are left out. Throws std::runtime_error with
/// what the tool says when it fails, and whatever `take` throws.
void dump(const connection::Settings& settings, const connection::Address& address, ServerKind kind,
          const std::string& without, const std::function<void(std::string_view)>& take);

/// Runs a dump by mariadb (or mysql): the gzip'd bytes of the file from `begins` on. Throws
/// std::runtime_error with what the tool says when it fails; then part of the dump was run.
void load(const connection::Settings& settings, const connection::Address& address, ServerKind kind,
          const std::string& path, std::uint64_t begins, std::uint64_t size);

}  // namespace provisioner::migrate
