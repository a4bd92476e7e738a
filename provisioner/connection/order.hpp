#pragma once

#include <cstddef>
#include <vector>

#include "provisioner/connection/settings.hpp"

namespace provisioner::connection {

/// The numbers of `addresses` in the order in which this process tries them: first the one that
/// worked last, then the others as they are written. So a host that is gone costs its connect
/// time-out once and not for every connection, and all connections of a process go to one server.
/// Safe from any thread.
std::vector<std::size_t> order_of(const std::vector<Address>& addresses);

/// Notes that a connection to the address of that number works. Safe from any thread.
void note_that_works(const std::vector<Address>& addresses, std::size_t number);

/// The client library's text for a failed connection, with what it means for a certificate that is
/// refused: the library does not say that the name is wrong, or which setting is.
std::string explained(const std::string& error, const Address& address);

/// Why no address can be used: "db1:3306: <reason>; db2:3306: <reason>".
class Reasons {
 public:
    void add(const Address& address, const std::string& reason);
    const std::string& text() const { return text_; }

 private:
    std::string text_;
};

/// A question to a server that was just reached, with an answer that rules it out.
struct Probe {
    /// Gives a row with a column `Value`.
    const char* query;
    const char* refused_value;
    /// Why the server is not used.
    const char* reason;
};

/// What must be asked of a server at `address`: whether the connection is encrypted where that is
/// required (with Tls::verify the client library looks itself, with `ssl-enforce` alone it goes on
/// in plain text), and whether the server takes changes where there is another one.
std::vector<Probe> probes_for(const Address& address, std::size_t addresses);

}  // namespace provisioner::connection
