#include "fcgi/pages/changes/change_page.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/changes/unfinished_part.hpp"

using namespace fcgi;
using namespace fcgi::pages;
using namespace provisioner::model;
using namespace provisioner::operations;
using provisioner::base::Json;
using provisioner::planner::Membership;
using Asked = std::vector<std::pair<std::string, std::string>>;

BOOST_AUTO_TEST_SUITE(change_page)

namespace {

template <class T>
T read(Change change, const Asked& fields) {
    return std::get<T>(change_in(change, "1003", {fields})->change);
}

std::string problem_of(Change change, const Asked& fields) {
    const auto wanted = change_in(change, "", {fields});
    return wanted ? "none" : provisioner::base::to_text(wanted.error());
}

NodeChange node(Membership membership, int number, const std::vector<std::string>& services) {
    NodeChange change;
    change.membership = membership;
    change.node.id = NodeId{number};
    change.node.hostname = "h" + std::to_string(number) + ".test";
    change.node.hardware_type = "small";
    change.node.image_type = "deb";
    change.node.services = services;
    return change;
}

ChangePage page_of(Change change) {
    ChangePage page{.change = change, .node = "1003"};
    page.cluster.id = ClusterId{7};
    page.cluster.status = ClusterStatus::active;
    page.cluster.name = "shop";
    page.cluster.services = {"web", "cache"};
    return page;
}

/// Three machines, and five more of a growth, which failed on two of these.
ChangePage half_grown_page() {
    auto page = page_of(Change::shrink);
    page.cluster.status = ClusterStatus::incomplete;
    page.job.emplace();
    page.job->operation = Operation::cluster_grow;
    page.job->status = JobStatus::failed;
    for (const int number : {1001, 1002, 1003}) {
        page.nodes.push_back(node(Membership::stays, number, {"web"}).node);
        page.nodes.back().nodenum = number;
    }
    for (int number = 1010; number < 1015; ++number) {
        page.nodes.push_back(node(Membership::stays, number, {"web"}).node);
        page.nodes.back().nodenum = number;
    }
    page.failed = {1010, 1012};
    return page;
}

/// The rows of the picture: "| h1, stays, changed".
std::string picture(const Json& preview) {
    std::string text;
    for (const auto& row : preview.at("rows")) {
        text += "| " + row.at("title").get<std::string>();
        for (const auto& cell : row.at("cells")) text += ", " + cell.at("words").get<std::string>();
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(forms_are_read_as_requests) {
    BOOST_TEST(read<GrowCluster>(Change::grow, {{"numMachines", " 2 "}}).machines == 2);
    const auto shrink = read<ShrinkCluster>(
        Change::shrink,
        {{"numMachines", "1"}, {"nodes", "1001"}, {"nodes", "1002"}, {"force", "true"}});
    BOOST_TEST(shrink.machines == 0);
    BOOST_TEST(shrink.nodes.size() == 2U);
    BOOST_TEST(shrink.force);
    BOOST_TEST(read<AddServices>(Change::add_services, {{"services", "a"}}).services.size() == 1U);
    BOOST_TEST(read<RemoveServices>(Change::remove_services, {}).services.empty());
    BOOST_TEST(!read<RemoveServices>(Change::remove_services, {}).force);
    BOOST_TEST(read<RemoveServices>(Change::remove_services, {{"force", "true"}}).force);
    BOOST_TEST((read<ReplaceNodes>(Change::replace, {}).nodes == std::vector<std::string>{"1003"}));
    BOOST_TEST(change_in(Change::replace, "1", {})->restart);
    BOOST_TEST(!change_in(Change::replace, "1", {{{"restart", "false"}}})->restart);
}

BOOST_AUTO_TEST_CASE(how_machines_are_removed_is_folded_unless_it_is_not_the_default_or_wrong) {
    auto page = page_of(Change::shrink);
    const auto simple = to_json(page);
    BOOST_REQUIRE(simple["fields"].size() == 1U);
    BOOST_TEST(simple["fields"][0]["name"] == "numMachines");
    BOOST_TEST(simple["advanced"]["fields"].size() == 2U);
    BOOST_TEST(simple["advanced"]["is_open"] == false);

    page.asked.fields = {{"numMachines", "1"}, {"force", "true"}};
    BOOST_TEST(to_json(page)["advanced"]["is_open"] == true);
    page.asked.fields = {{"numMachines", "1"}, {"restart", "false"}};
    BOOST_TEST(to_json(page)["advanced"]["is_open"] == true);
    page.asked.fields = {{"numMachines", "1"}, {"restart", "true"}, {"force", "false"}};
    BOOST_TEST(to_json(page)["advanced"]["is_open"] == false);
    page.problems = {{"force", "No."}};
    BOOST_TEST(to_json(page)["advanced"]["is_open"] == true);
    BOOST_TEST(to_json(page_of(Change::grow))["advanced"].is_null());
}

BOOST_AUTO_TEST_CASE(a_number_that_is_none_is_a_problem_of_its_control) {
    const std::string expected = "numMachines: Enter a whole number from 1 to 10,000.";
    for (const char* number : {"many", "", "0", "-1", "10001", "1.5"}) {
        BOOST_TEST(problem_of(Change::grow, {{"numMachines", number}}) == expected);
        BOOST_TEST(problem_of(Change::shrink, {{"numMachines", number}}) == expected);
    }
}

BOOST_AUTO_TEST_CASE(the_problem_of_a_number_names_what_the_template_allows) {
    ChangePage page{.change = Change::grow};
    page.cluster.snapshot.cluster_template.constraints.size_min = 3;
    page.cluster.snapshot.cluster_template.constraints.size_max = 1200;
    page.nodes.resize(10);
    BOOST_TEST(largest_change(page) == 1190);
    for (const char* number : {"", "0", "1191"}) {
        BOOST_TEST(change_in(page.change, "", {{{"numMachines", number}}}, largest_change(page))
                       .error()
                       .front()
                       .message == "Enter a whole number from 1 to 1,190.");
    }
    page.change = Change::shrink;
    BOOST_TEST(largest_change(page) == 7);
}

BOOST_AUTO_TEST_CASE(chosen_machines_are_removed_whatever_the_number_and_the_form_says_how_many) {
    for (const char* number : {"1", "3", ""}) {
        const auto wanted = read<ShrinkCluster>(
            Change::shrink, {{"nodes", "1001"}, {"nodes", "1002"}, {"numMachines", number}});
        BOOST_TEST(wanted.nodes.size() == 2U);
        BOOST_TEST(wanted.machines == 0);
    }
    ChangePage page{.change = Change::shrink};
    page.cluster.status = ClusterStatus::active;
    page.nodes.resize(1300);
    const auto how_many = [&] { return to_json(page).at("how_many").at("words"); };
    BOOST_TEST(how_many() == "Machines to remove: 1");
    page.asked.fields = {{"numMachines", "1200"}};
    BOOST_TEST(how_many() == "Machines to remove: 1,200");
    for (const char* number : {"many", "-3", "1.5", "99999"}) {
        page.asked.fields = {{"numMachines", number}};
        BOOST_TEST(how_many() == "");
    }
    page.asked.fields = {{"numMachines", "5"}, {"nodes", "1001"}, {"nodes", "1002"}};
    BOOST_TEST(how_many() == "Machines to remove: 2");
    page.change = Change::grow;
    BOOST_TEST(to_json(page).at("how_many").is_null());
}

BOOST_AUTO_TEST_CASE(a_service_that_is_only_started_is_not_said_to_change) {
    auto page = page_of(Change::grow);
    PreparedChange change;
    change.operation = Operation::cluster_grow;
    change.nodes = {node(Membership::stays, 1, {"db", "web"}), node(Membership::joins, 2, {"web"})};
    change.graph.add({0, Action::start, "db"});
    change.graph.add({0, Action::configure, "web"});
    change.graph.add({0, Action::start, "web"});
    page.preview = change;

    const auto preview = to_json(page).at("preview");

    BOOST_TEST(picture(preview) == "| h2, new, not here, new| h1, stays, stays, changed");
    BOOST_TEST(preview.at("sentences")[1].at("text") == "Reconfigured without a restart: web");
    BOOST_TEST(preview.at("sentences").size() == 2U);

    // Others are stopped.
    const NodeId first = page.preview->nodes[0].node.id;
    page.stopped = {{first, "cache"}, {NodeId{77}, "db"}};
    BOOST_TEST(to_json(page).at("preview").at("sentences").size() == 2U);
    page.stopped = {{first, "db"}};
    const auto again = to_json(page).at("preview");
    BOOST_TEST(again.at("sentences")[0].at("text") == "Started again where it is stopped: db");
    BOOST_TEST(picture(again) == "| h2, new, not here, new| h1, stays, changed, changed");
}

BOOST_AUTO_TEST_CASE(what_is_stopped_is_not_interrupted_and_starts_again) {
    auto page = page_of(Change::shrink);
    PreparedChange change;
    change.cluster = page.cluster;
    change.nodes = {node(Membership::stays, 1, {"web"}), node(Membership::stays, 2, {"web"}),
                    node(Membership::leaves, 3, {"web", "new"})};
    // It should have got it.
    change.nodes[2].arriving = {"new"};
    for (const std::size_t at : {0U, 1U}) {
        change.graph.order({at, Action::stop, "web"}, {at, Action::configure, "web"});
        change.graph.order({at, Action::configure, "web"}, {at, Action::start, "web"});
    }
    page.preview = change;
    const auto texts = [&] {
        std::string all;
        const auto json = to_json(page);
        for (const auto& one : json.at("preview").at("sentences")) {
            all += one.at("text").get<std::string>() + '\n';
        }
        return all;
    };

    BOOST_TEST(texts() == "Interrupted by a restart: web\nRemoved: h3.test with web and new\n");
    page.stopped = {{NodeId{1}, "web"}};
    BOOST_TEST(texts() ==
               "Interrupted by a restart: web\nStarted again where it is stopped: web\n"
               "Removed: h3.test with web and new\n");
    page.stopped = {{NodeId{1}, "web"}, {NodeId{2}, "web"}};
    BOOST_TEST(texts() ==
               "Started again where it is stopped: web\nRemoved: h3.test with web and new\n");
    BOOST_TEST(picture(to_json(page).at("preview")) ==
               "| h3, removed, removed, removed| h1, stays, not here, changed| h2, stays, not "
               "here, changed");
}

BOOST_AUTO_TEST_CASE(many_machines_to_choose_from_are_folded_away) {
    auto page = page_of(Change::shrink);
    page.nodes.resize(20);
    BOOST_TEST(to_json(page).at("choices").at("is_folded") == false);
    page.nodes.resize(21);
    BOOST_TEST(to_json(page).at("choices").at("is_folded") == true);
    BOOST_TEST(to_json(page).at("choices").at("is_open") == false);
    page.problems = {{"nodes", "Not these."}};
    BOOST_TEST(to_json(page).at("choices").at("is_open") == true);
}

BOOST_AUTO_TEST_CASE(machines_to_remove_are_those_of_a_group_if_one_is_named) {
    const auto any = read<ShrinkCluster>(Change::shrink, {{"numMachines", "2"}, {"group", ""}});
    BOOST_TEST(!any.services.has_value());
    const auto some =
        read<ShrinkCluster>(Change::shrink, {{"numMachines", "2"}, {"group", "cache,web"}});
    BOOST_REQUIRE(some.services.has_value());
    BOOST_TEST((*some.services == std::vector<std::string>{"cache", "web"}));
    auto page = page_of(Change::shrink);
    page.nodes = {node(Membership::stays, 0, {"web", "cache"}).node,
                  node(Membership::stays, 1, {"web", "cache"}).node};
    page.nodes[0].nodenum = 1000;
    page.nodes[1].nodenum = 1001;
    BOOST_TEST(to_json(page).at("fields").size() == 1U);
    page.nodes.push_back(node(Membership::stays, 2, {"web"}).node);
    page.nodes[2].nodenum = 1002;
    const auto fields = to_json(page).at("fields");
    BOOST_REQUIRE(fields.size() == 2U);
    BOOST_TEST(fields[1].at("options")[1].at("label") ==
               "Those with only cache and web (at most 2)");
    BOOST_TEST(fields[1].at("options")[1].at("value") == "cache,web");
}

BOOST_AUTO_TEST_CASE(where_no_service_can_be_added_the_page_says_why) {
    auto page = page_of(Change::add_services);
    page.offered.clear();
    BOOST_TEST(to_json(page).at("choices").at("hint") ==
               "No service can be added: the cluster has all that its template allows and that you "
               "may use.");
    page.offered = {{"web", "Web server"}};
    BOOST_TEST(to_json(page).at("choices").at("hint") ==
               "Services that the template allows and the cluster does not have.");
}

BOOST_AUTO_TEST_CASE(a_machine_that_cannot_go_cannot_be_chosen) {
    auto page = page_of(Change::shrink);
    page.nodes = {node(Membership::stays, 0, {"db"}).node,
                  node(Membership::stays, 1, {"web"}).node};
    page.nodes[0].nodenum = 1000;
    page.nodes[1].nodenum = 1001;
    ServiceConstraint rule;
    rule.min = 1;
    page.cluster.snapshot.cluster_template.constraints.services = {{"db", rule}};
    page.asked.fields = {{"nodes", "1000"}, {"nodes", "1001"}};

    const auto options = to_json(page).at("choices").at("options");

    BOOST_TEST(options[0].at("is_disabled") == true);
    BOOST_TEST(options[0].at("checked") == false);
    BOOST_TEST(options[0].at("needed") == "db is on 1 machine and needs at least 1.");
    BOOST_TEST(options[1].at("is_disabled") == false);
    BOOST_TEST(options[1].at("checked") == true);
    BOOST_TEST(options[1].at("needed") == "");

    // A group that never goes is not offered, so there is none to choose.
    BOOST_TEST(to_json(page).at("fields").size() == 1U);
    rule.min = 1;
    page.cluster.snapshot.cluster_template.constraints.services = {{"db", rule}, {"web", rule}};
    page.cluster.status = ClusterStatus::active;
    const auto stuck = to_json(page);
    BOOST_TEST(stuck.at("can_ask") == false);
    BOOST_TEST(stuck.at("fields").empty());
    BOOST_TEST(stuck.at("blocked").at("words") == "No machine can be removed: all are needed.");
}

BOOST_AUTO_TEST_CASE(a_service_that_cannot_be_removed_says_why_before_it_is_chosen) {
    auto page = page_of(Change::remove_services);
    page.cluster.services = {"db", "cache", "web"};
    page.nodes = {node(Membership::stays, 1, {"db"}).node,
                  node(Membership::stays, 2, {"cache", "web"}).node};
    Service web;
    web.header.name = "web";
    web.dependencies.runtime.required = {"cache"};
    page.cluster.snapshot.services = {web};
    page.asked.fields = {{"services", "db"}};

    const auto options = to_json(page).at("choices").at("options");

    BOOST_TEST(options[0].at("needed") ==
               "1 machine runs nothing else; remove the machine instead.");
    BOOST_TEST(options[0].at("is_disabled") == true);
    BOOST_TEST(options[0].at("checked") == false);
    BOOST_TEST(options[1].at("needed") != "");
    BOOST_TEST(options[1].at("is_disabled") == false);
    BOOST_TEST(options[2].at("needed") == "");

    ServiceConstraint rule;
    rule.min = 1;
    page.cluster.snapshot.cluster_template.constraints.services = {{"db", rule}};
    BOOST_TEST(to_json(page).at("choices").at("options")[0].at("needed") ==
               "1 machine runs nothing else and cannot be removed either.");
    BOOST_TEST(to_json(page).at("can_ask") == true);
    page.cluster.services = {"db"};
    BOOST_TEST(to_json(page).at("can_ask") == false);
}

BOOST_AUTO_TEST_CASE(services_can_be_removed_after_a_failed_job_that_was_no_deletion) {
    auto page = page_of(Change::remove_services);
    page.job = Job();
    page.job->status = JobStatus::failed;
    for (const auto status : {ClusterStatus::inconsistent, ClusterStatus::incomplete}) {
        page.cluster.status = status;
        page.job->operation = Operation::add_services;
        BOOST_TEST(to_json(page).at("blocked").is_null());
        page.job->operation = Operation::cluster_delete;
        BOOST_TEST(!to_json(page).at("blocked").is_null());
    }
}

BOOST_AUTO_TEST_CASE(services_that_a_failed_job_has_not_removed_can_be_chosen) {
    auto page = page_of(Change::remove_services);
    page.cluster.services = {"db"};
    page.nodes = {node(Membership::stays, 1, {"db"}).node};
    page.end.left_behind = {{"mail", 2}};

    const auto options = to_json(page).at("choices").at("options");

    BOOST_REQUIRE(options.size() == 2U);
    BOOST_TEST(options[1].at("value") == "mail");
    BOOST_TEST(options[1].at("label") == "mail (not yet removed)");
    BOOST_TEST(options[1].at("is_disabled") == false);
    BOOST_TEST(options[1].at("needed") == "");
}

BOOST_AUTO_TEST_CASE(services_that_are_only_forgotten_are_said_to_stay_on_their_machines) {
    auto page = page_of(Change::remove_services);
    PreparedChange change;
    change.operation = Operation::remove_services;
    change.nodes = {node(Membership::resumes, 2, {"web"})};
    change.nodes[0].leaving = {"cache"};
    change.graph.add({0, Action::remove, "cache"});
    page.preview = change;
    BOOST_TEST(to_json(page).at("preview").at("sentences").size() == 1U);
    BOOST_TEST(to_json(page).at("preview").at("sentences")[0].at("text") == "h2.test loses cache");
    page.preview->graph = {};
    page.preview->forgotten = {"cache"};
    BOOST_TEST(to_json(page).at("preview").at("sentences")[0].at("text") == "h2.test loses cache");
    BOOST_TEST(to_json(page).at("preview").at("sentences")[1].at("text") ==
               "Neither stopped nor uninstalled, so what is installed stays: cache");
    page.preview->leaves_as_is = true;
    page.preview->nodes[0].membership = Membership::stays;
    BOOST_TEST(to_json(page).at("preview").at("sentences").size() == 1U);
    BOOST_TEST(picture(to_json(page).at("preview")) == "| h2, stays, stays");
}

BOOST_AUTO_TEST_CASE(a_removal_after_a_failed_job_is_called_like_the_way_that_leads_to_it) {
    auto page = page_of(Change::remove_services);
    page.labels.add(CatalogueKind::service, {{"cache", "Redis"}});
    page.cluster.status = ClusterStatus::inconsistent;
    page.job = Job();
    page.job->status = JobStatus::failed;
    page.job->operation = Operation::add_services;
    page.leaving = 1;
    BOOST_TEST(page.title() == "Remove services from shop");
    BOOST_TEST(to_json(page).at("lede").get<std::string>().ends_with(
        "The remaining tasks of the latest job are run for the other services. 1 machine that was "
        "being removed is removed in any case."));

    PreparedChange change;
    change.operation = Operation::remove_services;
    change.without = {"cache"};
    change.nodes = {node(Membership::stays, 1, {"web"})};
    change.nodes[0].leaving = {"cache"};
    page.preview = change;

    BOOST_TEST(page.title() == "Go on without Redis, shop");
    BOOST_TEST(to_json(page).at("heading") == "Go on without Redis");
    BOOST_TEST(to_json(page).at("preview").at("button") == "Go on without Redis");
    page.preview->nodes.push_back(node(Membership::dropped, 2, {"web"}));
    BOOST_TEST(to_json(page).at("preview").at("button") ==
               "Go on without Redis and remove 1 machine");
    BOOST_TEST(page.title() == "Go on without Redis and remove 1 machine, shop");
    BOOST_TEST(to_json(page).at("preview").at("keep") == "Change nothing");
    page.preview->forgotten = {"cache"};
    page.preview->leaves_as_is = true;
    BOOST_TEST(page.heading() == "Go on and leave Redis as it is and remove 1 machine");
    BOOST_TEST(to_json(page).at("lede").get<std::string>().starts_with(
        "No more is done to remove Redis: what is installed stays on the machines, and may still "
        "run. The remaining tasks"));
    BOOST_TEST(to_json(page).at("preview").at("keep") == "Change nothing");
    page.preview->forgotten.clear();
    page.preview->leaves_as_is = false;
    BOOST_TEST(to_json(page).at("lede").get<std::string>().find("are stopped and removed.") !=
               std::string::npos);

    page.cluster.status = ClusterStatus::active;
    page.preview->nodes.pop_back();
    BOOST_TEST(to_json(page).at("heading") == "Remove services from shop");
    BOOST_TEST(to_json(page).at("preview").at("button") == "Remove the services");
}

BOOST_AUTO_TEST_CASE(buttons_of_a_preview_count_what_comes_or_goes) {
    auto page = page_of(Change::remove_services);
    const auto buttons = [&] {
        const auto preview = to_json(page).at("preview");
        return preview.at("button").get<std::string>() + ", " +
               preview.at("keep").get<std::string>();
    };
    page.preview.emplace();
    page.asked.fields = {{"services", "cache"}};
    BOOST_TEST(buttons() == "Remove the service, Keep it");
    page.asked.fields = {{"services", "cache"}, {"services", "web"}};
    BOOST_TEST(buttons() == "Remove the services, Keep them");
    page.change = Change::shrink;
    page.preview->nodes = {node(Membership::leaves, 1, {"web"}),
                           node(Membership::stays, 2, {"web"})};
    BOOST_TEST(buttons() == "Remove the machine, Keep it");
    page.change = Change::grow;
    page.preview->nodes[0].membership = Membership::joins;
    BOOST_TEST(buttons() == "Add the machine, Leave it as it is");
    page.preview->nodes[1].membership = Membership::joins;
    BOOST_TEST(buttons() == "Add the machines, Leave it as it is");
}

BOOST_AUTO_TEST_CASE(what_is_installed_of_a_service_that_is_only_forgotten_is_not_said_to_go) {
    auto page = page_of(Change::remove_services);
    page.preview.emplace();
    page.preview->forgotten = {"cache"};

    BOOST_TEST(to_json(page).at("lede") ==
               "Services that use them are reconfigured. The services themselves are neither "
               "stopped nor uninstalled.");
}

BOOST_AUTO_TEST_CASE(a_removal_says_that_it_applies_a_configuration_that_was_interrupted) {
    auto page = page_of(Change::remove_services);
    page.cluster.status = ClusterStatus::inconsistent;
    page.job = Job();
    page.job->status = JobStatus::failed;
    page.job->operation = Operation::cluster_configure;
    PreparedChange change;
    change.without = {"cache"};
    change.nodes = {node(Membership::stays, 1, {"web"})};
    change.nodes[0].leaving = {"cache"};
    page.preview = change;

    BOOST_TEST(to_json(page).at("preview").at("sentences").back().at("text") ==
               "Also applied: the configuration of the latest job, which was not finished");
    page.job->operation = Operation::add_services;
    BOOST_TEST(to_json(page).at("preview").at("sentences").size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_shrink_without_just_the_failed_machines_is_called_like_its_way) {
    auto page = half_grown_page();
    page.end.failed_machines = 2;
    BOOST_TEST(page.title() == "Shrink shop");
    page.asked = first_choice(page);
    BOOST_TEST(page.heading() == "Go on without the 2 machines that failed");
    PreparedChange change;
    change.nodes = {node(Membership::dropped, 1010, {"web"}),
                    node(Membership::leaves, 1012, {"web"}),
                    node(Membership::stays, 1001, {"web"})};
    page.preview = change;
    const auto button = [&] { return to_json(page).at("preview").at("button"); };
    BOOST_TEST(button() == "Go on without the 2 machines that failed");
    page.asked.fields = {{"nodes", "1001"}};
    BOOST_TEST(page.title() == "Shrink shop");
    BOOST_TEST(button() == "Remove 2 machines and run the remaining tasks");
    // With one that the failed job was removing.
    page.asked = first_choice(page);
    page.preview->nodes.push_back(node(Membership::leaves, 1009, {"web"}));
    page.leaving = 1;
    page.end.leaving_machines = 1;
    BOOST_TEST(page.heading() == "Go on without the 2 machines that failed and remove 1 machine");
    BOOST_TEST(button() == page.heading());
    page.preview->nodes.resize(1);
    page.asked.fields = {{"nodes", "1001"}};
    page.cluster.status = ClusterStatus::inconsistent;
    page.job->operation = Operation::restart_services;
    BOOST_TEST(page.title() == "Shrink shop");
    BOOST_TEST(button() == "Remove 1 machine and configure all services again");
}

BOOST_AUTO_TEST_CASE(a_replacement_says_what_the_latest_job_takes_along) {
    auto page = page_of(Change::replace);
    page.nodes.push_back(node(Membership::stays, 3, {"web"}).node);
    page.nodes.back().nodenum = 1003;
    page.cluster.status = ClusterStatus::incomplete;
    page.job = Job();
    page.job->status = JobStatus::failed;
    page.job->operation = Operation::cluster_shrink;
    page.leaving = 2;
    PreparedChange change;
    change.nodes = {node(Membership::dropped, 3, {"web"}), node(Membership::joins, 7, {"web"})};
    page.preview = change;
    const auto preview = [&](const char* member) {
        return to_json(page).at("preview").at(member).get<std::string>();
    };

    BOOST_TEST(page.title() == "Replace machine h3");
    BOOST_TEST(preview("button") == "Replace the machine");
    BOOST_TEST(preview("keep") == "Keep it");
    BOOST_TEST(to_json(page).at("lede").get<std::string>().ends_with(
        "All data on the old machine is lost. The remaining tasks of the latest job are run on the "
        "machines that stay. 2 machines that were being removed are removed in any case."));

    for (const int number : {4, 5}) {
        page.preview->nodes.push_back(node(Membership::dropped, number, {"web"}));
    }
    BOOST_TEST(page.title() == "Replace machine h3 and remove 2 machines");
    BOOST_TEST(to_json(page).at("heading") == page.title());
    BOOST_TEST(preview("button") == "Replace the machine and remove 2 machines");
    BOOST_TEST(preview("keep") == "Change nothing");

    page.cluster.status = ClusterStatus::active;
    BOOST_TEST(to_json(page).at("lede").get<std::string>().ends_with("old machine is lost."));
}

BOOST_AUTO_TEST_CASE(a_cluster_that_cannot_grow_says_so_before_the_form_is_sent) {
    auto page = page_of(Change::grow);
    page.cluster.status = ClusterStatus::active;
    BOOST_TEST(to_json(page).at("blocked").is_null());
    page.hindrance = {{"numMachines", "The quota is used up."}};
    BOOST_TEST(to_json(page).at("blocked").at("words") ==
               "No machine can be added now. The quota is used up.");
    BOOST_TEST(to_json(page).at("blocked").at("ways")[0].at("href") ==
               "/clusters/00000007/settings");
}

BOOST_AUTO_TEST_CASE(every_change_has_an_address_and_a_title) {
    BOOST_TEST(page_of(Change::grow).address() == "/clusters/00000007/grow");
    BOOST_TEST(page_of(Change::add_services).address() == "/clusters/00000007/services/add");
    BOOST_TEST(page_of(Change::replace).address() == "/clusters/00000007/nodes/1003/replace");
    ChangePage odd = page_of(Change::replace);
    odd.node = "a/b?c";
    BOOST_TEST(odd.address() == "/clusters/00000007/nodes/a%2Fb%3Fc/replace");
    BOOST_TEST(page_of(Change::remove_services).title() == "Remove services from shop");
}

BOOST_AUTO_TEST_CASE(a_machine_to_replace_is_called_by_its_host_name) {
    ChangePage page = page_of(Change::replace);
    BOOST_TEST(page.title() == "Replace machine 1003 of shop");
    page.nodes.push_back(node(Membership::stays, 3, {"web"}).node);
    page.nodes.back().nodenum = 1003;
    page.nodes.back().uuid = "5f3c";
    page.nodes.back().hostname = "shop7-1003.local";

    BOOST_TEST(page.title() == "Replace machine shop7-1003");
    page.node = "5f3c";
    BOOST_TEST(page.title() == "Replace machine shop7-1003");
}

BOOST_AUTO_TEST_CASE(nothing_is_previewed_before_it_was_asked) {
    BOOST_TEST(to_json(page_of(Change::grow)).at("preview").is_null());
}

BOOST_AUTO_TEST_CASE(the_picture_shows_first_who_comes_and_goes) {
    auto page = page_of(Change::shrink);
    PreparedChange change;
    change.operation = Operation::cluster_shrink;
    change.nodes = {node(Membership::stays, 1, {"web"}), node(Membership::stays, 2, {"lb"}),
                    node(Membership::joins, 3, {"web"}), node(Membership::dropped, 4, {"web"})};
    change.nodes[1].leaving = {"cache"};
    change.graph.add({0, Action::configure, "web"});
    change.graph.add({3, Action::delete_machine, ""});
    page.preview = change;
    page.asked.fields = {{"csrf", "x"}, {"numMachines", "1"}};

    const auto preview = to_json(page).at("preview");

    BOOST_TEST(picture(preview) ==
               "| h2, stays, removed, stays, not here"
               "| h3, new, not here, not here, new"
               "| h4, removed, not here, not here, removed"
               "| h1, stays, not here, not here, changed");
    BOOST_TEST(preview.at("sentences")[0].at("text") == "h2.test loses cache");
    BOOST_TEST(preview.at("sentences")[1].at("text") ==
               "New: h3.test with web; hardware small, image deb");
    BOOST_TEST(preview.at("sentences")[2].at("text") == "Removed: h4.test with web");
    BOOST_TEST(preview.at("hidden").size() == 1U);
    BOOST_TEST(preview.at("look") == "danger");
    BOOST_TEST(preview.at("tasks")[0].at("action") == "configure");
}

BOOST_AUTO_TEST_CASE(people_read_labels_and_the_form_sends_names) {
    auto page = page_of(Change::remove_services);
    page.labels.add(CatalogueKind::service, {{"web", "Web server"}, {"cache", "Redis"}});
    page.labels.add(CatalogueKind::hardware_type, {{"small", "Small, 2 cores"}});
    page.labels.add(CatalogueKind::image_type, {{"deb", "Debian 12"}});
    PreparedChange change;
    change.operation = Operation::remove_services;
    change.nodes = {node(Membership::joins, 1, {"web"}), node(Membership::stays, 2, {"web"})};
    change.nodes[1].leaving = {"cache"};
    change.graph.add({1, Action::configure, "web"});
    page.preview = change;

    const auto json = to_json(page);

    const auto& sentences = json.at("preview").at("sentences");
    BOOST_TEST(sentences[0].at("text") ==
               "New: h1.test with Web server; hardware Small, 2 cores, image Debian 12");
    BOOST_TEST(sentences[1].at("text") == "h2.test loses Redis");
    BOOST_TEST(sentences[2].at("text") == "Reconfigured without a restart: Web server");
    BOOST_TEST(json.at("preview").at("columns")[1].at("service") == "Redis");
    BOOST_TEST(json.at("preview").at("rows")[0].at("subtitle") == "Small, 2 cores");
    BOOST_TEST(json.at("choices").at("options")[0].at("value") == "web");
    BOOST_TEST(json.at("choices").at("options")[0].at("label") == "Web server");
}

BOOST_AUTO_TEST_CASE(many_machines_that_change_alike_share_a_sentence_and_a_row) {
    auto page = page_of(Change::grow);
    PreparedChange change;
    change.operation = Operation::cluster_grow;
    change.nodes = {node(Membership::stays, 1, {"web"}), node(Membership::joins, 2, {"lb"})};
    for (int number = 3; number <= 59; ++number) {
        change.nodes.push_back(node(Membership::joins, number, {"web"}));
    }
    page.preview = change;

    const auto preview = to_json(page).at("preview");

    BOOST_TEST(picture(preview) ==
               "| h2, new, new, not here"
               "| 57 machines, new, not here, new"
               "| h1, stays, not here, stays");
    BOOST_REQUIRE(preview.at("sentences").size() == 2U);
    BOOST_TEST(preview.at("sentences")[0].at("text") ==
               "New: h2.test with lb; hardware small, image deb");
    BOOST_TEST(preview.at("sentences")[1].at("text") ==
               "New: 57 machines (h3.test to h59.test) with web; hardware small, image deb");
    BOOST_TEST(preview.at("more_machines") == "");
}

BOOST_AUTO_TEST_CASE(more_than_three_machines_that_change_alike_share_a_sentence) {
    auto page = page_of(Change::shrink);
    page.preview.emplace();
    const auto sentences = [&] {
        std::string all;
        const auto preview = to_json(page).at("preview");
        for (const auto& sentence : preview.at("sentences")) {
            all += sentence.at("text").get<std::string>() + ". ";
        }
        return all;
    };
    for (const int number : {1, 2, 3}) {
        page.preview->nodes.push_back(node(Membership::leaves, number, {"web"}));
    }
    page.preview->nodes.push_back(node(Membership::leaves, 4, {"lb"}));
    BOOST_TEST(sentences() ==
               "Removed: h1.test with web. Removed: h2.test with web. Removed: h3.test with web. "
               "Removed: h4.test with lb. ");
    page.preview->nodes.push_back(node(Membership::leaves, 5, {"web"}));
    BOOST_TEST(sentences() ==
               "Removed: 4 machines (h1.test to h3.test and h5.test) with web. Removed: h4.test "
               "with lb. ");
    // Two are no range.
    page.preview->nodes.push_back(node(Membership::leaves, 7, {"web"}));
    BOOST_TEST(sentences() ==
               "Removed: 5 machines (h1.test to h3.test, h5.test and h7.test) with web. Removed: "
               "h4.test with lb. ");
}

BOOST_AUTO_TEST_CASE(of_many_machines_that_go_the_first_are_named_and_all_on_demand) {
    auto page = page_of(Change::shrink);
    PreparedChange change;
    change.operation = Operation::cluster_shrink;
    for (int number = 1; number <= 30; ++number) {
        const bool goes = number % 2 == 0 || number > 20;
        change.nodes.push_back(
            node(goes ? Membership::leaves : Membership::stays, number, {"web"}));
    }
    page.preview = change;

    const auto sentences = to_json(page).at("preview").at("sentences");

    BOOST_TEST(sentences[0].at("text") ==
               "Removed: 20 machines (h2.test, h4.test, h6.test, h8.test, h10.test, h12.test, "
               "h14.test, h16.test and 2 more) with web");
    BOOST_TEST(sentences[0].at("all") ==
               "h2.test, h4.test, h6.test, h8.test, h10.test, h12.test, h14.test, h16.test, "
               "h18.test and h20.test to h30.test");
}

BOOST_AUTO_TEST_CASE(one_machine_gets_a_service_and_several_get_it) {
    auto page = page_of(Change::add_services);
    PreparedChange change;
    change.operation = Operation::add_services;
    for (int number = 1; number <= 30; ++number) {
        change.nodes.push_back(node(Membership::stays, number, {"web", "agent"}));
        change.nodes.back().arriving = {"agent"};
        if (number == 30) change.nodes.back().leaving = {"cache"};
    }
    page.preview = change;

    auto sentences = to_json(page).at("preview").at("sentences");
    BOOST_REQUIRE(sentences.size() == 2U);
    BOOST_TEST(sentences[0].at("text") == "29 machines (h1.test to h29.test) get agent");
    BOOST_TEST(sentences[0].at("all") == "");
    BOOST_TEST(sentences[1].at("text") == "h30.test gets agent and loses cache");

    for (auto& one : change.nodes) std::swap(one.arriving, one.leaving);
    change.nodes.pop_back();
    page.preview = change;
    sentences = to_json(page).at("preview").at("sentences");
    BOOST_TEST(sentences[0].at("text") == "29 machines (h1.test to h29.test) lose agent");
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_finished_keeps_the_services_that_run) {
    auto page = page_of(Change::shrink);
    PreparedChange change;
    change.cluster = page.cluster;
    change.nodes = {node(Membership::resumes, 1, {"db", "web"})};
    change.nodes.front().arriving = {"web"};
    change.graph.order({0, Action::configure, "web"}, {0, Action::start, "web"});
    change.graph.order({0, Action::stop, "db"}, {0, Action::start, "db"});
    page.preview = change;

    const auto sentences = to_json(page).at("preview").at("sentences");

    BOOST_TEST(sentences[0].at("text") == "Interrupted by a restart: db");
    BOOST_TEST(sentences[1].at("text") == "Set-up finished: h1.test with web");
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_finished_does_not_lose_what_it_never_had) {
    auto page = page_of(Change::remove_services);
    PreparedChange change;
    change.cluster = page.cluster;
    change.nodes = {node(Membership::resumes, 1, {"web"}), node(Membership::resumes, 2, {"web"})};
    for (auto& one : change.nodes) {
        one.arriving = {"web"};
        one.leaving = {"cache"};
    }
    change.graph.order({0, Action::install, "web"}, {0, Action::start, "web"});
    change.graph.order({1, Action::remove, "cache"}, {1, Action::start, "web"});
    page.preview = change;

    const auto preview = to_json(page).at("preview");

    BOOST_TEST(preview.at("sentences")[0].at("text") == "Set-up finished: h1.test with web");
    BOOST_TEST(preview.at("sentences")[1].at("text") == "h2.test gets web and loses cache");
    BOOST_TEST(picture(preview) ==
               "| h1, changed, not here, new"
               "| h2, changed, removed, new");
}

BOOST_AUTO_TEST_CASE(services_that_serve_and_are_only_configured_are_no_set_up) {
    auto page = page_of(Change::shrink);
    PreparedChange change;
    change.cluster = page.cluster;
    change.nodes = {node(Membership::resumes, 1, {"web"}), node(Membership::resumes, 2, {})};
    change.graph.order({0, Action::configure, "web"}, {0, Action::start, "web"});
    page.preview = change;

    const auto sentences = to_json(page).at("preview").at("sentences");

    BOOST_REQUIRE(sentences.size() == 2U);
    BOOST_TEST(sentences[0].at("text") == "Set-up finished: h2.test");
    BOOST_TEST(sentences[1].at("text") == "Reconfigured without a restart: web");
}

BOOST_AUTO_TEST_CASE(problems_stand_beside_their_control) {
    auto page = page_of(Change::shrink);
    page.problems = {{"nodes", "Not these."}, {"numMachines", "Not so many."}};

    const auto json = to_json(page);

    BOOST_TEST(json.at("choices").at("problem") == "Not these.");
    BOOST_TEST(json.at("fields")[0].at("problem") == "Not so many.");
    BOOST_TEST(json.at("problems")[1].at("target") == "choices");
}

BOOST_AUTO_TEST_CASE(a_change_that_the_clusters_state_forbids_says_so_at_the_start) {
    const auto blocked = [](Change change, ClusterStatus status) {
        auto page = page_of(change);
        page.cluster.status = status;
        page.job = Job();
        const auto json = to_json(page);
        return !json.at("blocked").is_null();
    };
    BOOST_TEST(!blocked(Change::grow, ClusterStatus::active));
    BOOST_TEST(blocked(Change::grow, ClusterStatus::inconsistent));
    BOOST_TEST(!blocked(Change::shrink, ClusterStatus::incomplete));
    BOOST_TEST(blocked(Change::shrink, ClusterStatus::pending));
}

BOOST_AUTO_TEST_CASE(machines_that_failed_are_chosen_before_somebody_asks) {
    auto page = half_grown_page();
    page.asked = first_choice(page);

    const auto json = to_json(page);

    BOOST_TEST(page.asked.all("nodes").size() == 2U);
    BOOST_TEST(json.at("blocked").is_null());
    BOOST_TEST(json.at("unfinished").at("words") ==
               "The latest job failed on 2 machines: h1010 and h1012. To go on without them, "
               "remove them below. The "
               "remaining tasks of the latest job are run on the machines that stay.");
    BOOST_TEST(json.at("unfinished").at("ways")[0].at("label") == "Retry");
    BOOST_TEST(json.at("how_many").at("words") == "Machines to remove: 2");
    BOOST_TEST(json.at("can_ask") == true);
    BOOST_TEST(json.at("choices").at("is_open") == true);
    BOOST_TEST(json.at("choices").at("options").size() == 8U);
    int checked = 0;
    for (const auto& option : json.at("choices").at("options")) {
        checked += option.at("checked") == true ? 1 : 0;
    }
    BOOST_TEST(checked == 2);
}

BOOST_AUTO_TEST_CASE(the_way_on_without_failed_machines_does_not_lead_to_its_own_page) {
    auto page = half_grown_page();
    page.cluster.node_count = 8;
    page.end.failed_machines = 2;

    const auto ways = to_json(page).at("unfinished").at("ways");

    BOOST_TEST(ways.size() == 2U);
    for (const auto& way : ways) BOOST_TEST(way.at("href") != page.address());
}

BOOST_AUTO_TEST_CASE(box_and_button_say_how_many_failed_machines_had_served) {
    auto page = half_grown_page();
    page.cluster.node_count = 8;
    page.end = {.failed_machines = 2, .served_machines = 1};
    const auto label = [&] { return ways_out(page.cluster, page.job, page.end).ways.at(1).label; };
    const auto words = [&] { return unfinished_json(page).at("words").get<std::string>(); };

    BOOST_TEST(label() == "Go on without the 2 machines that failed; 1 had served before");
    BOOST_TEST(words().find("h1012. 1 of them had served before: its data is deleted, too. To") !=
               std::string::npos);
    page.end.served_machines = 2;
    BOOST_TEST(words().find("2 of them had served before: their data is deleted, too.") !=
               std::string::npos);
    BOOST_TEST(label() == "Go on without the 2 machines that failed, which had served before");
    page.failed = {1010};
    page.end = {.failed_machines = 1, .served_machines = 1};
    BOOST_TEST(label() == "Go on without the machine that failed, which had served before");
    BOOST_TEST(words().find("It had served before: its data is deleted, too.") !=
               std::string::npos);
    page.end.served_machines = 0;
    BOOST_TEST(words().find("served") == std::string::npos);
    BOOST_TEST(label() == "Go on without the machine that failed");
    // A replacement was to take the old machine away.
    page.end.leaving_machines = 1;
    BOOST_TEST(label() == "Go on without the machine that failed and remove 1 machine");
    page.end.leaving_machines = 2;
    BOOST_TEST(label() == "Go on without the machine that failed and remove 2 machines");
}

BOOST_AUTO_TEST_CASE(going_back_to_the_working_configuration_stays_a_way_after_further_jobs) {
    auto page = half_grown_page();
    const auto labels = [&] {
        std::vector<std::string> all;
        for (const auto& way : ways_out(page.cluster, page.job, page.end).ways) {
            all.push_back(way.label);
        }
        return all;
    };
    const std::string back = "Go back to the last configuration that worked";
    BOOST_TEST(std::ranges::count(labels(), back) == 0);

    page.end.can_go_back = true;
    BOOST_TEST(std::ranges::count(labels(), back) == 1);
    const auto words = ways_out(page.cluster, page.job, page.end).words;
    BOOST_TEST(words.find("go back to the last configuration that worked") != std::string::npos,
               words);

    // After the configuration itself it stands there once.
    page.cluster.status = ClusterStatus::inconsistent;
    page.job->operation = Operation::cluster_configure;
    BOOST_TEST(std::ranges::count(labels(), back) == 1);
}

BOOST_AUTO_TEST_CASE(machines_that_an_aborted_growth_was_adding_are_chosen_too) {
    auto page = half_grown_page();
    page.job->aborted = true;
    page.are_unfinished = true;

    BOOST_TEST(first_choice(page).fields.size() == 2U);
    BOOST_TEST(to_json(page).at("unfinished").at("words") ==
               "The aborted job left 2 machines unfinished: h1010 and h1012. To go on without "
               "them, remove them below. The remaining tasks of the latest job are run on the "
               "machines that stay.");
}

BOOST_AUTO_TEST_CASE(machines_are_never_chosen_without_a_word) {
    auto page = half_grown_page();
    page.cluster.status = ClusterStatus::inconsistent;
    const auto words = [&] {
        return to_json(page).at("unfinished").at("words").get<std::string>();
    };
    const std::string failed =
        "The latest job failed on 2 machines: h1010 and h1012. To go on without them, remove them "
        "below.";
    for (const Operation operation : {Operation::remove_services, Operation::add_services}) {
        page.job->operation = operation;
        BOOST_TEST(first_choice(page).fields.size() == 2U);
        BOOST_TEST(words() == failed +
                                  " The remaining tasks of the latest job are run on the machines "
                                  "that stay.");
    }
    // The lede has the rest.
    for (const Operation operation : {Operation::restart_services, Operation::cluster_configure}) {
        page.job->operation = operation;
        BOOST_TEST(words() == failed);
    }
    page.failed.clear();
    BOOST_TEST(to_json(page).at("unfinished").is_null());
}

BOOST_AUTO_TEST_CASE(failed_machines_that_the_cluster_needs_are_not_chosen) {
    auto page = half_grown_page();
    page.cluster.snapshot.cluster_template.constraints.size_min = 7;
    page.leaving = 1;

    BOOST_TEST(first_choice(page).fields.empty());
    BOOST_TEST(to_json(page).at("unfinished").at("words") ==
               "The latest job failed on 2 machines: h1010 and h1012. The cluster cannot do "
               "without all of them. The cluster has 8 machines and needs at least 7. The "
               "remaining tasks of the latest job are run on the machines that stay. 1 machine "
               "that was being removed is removed in any case.");
    BOOST_TEST(to_json(page).at("can_ask") == true);
}

BOOST_AUTO_TEST_CASE(after_an_aborted_job_no_machine_has_failed) {
    auto page = half_grown_page();
    page.failed.clear();

    BOOST_TEST(first_choice(page).fields.empty());
    BOOST_TEST(to_json(page).at("unfinished").at("words") ==
               "The remaining tasks of the latest job are run on the machines that stay.");
}

BOOST_AUTO_TEST_CASE(machines_are_not_removed_before_a_wrong_configuration_is_changed) {
    for (const Change change : {Change::shrink, Change::replace}) {
        auto page = page_of(change);
        page.cluster.status = ClusterStatus::inconsistent;
        page.job = Job{};
        page.job->status = JobStatus::failed;
        page.job->operation = Operation::cluster_configure;
        BOOST_TEST(to_json(page).at("blocked").is_null());
        BOOST_TEST(to_json(page).at("lede").get<std::string>().ends_with(
            "The configuration of the latest job, which was not finished, is applied to the "
            "machines that stay."));

        page.end.has_wrong_configuration = true;

        const auto blocked = to_json(page).at("blocked");
        BOOST_TEST(
            blocked.at("words") ==
            "A value of the configuration is wrong, so a retry would fail again. Change it.");
        BOOST_TEST(blocked.at("ways")[0].at("label") == "Change the configuration");
    }
    auto stopped = page_of(Change::shrink);
    stopped.cluster.status = ClusterStatus::inconsistent;
    stopped.job = Job{};
    stopped.job->status = JobStatus::failed;
    stopped.job->operation = Operation::restart_services;
    BOOST_TEST(to_json(stopped).at("lede").get<std::string>().ends_with(
        "all of them are configured again and restarted."));
    auto active = page_of(Change::shrink);
    BOOST_TEST(to_json(active).at("lede") == "All data on the removed machines is lost.");
}

BOOST_AUTO_TEST_CASE(a_failed_machine_with_a_service_that_others_need_is_not_chosen) {
    auto page = half_grown_page();
    Service web;
    web.header.name = "web";
    web.dependencies.runtime.required = {"cache"};
    page.cluster.snapshot.services = {web};
    for (Node& one : page.nodes) {
        if (page.failed.contains(one.nodenum)) one.services = {"cache"};
    }

    const std::string words = to_json(page).at("unfinished").at("words");

    BOOST_TEST(first_choice(page).fields.empty());
    BOOST_TEST(words.find("cache") != std::string::npos, words);
}

BOOST_AUTO_TEST_CASE(a_cluster_whose_deletion_failed_is_not_asked_to_shrink) {
    auto page = half_grown_page();
    page.job->operation = Operation::cluster_delete;

    BOOST_TEST(to_json(page).at("blocked").at("words") ==
               "The deletion failed. Retry it: the cluster can only be deleted.");
}

BOOST_AUTO_TEST_SUITE_END()
