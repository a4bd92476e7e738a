#include "provisioner/connection/order.hpp"

#include <map>
#include <mutex>

namespace provisioner::connection {

namespace {

/// Which address worked last, by the list of addresses: tests have several lists in one process.
struct Memory {
    std::mutex mutex;
    std::map<std::string, std::size_t> last;
};

Memory& memory() {
    static Memory only;
    return only;
}

std::string key_of(const std::vector<Address>& addresses) {
    std::string key;
    for (const Address& address : addresses) key += name_of(address) + " ";
    return key;
}

}  // namespace

std::vector<std::size_t> order_of(const std::vector<Address>& addresses) {
    std::size_t first = 0;
    {
        const std::lock_guard lock(memory().mutex);
        const auto found = memory().last.find(key_of(addresses));
        if (found != memory().last.end()) first = found->second;
    }
    std::vector<std::size_t> order{first};
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        if (i != first) order.push_back(i);
    }
    return order;
}

void note_that_works(const std::vector<Address>& addresses, std::size_t number) {
    const std::lock_guard lock(memory().mutex);
    memory().last[key_of(addresses)] = number;
}

std::string explained(const std::string& error, const Address& address) {
    const auto says = [&](const char* part) { return error.find(part) != std::string::npos; };
    if (says("Validation of SSL server certificate failed")) {
        return error + " (the certificate does not name " + address.host + ")";
    }
    if (says("issuer certificate") || says("self-signed certificate") ||
        says("self signed certificate")) {
        return error + " (no authority that database.tls_ca or the system knows has signed it)";
    }
    return error;
}

void Reasons::add(const Address& address, const std::string& reason) {
    if (!text_.empty()) text_ += "; ";
    text_ += name_of(address) + ": " + reason;
}

std::vector<Probe> probes_for(const Address& address, std::size_t addresses) {
    std::vector<Probe> probes;
    if (address.tls == Tls::required) {
        probes.push_back({.query = "SHOW STATUS LIKE 'Ssl_cipher'",
                          .refused_value = "",
                          .reason = "TLS is required, but the server does not support it"});
    }
    if (addresses > 1) {
        probes.push_back({.query = "SELECT @@global.read_only AS Value",
                          .refused_value = "1",
                          .reason = "the server is read-only (read_only = 1): a replica?"});
    }
    return probes;
}

}  // namespace provisioner::connection
