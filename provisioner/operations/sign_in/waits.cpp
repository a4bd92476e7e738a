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

/// The first bits of an IPv6 address; empty for other addresses.
std::string first_bits(const std::string& address, int bits) {
    in6_addr found{};
    if (inet_pton(AF_INET6, address.c_str(), &found) != 1) return "";
    if (IN6_IS_ADDR_V4MAPPED(&found)) return "";
    std::fill(found.s6_addr + bits / 8, found.s6_addr + 16, std::uint8_t{0});
    char text[INET6_ADDRSTRLEN] = {};
    inet_ntop(AF_INET6, &found, text, sizeof text);
    return std::string(text) + "/" + std::to_string(bits);
}

/// The network in which somebody's address changes from day to day: 64 bits, of IPv4 24.
std::string neighbourhood_of(const std::string& address) {
    const std::string network = network_of(address);
    if (network.ends_with("/64")) return network;
    return network.substr(0, network.rfind('.')) + ".0/24";
}

std::string sign_in_subject(std::initializer_list<std::string_view> parts) {
    std::string text = "sign-in";
    for (const std::string_view part : parts) text.append(separator).append(part);
    return identity::checksum(text);
}

bool is_remembered(const store::FailureCounts& counts, const std::string& key) {
    const auto found = counts.find(key);
    return found != counts.end() && found->second.count == store::remembered;
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
    const std::string site = first_bits(address, 48);
    SignInSubjects subjects{
        .account_and_address =
            sign_in_subject({"account and address", of_tenant, of_user, network}),
        .account = sign_in_subject({"account", of_tenant, of_user}),
        .address = sign_in_subject({"address", network}),
        .known = sign_in_subject({"known", of_tenant, of_user, neighbourhood_of(address)})};
    if (site.empty()) return subjects;
    subjects.account_and_site = sign_in_subject({"account and site", of_tenant, of_user, site});
    subjects.site = sign_in_subject({"site", site});
    return subjects;
}

std::string network_of(const std::string& address) {
    const std::string six = first_bits(address, 64);
    if (!six.empty()) return six;
    // An IPv4 client of a socket for both has its whole address in the last bits.
    in6_addr mapped{};
    const bool is_mapped = inet_pton(AF_INET6, address.c_str(), &mapped) == 1;
    return is_mapped ? address.substr(address.rfind(':') + 1) : address;
}

std::string site_of(const std::string& address) {
    const std::string site = first_bits(address, 48);
    return site.empty() ? network_of(address) : site;
}

SignInSubjects directory_subjects(std::int64_t provider, const std::string& subject,
                                  const std::string& address) {
    const std::string id = std::to_string(provider);
    const std::string site = first_bits(address, 48);
    SignInSubjects subjects{
        .account_and_address =
            sign_in_subject({"directory user and address", id, subject, network_of(address)}),
        .account = sign_in_subject({"directory user", id, subject}),
        .known = sign_in_subject({"known directory user", id, subject, neighbourhood_of(address)})};
    if (!site.empty()) {
        subjects.account_and_site = sign_in_subject({"directory user and site", id, subject, site});
    }
    return subjects;
}

std::vector<std::pair<std::string, WaitRule>> SignInSubjects::counted() const {
    std::vector<std::pair<std::string, WaitRule>> counted{
        {account_and_address, account_and_address_rule},
        {account, account_rule},
        {address, address_rule},
        {account_and_site, account_and_site_rule},
        {site, site_rule}};
    std::erase_if(counted, [](const auto& one) { return one.first.empty(); });
    return counted;
}

std::vector<std::string> SignInSubjects::all() const {
    std::vector<std::string> names;
    for (const auto& [subject, rule] : counted()) names.push_back(subject);
    return names;
}

CodeSubjects code_subjects(std::int64_t user, const std::string& address) {
    const std::string id = std::to_string(user);
    const std::string network = neighbourhood_of(address);
    return {.anywhere = sign_in_subject({"code", id}),
            .here = sign_in_subject({"code and network", id, network}),
            .known = sign_in_subject({"known code", id, network})};
}

std::optional<std::chrono::seconds> code_wait(const CodeSubjects& subjects,
                                              const store::FailureCounts& counts,
                                              base::Timestamp now) {
    const auto here = wait_left(code_rule, failures_found(counts, subjects.here), now);
    if (is_remembered(counts, subjects.known)) return here;
    return std::max(here, wait_left(code_rule, failures_found(counts, subjects.anywhere), now));
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
    // An empty optional is less than any wait.
    auto longest =
        std::max({unless_over(wait_left_of(wait, here, now)), wait_left(address_rule, address, now),
                  wait_left(site_rule, failures_found(counts, subjects.site), now)});
    if (is_remembered(counts, subjects.known)) return longest;
    const store::Failures& at_site = failures_found(counts, subjects.account_and_site);
    return std::max({longest, wait_left(strangers_rule, anywhere, now),
                     wait_left(account_and_site_rule, at_site, now)});
}

}  // namespace provisioner::operations
