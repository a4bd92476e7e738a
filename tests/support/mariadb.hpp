#pragma once

#include <string>

#include "provisioner/base/config.hpp"

namespace tests {

/// A MariaDB of the test's own: a folder below the system's temporary folder, a unix socket, no
/// network. Started by the constructor, ended by pid and removed by the destructor. Needs
/// mariadb-install-db and mariadbd on the PATH.
class Mariadb {
 public:
    Mariadb();
    ~Mariadb();
    Mariadb(const Mariadb&) = delete;
    Mariadb& operator=(const Mariadb&) = delete;

    /// Settings that lead to a database of that name, which need not exist, and `more` lines.
    provisioner::base::Config config(const std::string& database = "cooperage",
                                     const std::string& more = "") const;

    int pid() const { return pid_; }
    const std::string& folder() const { return folder_; }

 private:
    std::string folder_;
    int pid_ = -1;
};

}  // namespace tests
