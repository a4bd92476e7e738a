#include "provisioner/providers/cloudstack/static_nat.hpp"

#include <algorithm>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "provisioner/providers/cloud/firewall.hpp"

namespace provisioner::providers::cloudstack {
namespace asio = boost::asio;

namespace {

constexpr std::string_view tag_address = "cooperage-address";
constexpr std::string_view fetched = "fetched";
constexpr std::string_view found_unused = "found";
constexpr std::chrono::seconds next_step{1};
/// How often and how soon the end of a job of the database alone is looked for.
constexpr int most_looks = 10;
constexpr std::chrono::milliseconds between_looks{100};
/// The range of ports is in use already: the rule exists.
constexpr int rule_conflict = 537;

bool is_true(const base::Json& json, std::string_view member) {
    const base::Json* value = base::member(json, member);
    return value != nullptr && *value == true;
}

std::map<std::string, std::string> address_tags(const cloud::Mark& mark, std::string_view origin) {
    auto tags = cloud::tags_of(mark);
    tags[std::string(tag_address)] = origin;
    return tags;
}

}  // namespace

bool has_mark(const base::Json& address, const cloud::Mark& mark) {
    const cloud::Mark own = cloud::mark_in(tags_in(address));
    return own.installation == mark.installation && (mark.name.empty() || own.name == mark.name);
}

bool is_unused(const base::Json& address) {
    return base::text_at(address, "state") == "Allocated" && !is_true(address, "issourcenat") &&
           !is_true(address, "isstaticnat") && !is_true(address, "issystem") &&
           !is_true(address, "hasrules") && base::text_at(address, "virtualmachineid").empty() &&
           tags_in(address).empty();
}

asio::awaitable<std::vector<base::Json>> StaticNat::marked(const Account& account,
                                                           const cloud::Mark& mark) {
    auto listing = api_.list(account, "listPublicIpAddresses", tag_filter(mark), "publicipaddress");
    std::vector<base::Json> found = co_await std::move(listing);
    std::erase_if(found, [&](const base::Json& address) { return !has_mark(address, mark); });
    co_return found;
}

asio::awaitable<std::string> StaticNat::reserve(const Account& account, const cloud::Mark& mark,
                                                const std::string& network) {
    Params filter{{"associatednetworkid", network}};
    auto listing =
        api_.list(account, "listPublicIpAddresses", std::move(filter), "publicipaddress");
    const std::vector<base::Json> all = co_await std::move(listing);
    const auto unused = std::find_if(all.begin(), all.end(), is_unused);
    std::string id = unused == all.end() ? "" : word_at(*unused, "id");
    const std::string_view origin = id.empty() ? fetched : found_unused;
    if (id.empty()) {
        auto fetching = fetch(account, network);
        id = co_await std::move(fetching);
    }
    auto marking =
        api_.ask(account, "createTags", tagging("PublicIpAddress", id, address_tags(mark, origin)));
    co_await std::move(marking);
    co_return id;
}

asio::awaitable<std::string> StaticNat::fetch(const Account& account, const std::string& network) {
    Params params{{"networkid", network}};
    auto fetching = api_.ask(account, "associateIpAddress", std::move(params));
    std::string id = word_at(co_await std::move(fetching), "id");
    try {
        auto clearing = clear_tags(account, id);
        co_await std::move(clearing);
    } catch (const std::runtime_error&) {
        // Most addresses have none, and without tags of ours it is taken again as an unused one.
    }
    co_return id;
}

// Up to 4.17.0 a released address keeps its tags, and a tag that is there cannot be set again. Jobs
// may overtake each other, so this one is waited for; it fails where there were no tags.
asio::awaitable<void> StaticNat::clear_tags(const Account& account, const std::string& id) {
    auto clearing = api_.ask(account, "deleteTags", tagging("PublicIpAddress", id, {}));
    const std::string job = word_at(co_await std::move(clearing), "jobid");
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (int look = 0; look < most_looks; ++look) {
        timer.expires_after(between_looks);
        co_await timer.async_wait(asio::use_awaitable);
        Params params{{"jobid", job}};
        auto asking = api_.ask(account, "queryAsyncJobResult", std::move(params));
        const base::Json answer = co_await std::move(asking);
        if (word_at(answer, "jobstatus") != "0") co_return;
    }
}

asio::awaitable<void> StaticNat::attach(const Account& account, const MachineSpec& spec,
                                        const cloud::CloudMachine& machine) {
    auto looking = marked(account, machine.mark);
    const std::vector<base::Json> own = co_await std::move(looking);
    if (own.empty()) {
        const std::string network = base::text_at(machine.details, "network");
        auto reserving = reserve(account, machine.mark, network);
        co_await std::move(reserving);
        throw cloud::NotYet(next_step, "a public address is fetched");
    }
    const std::string id = word_at(own.front(), "id");
    if (base::text_at(own.front(), "state") != "Allocated") {
        throw cloud::NotYet(next_step, "a public address is fetched");
    }
    auto opening = open_ports(account, spec, id);
    co_await std::move(opening);
    Params params{{"ipaddressid", id}, {"virtualmachineid", machine.id}};
    auto enabling = api_.ask(account, "enableStaticNat", std::move(params));
    co_await std::move(enabling);
    throw cloud::NotYet(next_step, "the machine gets its public address");
}

// The rules exist beside the NAT and go with the address. The firewall of these networks is IPv4's.
asio::awaitable<void> StaticNat::open_ports(const Account& account, const MachineSpec& spec,
                                            const std::string& address) {
    const std::vector<cloud::FirewallRule> wanted = cloud::wanted_rules(account, spec);
    for (const cloud::FirewallRule& rule : wanted) {
        if (rule.range.find(':') != std::string::npos) continue;
        Params params{{"ipaddressid", address},
                      {"protocol", rule.protocol},
                      {"startport", std::to_string(rule.first_port)},
                      {"endport", std::to_string(rule.last_port)},
                      {"cidrlist", rule.range}};
        auto making = api_.send(account, "createFirewallRule", std::move(params));
        const http_client::Reply reply = co_await std::move(making);
        if (trouble_in(reply).code == rule_conflict) continue;
        answer_in(reply, api_.now());
    }
}

asio::awaitable<void> StaticNat::close_ports(const Account& account, const std::string& address) {
    Params filter{{"ipaddressid", address}};
    auto listing = api_.list(account, "listFirewallRules", std::move(filter), "firewallrule");
    const std::vector<base::Json> rules = co_await std::move(listing);
    for (const base::Json& rule : rules) {
        Params params{{"id", word_at(rule, "id")}};
        auto deleting = api_.ask(account, "deleteFirewallRule", std::move(params));
        co_await std::move(deleting);
    }
}

asio::awaitable<void> StaticNat::release(const Account& account, const cloud::Mark& mark) {
    auto looking = marked(account, mark);
    const std::vector<base::Json> own = co_await std::move(looking);
    for (const base::Json& address : own) {
        const std::string id = word_at(address, "id");
        auto tags = tags_in(address);
        if (tags[std::string(tag_address)] == fetched) {
            Params params{{"id", id}};
            auto releasing = api_.ask(account, "disassociateIpAddress", std::move(params));
            co_await std::move(releasing);
            continue;
        }
        auto closing = close_ports(account, id);
        co_await std::move(closing);
        if (is_true(address, "isstaticnat")) {
            Params params{{"ipaddressid", id}};
            auto disabling = api_.ask(account, "disableStaticNat", std::move(params));
            co_await std::move(disabling);
        }
        auto untagging = api_.ask(account, "deleteTags", tagging("PublicIpAddress", id, tags));
        co_await std::move(untagging);
    }
}

asio::awaitable<std::vector<cloud::Leftover>> StaticNat::leftovers(
    const Account& account, const std::vector<cloud::CloudMachine>& machines) {
    cloud::Mark all;
    all.installation = account.installation;
    auto looking = marked(account, all);
    const std::vector<base::Json> addresses = co_await std::move(looking);
    std::vector<cloud::Leftover> left;
    for (const base::Json& address : addresses) {
        cloud::Leftover leftover{.id = base::text_at(address, "ipaddress"), .kind = "address"};
        leftover.mark = cloud::mark_in(tags_in(address));
        const bool has_machine =
            std::any_of(machines.begin(), machines.end(), [&](const auto& machine) {
                return machine.mark.name == leftover.mark.name &&
                       machine.state != cloud::CloudMachine::State::gone;
            });
        if (!has_machine) left.push_back(std::move(leftover));
    }
    co_return left;
}

}  // namespace provisioner::providers::cloudstack
