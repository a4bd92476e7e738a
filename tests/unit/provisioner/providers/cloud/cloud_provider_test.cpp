#include "provisioner/providers/cloud/cloud_provider.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloud/user_data.hpp"
#include "tests/unit/provisioner/providers/cloud/fake_cloud.hpp"

using namespace provisioner;
using namespace tests;
using providers::Created;
using providers::Destroyed;
using providers::Pending;
using providers::Refused;
using State = CloudMachine::State;

namespace {

struct ProviderSite {
    ProviderSite() {
        auto made = std::make_unique<FakeCloud>();
        cloud = made.get();
        provider = providers::cloud::provider_of(std::move(made));
    }

    Created create() { return run(provider->create(account, spec)); }
    providers::Confirmed confirm(const std::string& id = "i-1") {
        const base::Json results{{"providerid", id}};
        return run(provider->confirm(account, spec, results));
    }
    Destroyed destroy(const std::string& id = "i-1") {
        const base::Json results{{"providerid", id}};
        return run(provider->destroy(account, spec, results));
    }
    CloudMachine& add(const std::string& id, State state, long long task = 10) {
        CloudMachine machine;
        machine.id = id;
        machine.state = state;
        machine.mark = mark_of(account, spec);
        machine.mark.task = task;
        cloud->machines.push_back(machine);
        return cloud->machines.back();
    }

