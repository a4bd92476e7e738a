#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/openstack/site.hpp"

BOOST_AUTO_TEST_SUITE(accidents)

using namespace provisioner;
using namespace provisioner::providers;
using tests::OpenStackSite;
using tests::results_of;

/// Every answer is a machine in the end, and there is one server with one port.
void makes_exactly_one(OpenStackSite& site, const Account& account) {
    const Created created = site.make(account, site.spec());

    BOOST_REQUIRE(std::holds_alternative<Machine>(created));
    BOOST_TEST(site.count("servers") == 1U);
    BOOST_TEST(site.count("ports") == 1U);
    const auto results = results_of(std::get<Machine>(created));
    BOOST_TEST(std::holds_alternative<Reachable>(site.confirm(account, site.spec(), results)));
    BOOST_TEST(std::holds_alternative<Gone>(site.take_away(account, site.spec(), results)));
    BOOST_TEST(site.left() == "");
    BOOST_TEST(site.misfits() == "");
}

BOOST_AUTO_TEST_CASE(a_lost_reply_never_costs_a_second_machine_port_address_or_group) {
    for (const char* operation :
         {"compute.create_server", "network.create_port", "network.create_address",
          "network.create_group", "network.create_rule", "compute.create_server_group"}) {
        BOOST_TEST_CONTEXT(operation) {
            OpenStackSite site;
            site.fault({{"operation", operation}, {"kind", "lost_reply"}});

            makes_exactly_one(
                site, site.account({{"floating_ip", "true"}, {"anti_affinity", "anti-affinity"}}));

            BOOST_TEST(site.calls().at("faults").value("lost_reply", 0) == 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_cut_off_is_a_lost_one) {
    for (const char* operation : {"compute.create_server", "compute.list_servers",
                                  "identity.log_in", "network.list_networks"}) {
        BOOST_TEST_CONTEXT(operation) {
            OpenStackSite site;
            site.fault({{"operation", operation}, {"kind", "truncated"}});

            makes_exactly_one(site, site.account({{"security_groups", "default"}}));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_cloud_that_asks_to_slow_down_is_asked_later) {
    OpenStackSite site;
    site.fault({{"operation", "compute.create_server"},
                {"kind", "throttle"},
                {"status", 413},
                {"seconds", 1}});
    site.fault({{"operation", "network.create_port"}, {"kind", "throttle"}, {"seconds", 1}});

    makes_exactly_one(site, site.account({{"security_groups", "default"}}));

    BOOST_TEST(site.calls().at("faults").value("throttle", 0) == 2);
}

BOOST_AUTO_TEST_CASE(an_error_of_the_cloud_is_not_taken_for_an_answer) {
    OpenStackSite site;
    site.fault(
        {{"operation", "compute.create_server"},
         {"kind", "error"},
         {"status", 500},
         {"body", {{"computeFault", {{"code", 500}, {"message", "Unexpected API Error."}}}}}});
    site.fault({{"operation", "compute.list_servers"}, {"kind", "error"}, {"status", 503}});

    makes_exactly_one(site, site.account({{"security_groups", "default"}}));
}

BOOST_AUTO_TEST_CASE(a_machine_that_a_killed_daemon_made_is_found_again) {
    OpenStackSite site;
    const Account account = site.account({{"security_groups", "default"}});
    const Created first = site.make(account, site.spec());

    const Created again = site.make(account, site.spec());

    BOOST_REQUIRE(std::holds_alternative<Machine>(again));
    BOOST_TEST(std::get<Machine>(again).id == std::get<Machine>(first).id);
    BOOST_TEST(site.calls_of("compute.create_server") == 1);
}

BOOST_AUTO_TEST_CASE(a_machine_made_for_a_later_task_is_left_alone) {
    OpenStackSite site;
    const Account account = site.account({{"security_groups", "default"}});
    const Created created = site.make(account, site.spec(1001, 20));
    BOOST_REQUIRE(std::holds_alternative<Machine>(created));

    const Destroyed destroyed =
        site.take_away(account, site.spec(1001, 10), results_of(std::get<Machine>(created)));

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(site.count("servers") == 1U);
    BOOST_TEST(site.count("ports") == 1U);
}

BOOST_AUTO_TEST_CASE(a_deletion_that_fails_is_begun_again) {
    OpenStackSite site;
    site.settings({{"delete_fails", 2}});

    makes_exactly_one(site, site.account({{"security_groups", "default"}}));
}

BOOST_AUTO_TEST_CASE(a_machine_that_somebody_else_deleted_is_gone_and_its_parts_are_released) {
    OpenStackSite site;
    const Account account = site.account({{"floating_ip", "true"}});
    const Created created = site.make(account, site.spec());
    BOOST_REQUIRE(std::holds_alternative<Machine>(created));
    const auto results = results_of(std::get<Machine>(created));
    site.stand_in("vanish", {{"name", "web1001.example.org"}});

    auto late = site.spec();
    const Destroyed destroyed = site.take_away(account, late, results);

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(site.left() == "");
}

BOOST_AUTO_TEST_CASE(what_a_machine_left_behind_is_listed_under_its_name) {
    OpenStackSite site;
    const Account account = site.account({{"floating_ip", "true"}});
    const Created created = site.make(account, site.spec());
    BOOST_REQUIRE(std::holds_alternative<Machine>(created));
    BOOST_TEST(site.answer(site.provider().machines(account)).size() == 1U);
    site.stand_in("vanish", {{"name", "web1001.example.org"}});

    const auto seen = site.answer(site.provider().machines(account));

    // A port, an address, and the group of the cluster.
    BOOST_TEST(seen.size() == 3U);
    BOOST_TEST(seen.at(0).name == "00000001-1001");
    const Destroyed destroyed = site.take_away(account, site.spec(), {});
    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(site.left() == "");
}

BOOST_AUTO_TEST_CASE(two_machines_of_a_cluster_that_begin_together_share_one_group) {
    OpenStackSite site;
    const Account account = site.account();
    // Both look before either has made the group.
    site.fault(
        {{"operation", "network.create_group"}, {"kind", "delay"}, {"count", 2}, {"seconds", 0.3}});
    const std::vector<MachineSpec> specs{site.spec(1001), site.spec(1002)};
    std::vector<std::optional<Created>> answers(specs.size());
    boost::asio::io_context loop;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        boost::asio::co_spawn(loop, site.provider().create(account, specs[i]),
                              [&answers, i](const std::exception_ptr&, Created created) {
                                  answers[i] = std::move(created);
                              });
    }
    loop.run();
    BOOST_TEST(site.count("groups") == 2U);

    const Created first = site.make(account, site.spec(1001));
    const Created second = site.make(account, site.spec(1002));

    BOOST_TEST(std::holds_alternative<Machine>(first));
    BOOST_TEST(std::holds_alternative<Machine>(second));
    BOOST_TEST(site.count("groups") == 1U);
}

BOOST_AUTO_TEST_CASE(a_group_that_goes_while_a_machine_begins_is_made_again) {
    for (const char* operation : {"network.create_port", "network.create_rule"}) {
        BOOST_TEST_CONTEXT(operation) {
            OpenStackSite site;
            site.fault({{"operation", operation}, {"kind", "before"}, {"what", "forget_groups"}});

            makes_exactly_one(site, site.account());

            BOOST_TEST(site.calls().at("faults").value("before", 0) == 1);
            BOOST_TEST(site.calls_of("network.create_group") == 2);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_group_of_nova_that_goes_while_a_machine_begins_is_made_again) {
    OpenStackSite site;
    site.stand_in("hide_networks", {});
    site.fault(
        {{"operation", "compute.create_server"}, {"kind", "before"}, {"what", "forget_groups"}});

    const Created created = site.make(site.account(), site.spec());

    BOOST_TEST(std::holds_alternative<Machine>(created));
    BOOST_TEST(site.calls_of("network.create_group") == 2);
}

BOOST_AUTO_TEST_CASE(groups_of_others_stay_as_they_are_where_the_filter_is_ignored) {
    OpenStackSite site;
    site.settings({{"ignores_filters", true}});
    site.stand_in("group", {{"name", "theirs"}, {"description", "mine"}});
    const Account account = site.account();

    const Created created = site.make(account, site.spec());
    BOOST_REQUIRE(std::holds_alternative<Machine>(created));
    const auto results = results_of(std::get<Machine>(created));
    const auto with_machine = site.state();
    const Destroyed destroyed = site.take_away(account, site.spec(), results);

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(with_machine.at("groups").size() == 2U);
    const auto left = site.state().at("groups");
    BOOST_REQUIRE(left.size() == 1U);
    BOOST_TEST(left[0].at("name") == "theirs");
}

BOOST_AUTO_TEST_CASE(a_server_that_goes_between_two_pages_is_no_refusal) {
    OpenStackSite site;
    site.settings({{"page", 1}});
    const Account account = site.account({{"security_groups", "default"}});
    for (const int number : {1001, 1002}) {
        BOOST_REQUIRE(std::holds_alternative<Machine>(site.make(account, site.spec(number))));
    }
    site.fault({{"operation", "compute.list_servers"},
                {"kind", "before"},
                {"after", 1},
                {"what", "vanish"},
                {"arguments", {{"name", "web1001.example.org"}}}});

    BOOST_CHECK_THROW(site.answer(site.provider().machines(account)), cloud::Lost);

    BOOST_TEST(site.calls().at("faults").value("before", 0) == 1);
}

BOOST_AUTO_TEST_CASE(a_volume_that_cannot_be_marked_keeps_no_machine_alive) {
    for (const int status : {400, 403}) {
        BOOST_TEST_CONTEXT(status) {
            OpenStackSite site;
            const Account account = site.account({{"boot_volume_size", 20}});
            const Created created = site.make(account, site.spec());
            BOOST_REQUIRE(std::holds_alternative<Machine>(created));
            const auto results = results_of(std::get<Machine>(created));
            site.confirm(account, site.spec(), results);
            site.fault({{"operation", "volume.mark_volume"},
                        {"kind", "error"},
                        {"status", status},
                        {"count", 1000},
                        {"body", {{"forbidden", {{"message", "maintenance"}}}}}});

            const Destroyed destroyed = site.take_away(account, site.spec(), results);

            BOOST_TEST(std::holds_alternative<Gone>(destroyed));
            BOOST_TEST(site.left() == "");
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
