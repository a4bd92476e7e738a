#include "provisioner/providers/cloudstack/cloudstack_cloud.hpp"

namespace provisioner::providers::cloudstack {
namespace asio = boost::asio;

asio::awaitable<std::vector<Choice>> CloudStackCloud::choices(const Account& account,
                                                              std::string command, Params params,
                                                              std::string member) {
    auto asking = api_.send(account, std::move(command), std::move(params));
    const http_client::Reply reply = co_await std::move(asking);
    const int code = trouble_in(reply).code;
    if (code == 431 || code == 432) co_return std::vector<Choice>{};
    co_return choices_of(named_in(answer_in(reply, api_.now()), member));
}

asio::awaitable<Offer> CloudStackCloud::test(const Account& account) {
    struct Part {
        const char* field;
        const char* command;
        const char* member;
    };
    constexpr std::array parts{Part{"availability_zone", "listZones", "zone"},
                               Part{"flavor", "listServiceOfferings", "serviceoffering"},
                               Part{"image", "listTemplates", "template"},
                               Part{"network_ids", "listNetworks", "network"},
                               Part{"security_groups", "listSecurityGroups", "securitygroup"},
                               Part{"ssh_keypair", "listSSHKeyPairs", "sshkeypair"}};
    Offer offer;
    for (const Part& part : parts) {
        Params params;
        if (std::string_view(part.field) == "image") params["templatefilter"] = "executable";
        auto listing = choices(account, part.command, std::move(params), part.member);
        offer.choices[part.field] = co_await std::move(listing);
    }
    auto asking = api_.ask(account, "listCapabilities", Params{});
    const base::Json answer = co_await std::move(asking);
    const base::Json* capability = base::member(answer, "capability");
    if (capability == nullptr) co_return offer;
    const std::string version = base::text_at(*capability, "cloudstackversion");
    if (!version.empty()) offer.notes.push_back("CloudStack " + version);
    const base::Json* may_expunge = base::member(*capability, "allowuserexpungerecovervm");
    if (may_expunge != nullptr && *may_expunge == false) {
        offer.notes.emplace_back(
            "users may not expunge machines here: destroyed ones stay until the cloud expunges "
            "them");
    }
    co_return offer;
}

}  // namespace provisioner::providers::cloudstack
