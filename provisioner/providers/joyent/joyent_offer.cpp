#include "provisioner/providers/joyent/joyent_cloud.hpp"

namespace provisioner::providers::joyent {
namespace asio = boost::asio;

asio::awaitable<Offer> JoyentCloud::test(const Account& account) {
    Offer offer;
    struct Part {
        const char* path;
        const char* field;
    };
    constexpr std::array parts{Part{"/packages", "flavor"}, Part{"/images?state=active", "image"},
                               Part{"/networks", "network_ids"}};
    for (const Part& part : parts) {
        auto listing = named(account, part.path);
        offer.choices[part.field] = choices_of(co_await std::move(listing));
    }
    auto listing = send(account, "GET", "/fwrules");
    const http_client::Reply rules = co_await std::move(listing);
    if (rules.status == 403) {
        offer.notes.emplace_back("the user may not list firewall rules: switch the firewall off");
    }
    const std::string version = rules.header("api-version");
    if (!version.empty()) offer.notes.push_back("the API speaks version " + version);
    co_return offer;
}

}  // namespace provisioner::providers::joyent
