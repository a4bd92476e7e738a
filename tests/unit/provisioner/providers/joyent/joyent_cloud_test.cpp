#include "provisioner/providers/joyent/joyent_cloud.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/cloud/http_site.hpp"

using namespace tests;
using namespace std::chrono_literals;
using base::Json;
using providers::joyent::JoyentCloud;

BOOST_AUTO_TEST_SUITE(joyent_cloud)

namespace {

/// The machines and rules of an account.
struct DataCentre {
    http_client::Reply reply(const http_client::Request& request) {
        if (request.url.find("/fwrules") != std::string::npos) return rule_reply(request);
        const auto number = [&](const std::string& name) {
            return std::stoul(request.url.substr(request.url.find(name + "=") + name.size() + 1));
        };
        Json page = Json::array();
        for (std::size_t i = number("offset"); i < machines.size() && page.size() < limit; ++i) {
            page.push_back({{"id", machines[i]},
                            {"state", "running"},
                            {"tags", {{"cooperage-installation", installation}}}});
        }
        http_client::Reply reply = json_reply(200, page);
        // CloudAPI counts the machines of the page (lib/machines.js of sdc-cloudapi).
        reply.headers = {{"x-query-limit", std::to_string(limit)},
                         {"x-resource-count", std::to_string(page.size())}};
        if (after_page) after_page(*this);
        return reply;
    }
    http_client::Reply rule_reply(const http_client::Request& request) {
        if (request.method == "GET") {
            Json all = Json::array();
            for (const auto& [id, rule] : rules) all.push_back(rule);
            return json_reply(200, all);
        }
        if (request.method == "DELETE") {
            rules.erase(request.url.substr(request.url.rfind('/') + 1));
            return reply_with(204, "");
        }
        Json rule = *base::parse_json(request.body);
        const std::string id = "rule-" + std::to_string(++made);
        rule["id"] = id;
        rules[id] = rule;
        return json_reply(201, rule);
    }

    std::string installation;
    std::vector<std::string> machines;
    std::size_t limit = 2;
    std::function<void(DataCentre&)> after_page;
    std::map<std::string, Json> rules;
    int made = 0;
};

struct Daemons {
    Daemons() {
        account.provider_type = "joyent";
        account.fields = {
            {"api_user", "joe"}, {"api_password", "p"}, {"joyent_api_url", "https://eu-1.example"}};
        centre.installation = account.installation;
        client.answer = [this](const http_client::Request& request) {
            return centre.reply(request);
        };
    }
    std::vector<std::string> listed() {
        // The account's calls are not used up.
        clock.moment += 1min;
        std::vector<std::string> ids;
        for (const auto& machine : run(one.list(account))) ids.push_back(machine.id);
        return ids;
    }
    void complete(JoyentCloud& daemon) {
        const CloudMachine machine;
        run([&]() -> awaitable<int> {
            co_await daemon.complete(account, spec, machine);
            co_return 0;
        }());
    }
    void release_cluster(JoyentCloud& daemon) {
        const Mark mark = providers::cloud::cluster_mark_of(account, spec);
        run(daemon.release_cluster(account, mark));
    }
    int looks() const { return client.count("GET", "/fwrules"); }

    DataCentre centre;
    providers::Account account = an_account();
    providers::MachineSpec spec = a_spec();
    SetClock clock;
    AnsweringClient client;
    CloudTools tools_of_one{client, clock};
    CloudTools tools_of_other{client, clock};
    JoyentCloud one{tools_of_one};
    JoyentCloud other{tools_of_other};
};

using Ids = std::vector<std::string>;

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_machine_is_not_missed_when_another_goes_between_two_pages, Daemons) {
    for (const std::size_t gone : {std::size_t{0}, std::size_t{1}}) {
        centre.machines = {"m1", "m2", "m3", "m4", "m5"};
        centre.after_page = [&](DataCentre& there) {
            there.machines.erase(there.machines.begin() + static_cast<long>(gone));
            there.after_page = nullptr;
        };
        BOOST_TEST(
            listed() == (gone == 0 ? Ids{"m2", "m3", "m4", "m5"} : Ids{"m1", "m3", "m4", "m5"}),
            boost::test_tools::per_element());
    }
}

BOOST_FIXTURE_TEST_CASE(a_machine_is_not_missed_when_all_of_the_first_page_go, Daemons) {
    centre.machines = {"m1", "m2", "m3"};
    centre.after_page = [](DataCentre& there) {
        there.machines = {"m3"};
        there.after_page = nullptr;
    };
    BOOST_TEST(listed() == Ids{"m3"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_machine_that_comes_between_two_pages_doubles_no_other, Daemons) {
    centre.machines = {"m1", "m2", "m3", "m4"};
    centre.after_page = [](DataCentre& there) {
        there.machines.insert(there.machines.begin(), "m0");
        there.after_page = nullptr;
    };
    BOOST_TEST(listed() == (Ids{"m1", "m2", "m3", "m4"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(pages_of_every_size_are_read_to_their_end, Daemons) {
    for (std::size_t count = 0; count < 8; ++count) {
        centre.machines.clear();
        for (std::size_t i = 0; i < count; ++i) {
            centre.machines.push_back("m" + std::to_string(i));
        }
        for (centre.limit = 1; centre.limit < 5; ++centre.limit) {
            BOOST_TEST(listed() == centre.machines, boost::test_tools::per_element());
        }
    }
}

BOOST_FIXTURE_TEST_CASE(a_list_that_never_stands_still_is_read_again_later, Daemons) {
    for (int number = 0; number < 100; ++number) {
        centre.machines.push_back("m" + std::to_string(number));
    }
    centre.after_page = [](DataCentre& there) { there.machines.erase(there.machines.begin()); };
    BOOST_CHECK_EXCEPTION(
        listed(), providers::cloud::NotYet, [](const providers::cloud::NotYet& wait) {
            return std::string(wait.what()) == "the list of machines changes while it is read";
        });
}

BOOST_FIXTURE_TEST_CASE(rules_that_another_daemon_deleted_are_made_before_the_login, Daemons) {
    complete(one);
    const std::size_t wanted = centre.rules.size();
    BOOST_TEST(wanted > 0U);
    release_cluster(other);
    BOOST_TEST(centre.rules.empty());

    clock.moment += 5s;
    complete(one);

    BOOST_TEST(centre.rules.size() == wanted);
}

BOOST_FIXTURE_TEST_CASE(rules_are_looked_at_every_5_s_by_machines_that_wait_for_their_login,
                        Daemons) {
    complete(one);
    clock.moment += 4s;
    complete(one);
    BOOST_TEST(looks() == 1);
    clock.moment += 1s;
    complete(one);
    BOOST_TEST(looks() == 2);
    release_cluster(one);
    complete(one);
    BOOST_TEST(!centre.rules.empty());
}

BOOST_FIXTURE_TEST_CASE(who_wants_no_rules_is_not_asked_for_them, Daemons) {
    account.fields["joyent_firewall"] = "false";
    complete(one);
    BOOST_TEST(looks() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
