#include <boost/test/unit_test.hpp>

#include "fcgi/pages/changes/change_page.hpp"
#include "fcgi/pages/changes/unfinished_part.hpp"
#include "fcgi/pages/clusters/plans/change_preview.hpp"

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::operations::ShrinkCluster;
using provisioner::store::LeavingMachine;

BOOST_AUTO_TEST_SUITE(kept_machines)

namespace {

const LeavingMachine old_machine{.nodenum = 1002, .hostname = "shop42-1002.example.test"};

/// A replacement failed before the old machine was touched.
ChangePage failed_replacement() {
    ChangePage page{.change = Change::shrink};
    page.cluster.id = ClusterId{7};
    page.cluster.status = ClusterStatus::incomplete;
    page.cluster.name = "shop";
    page.cluster.services = {"web"};
    page.job.emplace();
    page.job->operation = Operation::replace_node;
    page.job->status = JobStatus::failed;
    for (const int number : {1001, 1003, 1010}) {
        Node& node = page.nodes.emplace_back();
        node.nodenum = number;
        node.hostname = "shop42-" + std::to_string(number) + ".example.test";
        node.services = {"web"};
    }
    page.failed = {1010};
    page.leaving = 1;
    Node& old = page.keepable.emplace_back();
    old.nodenum = old_machine.nodenum;
    old.hostname = old_machine.hostname;
    old.services = {"web"};
    old.leaves = true;
    page.end.failed_machines = 1;
    page.end.leaving_machines = 1;
    page.end.to_keep = {.without = {1010}, .kept = {old_machine}};
    page.asked = {};
    return page;
}

/// A shrink was aborted before it touched the machine; the preview of the way that keeps it.
ChangePage given_up_shrink() {
    auto page = failed_replacement();
    page.job->operation = Operation::cluster_shrink;
    page.job->aborted = true;
    page.failed.clear();
    page.end = {.to_keep = {{.without = {}, .kept = {old_machine}}}};
    page.asked.fields = {{"keep", "true"}};
    let_keepable_stay(page);
    auto& kept = page.preview.emplace().nodes.emplace_back();
    kept.node.hostname = old_machine.hostname;
    kept.is_kept = true;
    return page;
}

Json control_named(const Json& fields, const std::string& name) {
    for (const Json& field : fields) {
        if (field.at("name") == name) return field;
    }
    return nullptr;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_way_that_keeps_the_old_machine_stands_before_the_one_without_it) {
    auto page = failed_replacement();

    const auto out = ways_out(page.cluster, page.job, page.end);

    BOOST_REQUIRE(out.ways.size() >= 3U);
    BOOST_TEST(out.ways[1].label == "Go on without the new machine and keep shop42-1002");
    BOOST_TEST(out.ways[1].href ==
               "/clusters/" + wire_id(page.cluster.id) + "/shrink?keep=true&nodes=1010#preview");
    BOOST_TEST(out.ways[2].label == "Go on without the machine that failed and remove 1 machine");
    BOOST_TEST(out.words.find("go on without the new machine and keep shop42-1002, go on without "
                              "the machines that failed") != std::string::npos,
               out.words);

    page.end.has_wrong_configuration = true;
    for (const auto& way : ways_out(page.cluster, page.job, page.end).ways) {
        BOOST_TEST(way.label.find("keep") == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(the_page_of_the_way_has_its_name_and_does_not_say_that_the_old_machine_goes) {
    auto page = failed_replacement();
    page.asked.fields = {{"keep", "true"}, {"nodes", "1010"}};
    let_keepable_stay(page);

    BOOST_TEST(page.nodes.size() == 4U);
    BOOST_TEST(page.heading() == "Go on without the new machine and keep shop42-1002");
    const Json unfinished = unfinished_json(page);
    for (const Json& way : unfinished.at("ways")) {
        BOOST_TEST(way.at("label") != page.heading());
    }
    const std::string words = unfinished.at("words");
    BOOST_TEST(words.find("is removed in any case") == std::string::npos, words);

    page.preview.emplace().is_given_up = true;
    const std::string dropped = unfinished_json(page).at("words");
    BOOST_TEST(
        dropped.find("the remaining tasks of the latest job are dropped") != std::string::npos,
        dropped);
    BOOST_TEST(dropped.find("are run on the machines") == std::string::npos, dropped);

    page = failed_replacement();
    page.asked.fields = {{"nodes", "1010"}};
    let_keepable_stay(page);
    BOOST_TEST(page.nodes.size() == 3U);
    BOOST_TEST(page.heading() == "Go on without the machine that failed and remove 1 machine");
    const std::string others = unfinished_json(page).at("words");
    BOOST_TEST(others.ends_with("1 machine that was being removed is removed, too, unless it is "
                                "kept (Advanced)."),
               others);
    page.leaving = 3;
    const std::string some = unfinished_json(page).at("words");
    BOOST_TEST(some.ends_with("3 machines that were being removed are removed, too; 1 of them can "
                              "be kept (Advanced)."),
               some);
    page.keepable.clear();
    const std::string none = unfinished_json(page).at("words");
    BOOST_TEST(none.ends_with("3 machines that were being removed are removed in any case."), none);
}

BOOST_AUTO_TEST_CASE(a_page_that_only_keeps_machines_asks_nothing_and_warns_of_nothing) {
    auto page = given_up_shrink();
    const Json json = to_json(page);

    BOOST_TEST(json.at("heading") == "Go on and keep shop42-1002");
    BOOST_TEST(json.at("lede") ==
               "No machine is removed: shop42-1002, which was being removed, stays.");
    BOOST_TEST(json.at("plain_form").at("label") == "Shrink shop");
    BOOST_TEST(json.at("plain_form").at("href") == page.address());
    BOOST_TEST(json.at("fields").empty());
    for (const char* part : {"choices", "advanced", "how_many", "blocked"}) {
        BOOST_TEST(json.at(part).is_null(), part);
    }
    const Json& preview = json.at("preview");
    BOOST_TEST(preview.at("look") == "primary");
    BOOST_TEST(preview.at("button") == json.at("heading"));
    BOOST_TEST(preview.at("keep") == "Change nothing");
    BOOST_TEST(preview.at("plan_sentence") == "Nothing has to be done on the machines.");
    BOOST_TEST(preview.at("has_tasks") == false);
    const std::string words = json.at("unfinished").at("words");
    BOOST_TEST(words.find("removed") == std::string::npos, words);
    page.failed = {1003};
    BOOST_TEST(to_json(page).at("unfinished").at("words") == words);

    page.problems = {{"", "Try again."}};
    BOOST_TEST(to_json(page).at("plain_form").is_null());
    page = given_up_shrink();
    page.preview->nodes.front().membership = provisioner::planner::Membership::leaves;
    BOOST_TEST(to_json(page).at("preview").at("look") == "danger");
}

BOOST_AUTO_TEST_CASE(a_page_that_only_keeps_machines_is_called_so_where_no_way_leads_to_it) {
    auto page = given_up_shrink();
    page.end.to_keep.reset();

    BOOST_TEST(page.heading() == "Go on and keep shop42-1002");
    BOOST_TEST(to_json(page).at("preview").at("button") == page.heading());
}

BOOST_AUTO_TEST_CASE(machines_that_the_form_keeps_stay_in_its_list_and_are_not_counted) {
    auto page = failed_replacement();
    page.asked.fields = {{"keep", "true"}, {"nodes", "1010"}};
    page.looks = {{1002, MachineLook::leaves}};
    let_keepable_stay(page);

    const Json json = to_json(page);

    BOOST_TEST(json.at("lede") ==
               "All data on the removed machines is lost. shop42-1002, which was being removed, "
               "stays.");
    BOOST_TEST(json.at("plain_form").is_null());
    BOOST_TEST(json.at("how_many").at("words") == "Machines to remove: 1");
    BOOST_TEST(control_named(json.at("fields"), "numMachines").at("value") == "1");
    BOOST_TEST(control_named(json.at("advanced").at("fields"), "keep").at("value") == "true");
    BOOST_TEST(json.at("advanced").at("is_open") == true);
    const auto restart = control_named(json.at("advanced").at("fields"), "restart");
    BOOST_TEST(restart.dump().find("never restarted") == std::string::npos);
    std::string list;
    for (const Json& box : json.at("choices").at("options")) {
        list += box.at("label").get<std::string>() + ' ' + box.at("state_words").get<std::string>();
        list += box.at("checked") == true ? "chosen, " : ", ";
    }
    BOOST_TEST(list == "shop42-1001 , shop42-1002 stays, shop42-1003 , shop42-1010 chosen, ");
    const std::string words = json.at("unfinished").at("words");
    BOOST_TEST(words.find("failed on 1 machine: shop42-1010.") != std::string::npos, words);
    BOOST_TEST(words.find("remove it below") == std::string::npos, words);

    page.failed = {1001, 1003};
    const std::string others = to_json(page).at("unfinished").at("words");
    BOOST_TEST(others.find("failed on") == std::string::npos, others);
}

BOOST_AUTO_TEST_CASE(the_form_asks_about_machines_only_that_can_be_kept) {
    auto page = failed_replacement();

    const Json keep = control_named(to_json(page)["advanced"]["fields"], "keep");
    BOOST_REQUIRE(!keep.is_null());
    BOOST_TEST(keep.dump().find("Keep shop42-1002") != std::string::npos);
    BOOST_TEST(keep.dump().find("shop42-1002 is still whole") != std::string::npos);

    page.keepable.clear();
    BOOST_TEST(control_named(to_json(page)["advanced"]["fields"], "keep").is_null());
}

BOOST_AUTO_TEST_CASE(a_shrink_that_has_touched_nothing_can_be_given_up) {
    auto page = failed_replacement();
    page.job->operation = Operation::cluster_shrink;
    page.job->aborted = true;
    page.failed.clear();
    page.end = {.to_keep = {{.without = {}, .kept = {old_machine}}}};

    const auto out = ways_out(page.cluster, page.job, page.end);
    BOOST_TEST(out.ways.at(1).label == "Go on and keep shop42-1002");
    BOOST_TEST(out.ways.at(1).href ==
               "/clusters/" + wire_id(page.cluster.id) + "/shrink?keep=true#preview");

    page.asked.fields = {{"keep", "true"}};
    const auto wanted = change_in(Change::shrink, "", page.asked);
    BOOST_REQUIRE(wanted.has_value());
    BOOST_TEST(std::get<ShrinkCluster>(wanted->change).machines == 0);
    BOOST_TEST(page.heading() == "Go on and keep shop42-1002");
    page.asked.fields.emplace_back("numMachines", "1");
    BOOST_TEST(page.heading() != "Go on and keep shop42-1002");
}

BOOST_AUTO_TEST_CASE(the_way_says_how_many_others_go_in_any_case) {
    provisioner::operations::WayToKeep way{.without = {1010, 1011}, .kept = {old_machine}};
    BOOST_TEST(label_keeping(way) == "Go on without the 2 new machines and keep shop42-1002");
    way.others_leaving = 3;
    BOOST_TEST(label_keeping(way) ==
               "Go on without the 2 new machines and keep shop42-1002 and remove 3 machines");
}

BOOST_AUTO_TEST_CASE(forms_ask_to_keep_them_by_a_field_of_their_own) {
    const auto read = [](const char* keep) {
        const auto wanted = change_in(Change::shrink, "", {{{"nodes", "1010"}, {"keep", keep}}});
        return std::get<ShrinkCluster>(wanted->change).keep;
    };

    BOOST_TEST(read("true"));
    BOOST_TEST(!read("false"));
}

BOOST_AUTO_TEST_CASE(a_preview_names_the_machines_that_are_kept) {
    provisioner::operations::PreparedChange change;
    for (const char* host : {"shop42-1001.example.test", "shop42-1002.example.test"}) {
        change.nodes.emplace_back().node.hostname = host;
    }
    change.nodes.back().is_kept = true;

    const Json sentences = change_sentences_json(change, Labels(), {});

    BOOST_REQUIRE(sentences.size() == 1U);
    BOOST_TEST(sentences.at(0).at("text") == "Kept: shop42-1002.example.test");
}

BOOST_AUTO_TEST_SUITE_END()
