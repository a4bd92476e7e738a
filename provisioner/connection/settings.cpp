#include "provisioner/connection/settings.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/problem.hpp"

namespace provisioner::connection {

namespace {

constexpr long largest_port = 65535;

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_this_machine(const std::string& host) {
    return host == "localhost" || host.starts_with("127.") || host == "::1";
}

std::optional<int> port_of(const std::string& text) {
    const auto number = base::parse_number(text);
    if (!number || *number < 1 || *number > largest_port) return std::nullopt;
    return static_cast<int>(*number);
}

/// "host", "host:port", "[address]", "[address]:port"; nothing for another text.
std::optional<Address> address_of(const std::string& text) {
    const bool in_brackets = text.starts_with('[');
    const auto end = in_brackets ? text.find(']') : text.find(':');
    if (in_brackets && end == std::string::npos) return std::nullopt;
    Address address;
    address.host = in_brackets ? text.substr(1, end - 1) : text.substr(0, end);
    const std::string rest =
        end == std::string::npos ? "" : text.substr(in_brackets ? end + 1 : end);
    if (address.host.empty() || address.host.find_first_of(" \t'/") != std::string::npos) {
        return std::nullopt;
    }
    if (rest.empty()) return address;
    const auto port = rest.front() == ':' ? port_of(rest.substr(1)) : std::nullopt;
    if (!port) return std::nullopt;
    address.port = *port;
    return address;
}

std::string read_password(const std::string& path, base::Problems& problems) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream read;
    if (file) read << file.rdbuf();
    if (!file) {
        problems.push_back(
            {"database.password_file", "cannot read " + path + ": " + std::strerror(errno)});
        return "";
    }
    std::string text = read.str();
    if (text.ends_with('\n')) text.pop_back();
    if (text.ends_with('\r')) text.pop_back();
    if (text.empty()) problems.push_back({"database.password_file", path + " is empty"});
    return text;
}

/// Reads the settings one by one and collects what is wrong with them.
class Reader {
 public:
    explicit Reader(const base::Config& config) : config_(config) {}

    Settings read() {
        Settings settings;
        settings.database = needed("database.name");
        settings.user = needed("database.user");
        settings.password = base::Secret(password());
        settings.addresses = addresses();
        settings.ca = path("database.tls_ca");
        settings.cert = path("database.tls_cert");
        settings.key = path("database.tls_key");
        if (settings.cert.empty() != settings.key.empty()) {
            problem("database.tls_cert", "and database.tls_key go together");
        }
        set_tls(settings.addresses);
        if (!problems_.empty()) throw std::runtime_error(base::to_text(problems_));
        return settings;
    }

 private:
    void problem(const std::string& name, const std::string& text) {
        problems_.push_back({name, text});
    }

    std::string optional(const std::string& name) { return config_.get_or(name, ""); }

    std::string needed(const std::string& name) {
        try {
            if (!config_.get(name).empty()) return config_.get(name);
            problem(name, "is empty");
        } catch (const std::runtime_error& error) {
            problem("", error.what());
        }
        return "";
    }

    /// The path of a file that can be read, or empty.
    std::string path(const std::string& name) {
        const std::string text = optional(name);
        if (!text.empty() && !std::ifstream(text)) {
            problem(name, "cannot read " + text + ": " + std::strerror(errno));
        }
        return text;
    }

    std::string password() {
        const std::string file = optional("database.password_file");
        if (file.empty()) return optional("database.password");
        if (!optional("database.password").empty()) {
            problem("database.password_file", "and database.password exclude each other");
        }
        return read_password(file, problems_);
    }

    std::vector<Address> addresses() {
        const std::string host = optional("database.host");
        const std::string hosts = optional("database.hosts");
        if (hosts.empty() && host.empty()) return {{.socket = needed("database.socket")}};
        if (!hosts.empty() && !host.empty()) {
            problem("database.hosts", "and database.host exclude each other");
        }
        return hosts.empty() ? std::vector{one_host(host)} : list(hosts);
    }

    Address one_host(const std::string& host) {
        const auto port = port_of(config_.get_or("database.port", "3306"));
        if (!port) problem("database.port", "must be 1 to 65535");
        return {.host = host, .port = port.value_or(0)};
    }

    std::vector<Address> list(const std::string& hosts) {
        std::vector<Address> all;
        std::istringstream parts(hosts);
        for (std::string part; std::getline(parts, part, ',');) {
            const auto address = address_of(trimmed(part));
            if (address) {
                all.push_back(*address);
            } else {
                problem("database.hosts", "\"" + trimmed(part) + "\" is not host or host:port");
            }
        }
        return all;
    }

    void set_tls(std::vector<Address>& all) {
        const std::string word = optional("database.tls");
        const auto wanted = base::from_word<Tls>(word);
        if (!word.empty() && !wanted) problem("database.tls", "must be off, required or verify");
        for (Address& address : all) {
            if (address.is_socket()) continue;
            address.tls = wanted.value_or(is_this_machine(address.host) ? Tls::off : Tls::verify);
        }
    }

    const base::Config& config_;
    base::Problems problems_;
};

}  // namespace

std::string name_of(const Address& address) {
    if (address.is_socket()) return address.socket;
    const bool is_v6 = address.host.find(':') != std::string::npos;
    return (is_v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

Settings settings_of(const base::Config& config) {
    return Reader(config).read();
}

}  // namespace provisioner::connection
