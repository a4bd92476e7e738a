#include "tests/integration/provisioner/providers/digitalocean/fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>

#include "provisioner/providers/digitalocean/digitalocean_cloud.hpp"

namespace tests {

using namespace provisioner;
using base::Json;

DigitalOceanSite::DigitalOceanSite()
    : site({"tests/support/clouds/digitalocean_stand_in.py"}, [](providers::cloud::Tools tools) {
          return std::make_unique<providers::digitalocean::DigitalOceanCloud>(tools);
      }) {
    Json fields = Json::object();
    fields["api_password"] = "dop_v1_good";
    fields["digitalocean_region"] = "nyc3";
    fields["api_endpoint"] = site.url();
    fields["calls_per_second"] = "1000";
    fields["creations_per_second"] = "1000";
    account = site.account("digitalocean", fields);
    for (const char* time : {"boot_seconds", "destroy_seconds", "tag_seconds"}) set(time, 0.3);
    set("address_seconds", 0.2);
    set("burst_limit", 100'000);
}

DigitalOceanSite::~DigitalOceanSite() {
    try {
        leave_nothing();
    } catch (const std::exception& error) {
        BOOST_ERROR(error.what());
    }
    const Json calls = site.calls();
    BOOST_TEST(calls["refused"] == Json::array());
    BOOST_TEST(calls["wrong_answers"] == Json::array());
    if (base::text_at(calls, "schema").empty()) {
        BOOST_TEST_MESSAGE("DigitalOcean's document does not lie here: nothing was judged by it");
    }
}

std::vector<providers::SeenMachine> DigitalOceanSite::all_machines() {
    for (int tries = 0; tries < 100; ++tries) {
        try {
            return site.answer(site.provider().machines(account));
        } catch (const providers::cloud::NotYet&) {
            // A test used up what the account allows.
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{100});
    }
    throw std::runtime_error("the machines are not listed");
}

void DigitalOceanSite::leave_nothing() {
    account.fields["api_password"] = "dop_v1_good";
    Json tokens = Json::object();
    tokens["dop_v1_good"] = Json::array({"*"});
    set("tokens", tokens);
    set("burst_limit", 100'000);
    set("hour_limit", 100'000);
    const auto clear = [&](const std::string& name, const std::string& id) {
        providers::MachineSpec gone;
        gone.name = name;
        gone.cluster = name.substr(0, name.find('-'));
        take_away(gone, id);
    };
    for (const auto& machine : all_machines()) {
        if (machine.name.find('-') != std::string::npos) clear(machine.name, machine.id);
    }
    // What a creation that was refused left behind goes with the cluster.
    const std::string ours = "cooperage-01234567-";
    const Json left = site.state();
    for (const Json& firewall : left["firewalls"]) {
        const std::string name = base::text_at(firewall, "name");
        if (name.starts_with(ours)) clear(name.substr(ours.size()) + "-9999", "");
    }
    const Json state = site.state();
    for (const char* kind : {"droplets", "firewalls", "volumes"}) {
        for (const Json& item : state[kind]) {
            BOOST_TEST(!base::text_at(item, "name").starts_with(ours), kind << " are left");
        }
    }
}

providers::MachineSpec DigitalOceanSite::spec(int number, long long task) {
    auto spec = CloudSite::spec(number, task);
    spec.flavor = "s-1vcpu-1gb";
    spec.image = "debian-12-x64";
    return spec;
}

std::string DigitalOceanSite::made(const providers::MachineSpec& spec) {
    return site.made(account, spec).id;
}

std::string DigitalOceanSite::refusal(const providers::MachineSpec& spec) {
    return site.refusal(account, spec);
}

Json DigitalOceanSite::results_of(const std::string& id) {
    return CloudSite::results_of(id);
}

void DigitalOceanSite::take_away(const providers::MachineSpec& spec, const std::string& id) {
    site.gone(account, spec, id);
}

void DigitalOceanSite::set(const char* setting, const Json& value) {
    Json settings = Json::object();
    settings[setting] = value;
    site.control("POST", "/-/settings", base::to_text(settings));
}

int DigitalOceanSite::calls_of(const char* operation) {
    return site.calls_of(operation);
}

std::size_t DigitalOceanSite::count(const char* kind) {
    return site.state()[kind].size();
}

bool says(std::string_view text, std::string_view words) {
    return text.find(words) != std::string_view::npos;
}

}  // namespace tests
