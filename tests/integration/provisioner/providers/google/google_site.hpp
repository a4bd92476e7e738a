#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/google/google_cloud.hpp"
#include "tests/support/clouds/cloud_site.hpp"

namespace tests {

using namespace provisioner;
using base::Json;

/// The provider `google` and a Compute Engine of the tests' own, with an account in the project
/// "acme-1". At the end of each case nothing that the judge refused may be left unexplained.
struct GoogleSite : CloudSite {
    GoogleSite();
    ~GoogleSite();

    /// Another service account; `permissions` null: all.
    Json key(const Json& permissions = nullptr);
    /// The account of the site with the fields of `more` in place of its own.
    providers::Account account(const Json& more = Json::object());
    /// Changes settings of the peer (gce/cloud.py).
    void set(const Json& settings);
    /// Makes machines boot and go at once, for cases in which many do. Else a listing that shows
    /// one that boots is looked at for a second.
    void hurry() { set({{"operation", 0.001}, {"boot", 0}, {"agent", 0}, {"deletion", 0.001}}); }
    /// How often the peer was called.
    int calls_of(const std::string& operation);
    /// Names in the peer's list "instances", "disks" or "firewalls".
    std::vector<std::string> names(const std::string& list);
    /// The only machine there is.
    Json only_machine();

    /// create() and confirm() of the spec, which must succeed.
    providers::Reachable start(const providers::Account& account,
                               const providers::MachineSpec& spec);
    /// destroy(), which must succeed.
    void end(const providers::Account& account, const providers::MachineSpec& spec);

    /// A spec of a small machine with an image that runs cloud-init.
    static providers::MachineSpec small(int number = 1001, long long task = 10);

    /// The key file of the account.
    std::string key_file;
    /// Whether requests that the judge refuses are meant.
    bool expects_wrong_requests = false;
};

/// The text of a refusal; throws for another answer.
template <class Answer>
std::string refusal_of(const Answer& answer) {
    const auto* refused = std::get_if<providers::Refused>(&answer);
    if (refused == nullptr) throw std::runtime_error("it was not refused");
    return refused->message;
}

/// Whether `text` has `part`.
inline bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace tests
