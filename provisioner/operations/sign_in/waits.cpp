#include "provisioner/operations/sign_in/waits.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>

#include "provisioner/identity/checksum.hpp"

namespace provisioner::operations {

namespace {

constexpr std::string_view separator("\0", 1);

/// A name as a directory or the database may take it: case and blanks around it do not count, and
/// several blanks are one. Else one account would have many counters.
std::string folded(const std::string& name) {
    std::string text;
    for (const char c : name) {
        if (c == ' ' && (text.empty() || text.back() == ' ')) continue;
        text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (text.ends_with(' ')) text.pop_back();
    return text;
}

std::string sign_in_subject(std::initializer_list<std::string_view> parts) {
    std::string text = "sign-in";
    for (const std::string_view part : parts) text.append(separator).append(part);
    return identity::checksum(text);
}

const store::Failures& failures_found(const store::FailureCounts& counts, const std::string& key) {
    static const store::Failures none;
    const auto found = counts.find(key);
    return found == counts.end() ? none : found->second;
}

/// What is left of a wait that began with the last failure.
std::chrono::seconds wait_left_of(std::chrono::seconds wait, const store::Failures& failures,
                                  base::Timestamp now) {
    if (wait == std::chrono::seconds{0}) return wait;
    // A clock that was put back must not make a wait longer than it is.
    const auto left = std::min<std::chrono::microseconds>(failures.last_at + wait - now, wait);
    return std::max(std::chrono::ceil<std::chrono::seconds>(left), std::chrono::seconds{0});
}

std::optional<std::chrono::seconds> unless_over(std::chrono::seconds wait) {
    return wait == std::chrono::seconds{0} ? std::nullopt : std::optional(wait);
}

}  // namespace

std::chrono::seconds wait_after(const WaitRule& rule, int failures) {
    if (failures < rule.first) return std::chrono::seconds{0};
    constexpr int most_doublings = 20;
    return std::min(std::chrono::seconds{1L << std::min(failures - rule.first, most_doublings)},
                    rule.most);
}

int counting_failures(const WaitRule& rule, const store::Failures& failures, base::Timestamp now) {
    return failures.last_at + rule.forgotten < now ? 0 : failures.count;
}

SignInSubjects subjects_of(const std::string& tenant, const std::string& user,
                           const std::string& address) {
    const std::string of_tenant = folded(tenant);
    const std::string of_user = folded(user);
    const std::string network = network_of(address);
    return {.account_and_address =
                sign_in_subject({"account and address", of_tenant, of_user, network}),
            .account = sign_in_subject({"account", of_tenant, of_user}),
            .address = sign_in_subject({"address", network})};
}

std::string network_of(const std::string& address) {
    in6_addr bits{};
    if (inet_pton(AF_INET6, address.c_str(), &bits) != 1) return address;
    // An IPv4 client of a socket for both has its whole address in the last bits.
    if (IN6_IS_ADDR_V4MAPPED(&bits)) return address.substr(address.rfind(':') + 1);
    std::fill(bits.s6_addr + 8, bits.s6_addr + 16, std::uint8_t{0});
    char text[INET6_ADDRSTRLEN] = {};
    inet_ntop(AF_INET6, &bits, text, sizeof text);
    return std::string(text) + "/64";
}

std::string code_subject(std::int64_t user) {
    return sign_in_subject({"code", std::to_string(user)});
}

std::optional<std::chrono::seconds> wait_left(const WaitRule& rule, const store::Failures& failures,
                                              base::Timestamp now) {
    const std::chrono::seconds wait = wait_after(rule, counting_failures(rule, failures, now));
    return unless_over(wait_left_of(wait, failures, now));
}

std::optional<std::chrono::seconds> sign_in_wait(const SignInSubjects& subjects,
                                                 const store::FailureCounts& counts,
                                                 base::Timestamp now) {
    const store::Failures& here = failures_found(counts, subjects.account_and_address);
    const store::Failures& anywhere = failures_found(counts, subjects.account);
    const store::Failures& address = failures_found(counts, subjects.address);
    const int failed_here = counting_failures(account_and_address_rule, here, now);
    std::chrono::seconds wait = wait_after(account_and_address_rule, failed_here);
    if (failed_here > 0) {
        const int failed_anywhere = counting_failures(account_rule, anywhere, now);
        wait = std::max(wait, wait_after(account_rule, failed_anywhere));
    }
    const auto of_address = wait_left(address_rule, address, now);
    return unless_over(
        std::max(wait_left_of(wait, here, now), of_address.value_or(std::chrono::seconds{0})));
}

}  // namespace provisioner::operations
