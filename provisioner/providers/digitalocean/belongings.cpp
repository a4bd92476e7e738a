#include "provisioner/providers/digitalocean/belongings.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "provisioner/base/ids.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/cloud/listings.hpp"
#include "provisioner/providers/cloud/looks.hpp"
#include "provisioner/providers/digitalocean/names.hpp"
#include "provisioner/providers/digitalocean/replies.hpp"
#include "provisioner/providers/digitalocean/requests.hpp"
#include "provisioner/providers/digitalocean/type.hpp"

namespace provisioner::providers::digitalocean {
namespace asio = boost::asio;

namespace {

using base::Json;
using std::chrono::milliseconds;

constexpr auto keys_path = "/v2/account/keys";
constexpr milliseconds soon{1000};
/// Throws a Refusal for an answer that is neither good nor `expected`.
void require_good(const Answer& answer, const Call& call, int expected = 0) {
    if (answer.is_good() || answer.status == expected) return;
    throw cloud::wrong("DigitalOcean: " + call.method + " " + call.path + ": " + answer.message());
}

asio::awaitable<void> done(Api& api, const Account& account, Call call, int expected = 0) {
    auto verb = api.send(account, call);
    const Answer answer = co_await std::move(verb);
    require_good(answer, call, expected);
}

/// Under which it is remembered that a firewall was as it should be.
std::string firewall_key(const Account& account, const std::string& name) {
    return "digitalocean firewall " + cloud::account_key(account) + " " + name;
}

asio::awaitable<void> make_firewall(Api& api, const Account& account, const cloud::Mark& mark,
                                    const Json& body) {
    auto tagged = done(api, account, create_tag(cluster_tag(mark)));
    co_await std::move(tagged);
    Call call;
    call.method = "POST";
    call.path = "/v2/firewalls";
    call.scope = "firewall:create";
    call.body = body;
    auto verb = api.send(account, call);
    const Answer answer = co_await std::move(verb);
    // Another loop or daemon has just made it, for the same cluster.
    require_good(answer, call, 409);
}

asio::awaitable<void> repair_firewall(Api& api, const Account& account, const Json& firewall,
                                      Json body) {
    Call call;
    call.method = "PUT";
    call.path = "/v2/firewalls/" + cloud::percent_encoded(base::text_at(firewall, "id"));
    call.scope = "firewall:update";
    // What people put behind it by hand stays there.
    if (const Json* droplets = base::member(firewall, "droplet_ids")) {
        if (droplets->is_array()) body["droplet_ids"] = *droplets;
    }
    call.body = std::move(body);
    auto verb = api.send(account, call);
    const Answer answer = co_await std::move(verb);
    if (answer.status == 404) throw cloud::NotYet(soon, "the firewall was deleted meanwhile");
    require_good(answer, call);
}

asio::awaitable<void> look_at_firewall(Api& api, const Account& account, const MachineSpec& spec,
                                       milliseconds trusted) {
    const cloud::Mark mark = cloud::cluster_mark_of(account, spec);
    const Json wanted = firewall_body(account, spec);
    const std::string key = firewall_key(account, firewall_name(mark));
    const std::string rules = base::to_text(wanted);
    // Somebody else may have, while this one waited for its turn.
    if (cloud::was_good_lately(api.tools(), key, rules, trusted)) co_return;
    auto verb = api.all(account, "/v2/firewalls", "firewalls", "firewall:read");
    const Json firewalls = co_await std::move(verb);
    const Json* found = with_text(firewalls, "name", firewall_name(mark));
    if (found == nullptr) {
        auto making = make_firewall(api, account, mark, wanted);
        co_await std::move(making);
    } else if (!is_as_wanted(*found, wanted)) {
        auto repairing = repair_firewall(api, account, *found, wanted);
        co_await std::move(repairing);
    }
    cloud::note_good(api.tools(), key, rules);
}

/// The whole list. Empty where the token may not read what the fields do not ask for. They are
/// looked for in any case: a cluster's own fields may have asked for them.
asio::awaitable<Json> listed_if_allowed(Api& api, const Account& account, std::string path,
                                        std::string member, std::string scope, bool is_asked_for) {
    try {
        auto verb = api.all(account, path, std::move(member), std::move(scope));
        Json items = co_await std::move(verb);
        co_return items;
    } catch (const cloud::Refusal& refusal) {
        if (is_asked_for || refusal.refused().worth_retrying) throw;
    }
    co_return Json::array();
}

/// Volumes, or those that `query` ("?name=...") selects.
asio::awaitable<Json> volumes_in(Api& api, const Account& account, std::string query) {
    auto verb = listed_if_allowed(api, account, "/v2/volumes" + query, "volumes",
                                  "block_storage:read", volume_size(account) > 0);
    Json volumes = co_await std::move(verb);
    co_return volumes;
}

asio::awaitable<Json> volumes_named(Api& api, const Account& account, std::string name) {
    const std::string query = "?name=" + cloud::percent_encoded(name);
    auto verb = volumes_in(api, account, query);
    Json volumes = co_await std::move(verb);
    co_return volumes;
}

asio::awaitable<Json> firewalls_in(Api& api, const Account& account) {
    auto verb = listed_if_allowed(api, account, "/v2/firewalls", "firewalls", "firewall:read",
                                  has_firewall(account));
    Json firewalls = co_await std::move(verb);
    co_return firewalls;
}

bool is_attached(const Json& volume) {
    const Json* droplets = base::member(volume, "droplet_ids");
    return droplets != nullptr && droplets->is_array() && !droplets->empty();
}

bool is_in(const Json& volume, const std::string& region) {
    const Json* place = base::member(volume, "region");
    return place != nullptr && base::text_at(*place, "slug") == region;
}

/// "2026-11-22T18:52:35Z", as the API writes times.
std::string written(base::Timestamp moment) {
    std::string text = base::to_sql(moment).substr(0, 19);
    text[10] = 'T';
    return text + "Z";
}

}  // namespace

asio::awaitable<void> keep_firewall(Api& api, const Account& account, const MachineSpec& spec,
                                    milliseconds trusted) {
    if (!has_firewall(account)) co_return;
    const std::string key =
        firewall_key(account, firewall_name(cloud::cluster_mark_of(account, spec)));
    const std::string rules = base::to_text(firewall_body(account, spec));
    if (cloud::was_good_lately(api.tools(), key, rules, trusted)) co_return;
    cloud::Listings* shared = co_await cloud::Listings::here();
    const auto copy = std::make_shared<const std::pair<Account, MachineSpec>>(account, spec);
    cloud::Listings::Work work = [&api, copy, trusted]() -> asio::awaitable<void> {
        return look_at_firewall(api, copy->first, copy->second, trusted);
    };
    auto turn = shared->share(key, std::move(work));
    co_await std::move(turn);
}

asio::awaitable<void> drop_firewall(Api& api, const Account& account, const cloud::Mark& mark) {
    cloud::forget_look(api.tools(), firewall_key(account, firewall_name(mark)));
    auto verb = firewalls_in(api, account);
    const Json firewalls = co_await std::move(verb);
    if (const Json* found = with_text(firewalls, "name", firewall_name(mark))) {
        Call call;
        call.method = "DELETE";
        call.path = "/v2/firewalls/" + cloud::percent_encoded(base::text_at(*found, "id"));
        call.scope = "firewall:delete";
        auto dropping = done(api, account, std::move(call), 404);
        co_await std::move(dropping);
    }
    auto untagging = done(api, account, delete_tag(cluster_tag(mark)), 404);
    co_await std::move(untagging);
}

asio::awaitable<std::string> keep_volume(Api& api, const Account& account, const cloud::Mark& mark,
                                         const std::string& region) {
    if (volume_size(account) == 0) co_return std::string();
    auto looking = volumes_named(api, account, volume_name(mark));
    const Json volumes = co_await std::move(looking);
    for (const Json& volume : volumes) {
        if (!is_in(volume, region)) continue;
        if (is_attached(volume)) {
            throw cloud::NotYet(soon, "the data disk is attached to an earlier machine");
        }
        co_return base::text_at(volume, "id");
    }
    Call call = create_volume(account, mark, region);
    auto verb = api.send(account, call);
    const Answer answer = co_await std::move(verb);
    if (answer.status == 409) throw cloud::NotYet(soon, "the data disk is made elsewhere");
    require_good(answer, call);
    const Json* volume = base::member(answer.body, "volume");
    if (volume == nullptr) throw cloud::Lost("the provider's answer has no volume");
    co_return base::text_at(*volume, "id");
}

asio::awaitable<std::vector<std::string>> drop_volumes(Api& api, const Account& account,
                                                       const cloud::Mark& mark) {
    std::vector<std::string> left;
    auto looking = volumes_named(api, account, volume_name(mark));
    const Json volumes = co_await std::move(looking);
    for (const Json& volume : volumes) {
        Call call;
        call.method = "DELETE";
        call.path = "/v2/volumes/" + cloud::percent_encoded(base::text_at(volume, "id"));
        call.scope = "block_storage:delete";
        auto verb = api.send(account, call);
        const Answer answer = co_await std::move(verb);
        if (answer.is_good() || answer.status == 404) continue;
        left.push_back("the data disk " + base::text_at(volume, "name") +
                       " is still there: " + answer.message());
    }
    co_return left;
}

asio::awaitable<std::int64_t> key_named(Api& api, const Account& account, const std::string& name) {
    for (int reading = 0; reading < 2; ++reading) {
        auto verb = api.all_lately(account, keys_path, "ssh_keys", "ssh_key:read");
        const Json keys = co_await std::move(verb);
        for (const Json& key : keys) {
            const Json* id = base::member(key, "id");
            if (id == nullptr || !id->is_number_integer()) continue;
            if (base::text_at(key, "name") == name || base::text_at(key, "fingerprint") == name ||
                base::to_text(*id) == name) {
                co_return id->get<std::int64_t>();
            }
        }
        if (reading == 1) {
            throw cloud::wrong("ssh_keypair: " +
                               cloud::unknown_name("SSH key", name, texts_of(keys, "name")));
        }
        // It may have been added since.
        api.forget(account, keys_path);
    }
    throw std::logic_error("unreachable");
}

asio::awaitable<void> put_tags_on(Api& api, const Account& account,
                                  std::vector<cloud::CloudMachine>& machines) {
    std::map<std::string, std::vector<std::string>> missing;
    for (cloud::CloudMachine& machine : machines) {
        if (machine.state != cloud::CloudMachine::State::running) continue;
        if (machine.mark.cluster.empty()) continue;
        const auto tags = base::strings_of(base::member(machine.details, "tags"));
        for (const std::string& tag :
             {installation_tag(machine.mark.installation), cluster_tag(machine.mark)}) {
            if (std::find(tags.begin(), tags.end(), tag) != tags.end()) continue;
            missing[tag].push_back(machine.id);
            machine.state = cloud::CloudMachine::State::starting;
            machine.reason = "its tags are being put on";
        }
    }
    for (const auto& [tag, ids] : missing) {
        auto making = done(api, account, create_tag(tag));
        co_await std::move(making);
        // A droplet that went meanwhile is a 404; the next listing tells.
        auto putting = done(api, account, tag_droplets(tag, ids), 404);
        co_await std::move(putting);
    }
}

asio::awaitable<std::vector<cloud::Leftover>> belongings_left(
    Api& api, const Account& account, const std::vector<cloud::CloudMachine>& machines) {
    std::vector<cloud::Leftover> left;
    const std::string ours = short_installation(account.installation);
    const auto add = [&](const Json& item, const char* kind) {
        auto mark = mark_of_belonging(base::text_at(item, "name"));
        if (!mark || mark->installation != ours) return;
        const bool is_needed = std::any_of(machines.begin(), machines.end(), [&](const auto& one) {
            return mark->name.empty() ? one.mark.cluster == mark->cluster
                                      : one.mark.name == mark->name;
        });
        if (is_needed) return;
        mark->installation = account.installation;
        left.push_back({.id = base::text_at(item, "id"),
                        .kind = kind,
                        .mark = *mark,
                        .size_gb = cloud::gigabytes_in(item, "size_gigabytes")});
    };
    auto reading = volumes_in(api, account, "");
    const Json volumes = co_await std::move(reading);
    for (const Json& volume : volumes) add(volume, "disk");
    auto verb = firewalls_in(api, account);
    const Json firewalls = co_await std::move(verb);
    const std::string before = written(api.tools().calls.now() - std::chrono::hours{1});
    for (const Json& firewall : firewalls) {
        if (base::text_at(firewall, "created_at") < before) add(firewall, "firewall");
    }
    co_return left;
}

}  // namespace provisioner::providers::digitalocean
