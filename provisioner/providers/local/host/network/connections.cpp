#include "provisioner/providers/local/host/network/connections.hpp"

#include <arpa/inet.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_conntrack.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/providers/local/host/system.hpp"

namespace provisioner::providers::local {

namespace {

/// The number of an attribute and what it holds. Those that the kernel does not send are empty.
using Attributes = std::map<int, std::string_view>;

constexpr std::size_t padded(std::size_t size) {
    return (size + NLA_ALIGNTO - 1) / NLA_ALIGNTO * NLA_ALIGNTO;
}

Attributes attributes_in(std::string_view bytes) {
    Attributes found;
    while (bytes.size() >= NLA_HDRLEN) {
        nlattr head{};
        std::memcpy(&head, bytes.data(), sizeof head);
        if (head.nla_len < NLA_HDRLEN || head.nla_len > bytes.size()) break;
        found[head.nla_type & NLA_TYPE_MASK] =
            bytes.substr(NLA_HDRLEN, head.nla_len - std::size_t{NLA_HDRLEN});
        bytes.remove_prefix(std::min(bytes.size(), padded(head.nla_len)));
    }
    return found;
}

/// The attribute as it is sent, in front of others.
std::string attribute(int type, std::string_view value) {
    nlattr head{};
    head.nla_len = static_cast<std::uint16_t>(NLA_HDRLEN + value.size());
    head.nla_type = static_cast<std::uint16_t>(type);
    std::string text(reinterpret_cast<const char*>(&head), sizeof head);
    text += value;
    text.resize(padded(text.size()));
    return text;
}

/// In host byte order; 0 for none.
std::uint32_t address_in(std::string_view bytes) {
    std::uint32_t address = 0;
    if (bytes.size() == sizeof address) std::memcpy(&address, bytes.data(), sizeof address);
    return ntohl(address);
}

/// Who speaks with whom, in host byte order.
struct Ends {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

Ends ends_in(std::string_view tuple) {
    const auto addresses = attributes_in(attributes_in(tuple)[CTA_TUPLE_IP]);
    const auto at = [&](int type) {
        const auto found = addresses.find(type);
        return found == addresses.end() ? 0 : address_in(found->second);
    };
    return {.from = at(CTA_IP_V4_SRC), .to = at(CTA_IP_V4_DST)};
}

/// The kernel's memory of connections of this network namespace.
class Memory {
 public:
    Memory() : kernel_(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER)) {
        const timeval patience{.tv_sec = 5, .tv_usec = 0};
        setsockopt(kernel_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        if (kernel_.get() < 0) fail("cannot ask for connections");
    }

    /// What names each connection that is meant, as send() takes it.
    std::vector<std::string> names_of(
        const std::function<bool(const Ends& sent, const Ends& answered)>& is_meant) {
        std::vector<std::string> names;
        send(IPCTNL_MSG_CT_GET, NLM_F_DUMP, "");
        receive([&](std::string_view body) {
            auto parts = attributes_in(body);
            if (!is_meant(ends_in(parts[CTA_TUPLE_ORIG]), ends_in(parts[CTA_TUPLE_REPLY]))) return;
            std::string name = attribute(CTA_TUPLE_ORIG | NLA_F_NESTED, parts[CTA_TUPLE_ORIG]);
            // A connection that comes in its place has another number.
            for (const int part : {CTA_ZONE, CTA_ID}) {
                if (!parts[part].empty()) name += attribute(part, parts[part]);
            }
            names.push_back(name);
        });
        return names;
    }

    void forget(const std::string& name) {
        send(IPCTNL_MSG_CT_DELETE, NLM_F_ACK, name);
        receive([](std::string_view) {});
    }

 private:
    void send(int what, int flags, const std::string& body) {
        nlmsghdr header{};
        nfgenmsg family{};
        family.nfgen_family = AF_INET;
        header.nlmsg_len = static_cast<std::uint32_t>(sizeof header + sizeof family + body.size());
        header.nlmsg_type = static_cast<std::uint16_t>(NFNL_SUBSYS_CTNETLINK << 8 | what);
        header.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
        std::string text(reinterpret_cast<const char*>(&header), sizeof header);
        text.append(reinterpret_cast<const char*>(&family), sizeof family);
        text += body;
        if (::send(kernel_.get(), text.data(), text.size(), 0) < 0) fail("cannot ask the kernel");
    }

    /// Gives the body of each message to `take`, up to the end of the answer.
    void receive(const std::function<void(std::string_view)>& take) {
        for (bool is_over = false; !is_over;) {
            const ssize_t size = recv(kernel_.get(), buffer_.data(), buffer_.size(), 0);
            if (size < 0 && errno == EINTR) continue;
            if (size <= 0) fail("the kernel does not say which connections there are");
            std::string_view text(buffer_.data(), static_cast<std::size_t>(size));
            while (!is_over && text.size() >= sizeof(nlmsghdr)) is_over = take_one(text, take);
        }
    }

    /// Whether the message was the last one; it is taken off the text.
    static bool take_one(std::string_view& text,
                         const std::function<void(std::string_view)>& take) {
        nlmsghdr header{};
        std::memcpy(&header, text.data(), sizeof header);
        if (header.nlmsg_len < sizeof header || header.nlmsg_len > text.size()) {
            throw Failure("the kernel's answer about connections is broken");
        }
        const std::string_view body = text.substr(sizeof header, header.nlmsg_len - sizeof header);
        text.remove_prefix(std::min(text.size(), padded(header.nlmsg_len)));
        if (header.nlmsg_type == NLMSG_DONE) return true;
        if (header.nlmsg_type == NLMSG_ERROR) return check_acknowledged(body);
        if (body.size() >= sizeof(nfgenmsg)) take(body.substr(sizeof(nfgenmsg)));
        return false;
    }

    /// What is not there any more is forgotten.
    static bool check_acknowledged(std::string_view body) {
        int error = 0;
        if (body.size() >= sizeof error) std::memcpy(&error, body.data(), sizeof error);
        errno = -error;
        if (error != 0 && errno != ENOENT) fail("the kernel refuses to forget connections");
        return true;
    }

    Fd kernel_;
    std::array<char, 65536> buffer_{};
};

void forget(const std::function<bool(const Ends& sent, const Ends& answered)>& is_meant) {
    Memory memory;
    for (const std::string& name : memory.names_of(is_meant)) memory.forget(name);
}

std::uint32_t number_of(Place place) {
    in_addr number{};
    inet_pton(AF_INET, address_of(place).c_str(), &number);
    return ntohl(number.s_addr);
}

}  // namespace

void forget_connections_of(Place place) {
    const std::uint32_t host = number_of(place);
    forget([&](const Ends& sent, const Ends& answered) {
        // They differ where the machine's owner translates addresses.
        return sent.from == host || sent.to == host || answered.from == host || answered.to == host;
    });
}

void forget_connections_from(int network) {
    const std::uint32_t machine = number_of({network, 1});
    forget([&](const Ends& sent, const Ends&) {
        return lies_in(sent.from, network) && sent.from != machine;
    });
}

}  // namespace provisioner::providers::local