    providers::Account account = an_account();
    providers::MachineSpec spec = a_spec();
    FakeCloud* cloud = nullptr;
    std::unique_ptr<providers::Provider> provider;
};

std::string id_of(const Created& created) {
    return std::get<providers::Machine>(created).id;
}

using Done = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(a_machine_is_made_once_however_often_it_is_asked_for) {
    ProviderSite site;
    BOOST_TEST(id_of(site.create()) == "i-1");
    BOOST_TEST(id_of(site.create()) == "i-1");
    BOOST_TEST(site.cloud->made == 1);
}

BOOST_AUTO_TEST_CASE(a_lost_reply_waits_and_then_finds_the_machine_that_was_made) {
    ProviderSite site;
    site.cloud->reply_is_lost = true;
    const Created lost = site.create();
    BOOST_TEST(std::get<Pending>(lost).reason.find("the connection broke") != std::string::npos);
    BOOST_TEST((std::get<Pending>(lost).poll_in >= site.cloud->shows_within()));
    BOOST_TEST(id_of(site.create()) == "i-1");
    BOOST_TEST(site.cloud->made == 1);
}

BOOST_AUTO_TEST_CASE(a_machine_that_boots_is_looked_at_each_second_and_among_many_each_other_one) {
    ProviderSite site;
    site.add("i-1", State::starting);
    const auto soon = std::get<Pending>(site.confirm()).poll_in;
    BOOST_TEST((soon > std::chrono::milliseconds{500}));
    BOOST_TEST((soon <= std::chrono::milliseconds{1000}));
    for (int i = 2; i < 400; ++i) site.add("i-" + std::to_string(i), State::starting);
    BOOST_TEST((std::get<Pending>(site.confirm()).poll_in > std::chrono::milliseconds{1500}));
}

BOOST_AUTO_TEST_CASE(what_a_daemon_that_died_asked_for_may_still_appear_and_is_waited_for_once) {
    ProviderSite site;
    site.spec.asked_for = std::chrono::seconds{1};
    const Created first = site.create();
    BOOST_REQUIRE(std::holds_alternative<Pending>(first));
    BOOST_TEST((std::get<Pending>(first).poll_in >= site.cloud->shows_within()));
    BOOST_TEST(site.cloud->made == 0);
    site.spec.asked_for = std::chrono::seconds{11};
    BOOST_TEST(id_of(site.create()) == "i-1");
}

BOOST_AUTO_TEST_CASE(nothing_is_made_while_nobody_knows_what_there_is) {
    ProviderSite site;
    site.cloud->list_is_lost = true;
    BOOST_CHECK_THROW(site.create(), providers::cloud::Lost);
    BOOST_TEST(site.cloud->done.empty());
}

BOOST_AUTO_TEST_CASE(where_there_is_no_room_the_next_zone_and_then_the_next_flavor_is_tried) {
    ProviderSite site;
    site.spec.hardware = {{"flavors", "medium"}, {"availability_zones", "b, c"}};
    site.account.fields["availability_zone"] = "a";
    site.cloud->full = {"small@a", "small@b", "small@c"};
    BOOST_TEST(id_of(site.create()) == "i-1");
    BOOST_TEST((site.cloud->done ==
                Done{"make small@a", "make small@b", "make small@c", "make medium@a"}));
}

BOOST_AUTO_TEST_CASE(a_refusal_for_want_of_room_names_every_place_that_was_tried) {
    ProviderSite site;
    site.spec.hardware = {{"availability_zones", "a,b"}};
    site.cloud->full = {"small@", "small@a", "small@b"};
    const Created created = site.create();
    const auto& refused = std::get<Refused>(created);
    BOOST_TEST(refused.message ==
               "the provider has no room for the machine: small: sold out; small in a: sold out; "
               "small in b: sold out");
    BOOST_TEST(refused.worth_retrying);
    BOOST_TEST(refused.nothing_created);
}

BOOST_AUTO_TEST_CASE(the_next_attempt_begins_with_the_next_place) {
    ProviderSite site;
    site.spec.attempt = 2;
    site.spec.hardware = {{"availability_zones", "b"}};
    site.create();
    BOOST_TEST((site.cloud->done == Done{"make small@b"}));
}

BOOST_AUTO_TEST_CASE(a_machine_that_came_to_nothing_is_removed_before_another_is_made) {
    ProviderSite site;
    site.add("i-0", State::failed).reason = "No valid host was found";
    const Created first = site.create();
    BOOST_TEST(std::get<Pending>(first).reason ==
               "the machine i-0 of an earlier try is removed: No valid host was found");
    BOOST_TEST((site.cloud->done == Done{"remove i-0"}));
    const Created second = site.create();
    BOOST_TEST(std::holds_alternative<Pending>(second));
    BOOST_TEST(site.cloud->done.size() == 1U);
    site.cloud->machines.clear();
    BOOST_TEST(id_of(site.create()) == "i-1");
}

BOOST_AUTO_TEST_CASE(doubles_of_a_machine_are_removed_and_the_one_that_runs_is_kept) {
    ProviderSite site;
    site.add("i-7", State::starting);
    site.add("i-8", State::running);
    BOOST_TEST(id_of(site.create()) == "i-8");
    BOOST_TEST((site.cloud->done == Done{"remove i-7"}));
}

BOOST_AUTO_TEST_CASE(a_machine_that_a_list_names_twice_is_no_double_of_itself) {
    ProviderSite site;
    site.add("i-1", State::running);
    site.add("i-1", State::running);
    BOOST_TEST(id_of(site.create()) == "i-1");
    BOOST_TEST(site.cloud->done.empty());
}

BOOST_AUTO_TEST_CASE(the_machine_of_a_later_task_is_left_alone_by_a_late_create) {
    ProviderSite site;
    site.add("i-1", State::running, 10);
    site.add("i-2", State::starting, 11);
    BOOST_TEST(std::get<providers::Refused>(site.create()).worth_retrying);
    BOOST_TEST(site.cloud->done.empty());
}

BOOST_AUTO_TEST_CASE(a_double_that_shows_up_late_is_removed_once_the_machine_runs) {
    ProviderSite site;
    site.add("i-1", State::running);
    site.add("i-2", State::running);
    site.add("i-3", State::leaving);
    site.add("i-4", State::running, 11);
    BOOST_TEST(std::holds_alternative<providers::Reachable>(site.confirm("i-1")) == false);
    BOOST_TEST((site.cloud->done == Done{"remove i-2"}));
}

BOOST_AUTO_TEST_CASE(after_a_lost_reply_in_another_place_it_waits_until_the_machine_must_show) {
    ProviderSite site;
    site.cloud->shows = std::chrono::milliseconds{1000};
    site.cloud->reply_is_lost = true;
    BOOST_TEST(std::get<Pending>(site.create()).poll_in.count() == 1000);
    ProviderSite other;
    other.cloud->shows = std::chrono::milliseconds{1000};
    other.cloud->reply_is_lost = true;
    other.spec.hardware["flavors"] = "large";
    other.cloud->full = {"small@"};
    BOOST_TEST(std::get<Pending>(other.create()).poll_in.count() == 10'000);
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_gone_and_still_listed_is_made_anew) {
    ProviderSite site;
    site.add("i-0", State::gone);
    BOOST_TEST(id_of(site.create()) == "i-1");
}

BOOST_AUTO_TEST_CASE(all_problems_of_the_fields_are_told_at_once_and_nothing_is_asked) {
    ProviderSite site;
    site.account.fields = {{"calls_per_second", "many"}, {"ssh_ranges", "everywhere"}};
    site.cloud->problems = {{"flavor", "must be given"}};
    const Created created = site.create();
    BOOST_TEST(
        std::get<Refused>(created).message ==
        "calls_per_second: must be a number between 0.1 and 10000, calls a second; "
        "ssh_ranges: \"everywhere\" is no network such as 192.0.2.0/24; flavor: must be given");
    BOOST_TEST(std::get<Refused>(created).nothing_created);
    BOOST_TEST(site.cloud->listings == 0);
}

BOOST_AUTO_TEST_CASE(user_data_carry_the_host_key_that_confirm_expects) {
    ProviderSite site;
    site.create();
    site.cloud->machines[0].state = State::running;
    site.cloud->machines[0].addresses = {{"access_v4", "203.0.113.9"}};
    const auto confirmed = site.confirm();
    const auto& reachable = std::get<providers::Reachable>(confirmed);
    BOOST_TEST(reachable.host_key_travelled);
    BOOST_TEST(reachable.host_key.starts_with("ssh-ed25519 AAAA"));
    BOOST_TEST(site.cloud->user_data.find(reachable.host_key) != std::string::npos);
    BOOST_TEST(reachable.addresses.at("bind_v4") == "203.0.113.9");
}

BOOST_AUTO_TEST_CASE(an_address_of_this_host_is_no_address_of_a_machine) {
    for (const char* address : {"127.0.0.1", "169.254.169.254", "10.77.3.4", "::1"}) {
        ProviderSite site;
        site.create();
        site.cloud->machines[0].state = State::running;
        site.cloud->machines[0].addresses = {{"access_v4", address}};
        const auto confirmed = site.confirm();
        BOOST_TEST_REQUIRE(std::holds_alternative<Refused>(confirmed), address);
        BOOST_TEST(std::get<Refused>(confirmed).message.find("belongs to this host") !=
                   std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(without_cloud_init_the_clouds_own_channel_tells_the_host_key) {
    ProviderSite site;
    site.spec.hardware["cloud_init"] = "false";
    site.create();
    BOOST_TEST(site.cloud->user_data.empty());
    site.cloud->machines[0].state = State::running;
    site.cloud->machines[0].addresses = {{"access_v4", "203.0.113.9"}};
    const auto confirmed = site.confirm();
    const auto& reachable = std::get<providers::Reachable>(confirmed);
    BOOST_TEST(reachable.host_key == "ssh-ed25519 of-the-console");
    BOOST_TEST(!reachable.host_key_travelled);
}

BOOST_AUTO_TEST_CASE(a_cloud_that_knows_its_images_decides_whether_user_data_work) {
    ProviderSite site;
    site.cloud->knows_cloud_init = false;
    site.create();
    BOOST_TEST(site.cloud->user_data.empty());
}

BOOST_AUTO_TEST_CASE(the_user_that_a_field_names_is_made_and_reported) {
    ProviderSite site;
    site.cloud->user = "deploy";
    for (int turn = 0; turn < 2; ++turn) {
        const Created created = site.create();
        const auto& facts = std::get<providers::Machine>(created).facts;
        BOOST_TEST(base::text_at(facts.at("ssh-auth"), "user") == "deploy");
    }
    BOOST_TEST(site.cloud->user_data.find("\"name\":\"deploy\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_not_listed_yet_is_waited_for_and_later_it_is_gone) {
    ProviderSite site;
    site.spec.asked_for = std::chrono::seconds{5};
    BOOST_TEST(std::holds_alternative<Pending>(site.confirm("i-5")));
    site.spec.asked_for = std::chrono::minutes{5};
    const auto confirmed = site.confirm("i-5");
    BOOST_TEST(std::get<Refused>(confirmed).message == "the machine i-5 is not there any more");
}

BOOST_AUTO_TEST_CASE(states_that_lead_to_nothing_are_refused_with_the_clouds_words) {
    ProviderSite site;
    CloudMachine& machine = site.add("i-1", State::gone);
    machine.reason = "reclaimed";
    BOOST_TEST(std::get<Refused>(site.confirm()).message == "the machine i-1 is gone: reclaimed");
    machine.state = State::failed;
    machine.reason = "no host";
    BOOST_TEST(std::get<Refused>(site.confirm()).message ==
               "the provider could not make the machine i-1: no host");
    machine.state = State::starting;
    BOOST_TEST(std::holds_alternative<Pending>(site.confirm()));
    machine.state = State::running;
    BOOST_TEST(std::get<Pending>(site.confirm()).reason ==
               "the machine has no address yet: no host");
}

BOOST_AUTO_TEST_CASE(deleting_ends_when_machine_and_remains_and_the_clusters_own_things_are_gone) {
    ProviderSite site;
    site.add("i-1", State::running);
    site.cloud->still_there = {"the disk d-1 is being deleted"};
    BOOST_TEST(std::get<Pending>(site.destroy()).reason == "the machine i-1 is being deleted");
    BOOST_TEST(std::get<Pending>(site.destroy()).reason == "the machine i-1 is being deleted");
    site.cloud->machines.clear();
    BOOST_TEST(std::get<Pending>(site.destroy()).reason == "the disk d-1 is being deleted");
    BOOST_TEST(std::holds_alternative<providers::Gone>(site.destroy()));
    BOOST_TEST((site.cloud->done == Done{"remove i-1", "release 00000001-1001",
                                         "release 00000001-1001", "release cluster 00000001"}));
}

BOOST_AUTO_TEST_CASE(the_clusters_own_things_stay_while_it_has_another_machine) {
    ProviderSite site;
    site.add("i-2", State::running).mark.name = "00000001-1002";
    BOOST_TEST(std::holds_alternative<providers::Gone>(site.destroy()));
    BOOST_TEST((site.cloud->done == Done{"release 00000001-1001"}));
}

BOOST_AUTO_TEST_CASE(a_machine_made_for_a_later_task_is_left_alone) {
    ProviderSite site;
    site.add("i-1", State::running, 11);
    BOOST_TEST(std::holds_alternative<providers::Gone>(site.destroy()));
    BOOST_TEST(site.cloud->done.empty());
    site.spec.task = 12;
    BOOST_TEST(std::holds_alternative<Pending>(site.destroy()));
}

BOOST_AUTO_TEST_CASE(without_a_name_only_what_is_left_of_the_cluster_is_deleted) {
    ProviderSite site;
    site.spec.name = "";
    BOOST_TEST(std::holds_alternative<providers::Gone>(site.destroy("security group g-1")));
    BOOST_TEST((site.cloud->done == Done{"release cluster 00000001"}));
    site.add("i-1", State::running).mark.name = "00000001-1002";
    BOOST_TEST(std::holds_alternative<providers::Gone>(site.destroy("security group g-1")));
    BOOST_TEST((site.cloud->done == Done{"release cluster 00000001"}));
}

BOOST_AUTO_TEST_CASE(all_doubles_of_a_machine_are_deleted) {
    ProviderSite site;
    site.add("i-1", State::running);
    site.add("i-2", State::failed);
    site.destroy();
    BOOST_TEST((site.cloud->done == Done{"remove i-1", "remove i-2"}));
}

BOOST_AUTO_TEST_CASE(leftovers_are_listed_by_the_machine_they_belonged_to) {
    ProviderSite site;
    site.add("i-1", State::running);
    Leftover of_a_machine{
        .id = "d-1", .kind = "disk", .mark = site.cloud->machines[0].mark, .size_gb = 20};
    Leftover alone = of_a_machine;
    alone.id = "d-2";
    alone.mark.name = "00000001-1009";
    Leftover of_cluster{.id = "g-1", .kind = "security group", .mark = {}};
    of_cluster.mark.cluster = "00000001";
    site.cloud->left = {of_a_machine, alone, of_cluster};
    const auto seen = run(site.provider->machines(site.account));
    BOOST_REQUIRE(seen.size() == 3U);
    BOOST_TEST(seen[0].id == "i-1");
    BOOST_TEST(seen[0].part == "");
    BOOST_TEST(seen[1].id == "disk d-2");
    BOOST_TEST(seen[1].name == "00000001-1009");
    BOOST_TEST(seen[1].part == "disk");
    BOOST_TEST(seen[1].size_gb == 20);
    BOOST_TEST(seen[2].id == "security group g-1");
    BOOST_TEST(seen[2].name == "00000001");
}

BOOST_AUTO_TEST_CASE(a_test_of_a_wrong_account_is_a_refusal) {
    ProviderSite site;
    const auto tested = run(site.provider->test(site.account));
    BOOST_TEST(std::get<Refused>(tested).message == "wrong password");
}
