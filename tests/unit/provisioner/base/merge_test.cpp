#include "provisioner/base/merge.hpp"

#include <boost/test/unit_test.hpp>

namespace provisioner::base {

BOOST_AUTO_TEST_SUITE(merges)

BOOST_AUTO_TEST_CASE(changes_of_both_sides_are_kept_where_they_do_not_overlap) {
    const Json before{{"label", "Shop"}, {"size", {{"min", 1}, {"max", 9}}}, {"icon", "x"}};
    const Json ours{{"label", "Shop"}, {"size", {{"min", 1}, {"max", 4}}}};
    const Json theirs{
        {"label", "Shop two"}, {"size", {{"min", 2}, {"max", 9}}}, {"icon", "x"}, {"new", true}};

    const auto merged = merged_members(before, ours, theirs);

    const Json wanted{{"label", "Shop two"}, {"size", {{"min", 2}, {"max", 4}}}, {"new", true}};
    BOOST_TEST(merged.document == wanted);
    BOOST_TEST(merged.overlaps.empty());
    BOOST_TEST(merged.theirs == (std::vector<std::string>{"label", "size.min", "new"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_new_on_one_side_stands_where_that_side_has_it) {
    const Json before{{"name", "a"}, {"links", 1}};
    const Json ours{{"icon", "x"}, {"name", "a"}, {"label", "A"}, {"links", 1}};
    const Json theirs{{"name", "a"}, {"links", 2}, {"more", 1}};

    const auto merged = merged_members(before, ours, theirs);

    std::string order;
    for (const auto& [name, value] : merged.document.items()) order += name + ' ';
    BOOST_TEST(order == "icon name label links more ");
}

BOOST_AUTO_TEST_CASE(an_overlap_is_theirs_unless_ours_is_kept) {
    const Json before{{"size", {{"max", 9}}}, {"services", {"web"}}};
    const Json ours{{"size", {{"max", 4}}}, {"services", {"web", "php"}}};
    const Json theirs{{"size", {{"max", 6}}}, {"services", {"web", "db"}}};

    const auto plain = merged_members(before, ours, theirs);
    const auto chosen = merged_members(
        before, ours, theirs, [](const std::string& member) { return member == "size.max"; });

    BOOST_TEST(plain.document == theirs);
    const std::vector<Overlap> wanted{
        {.member = "size.max", .before = 9, .ours = 4, .theirs = 6},
        {.member = "services", .before = {"web"}, .ours = {"web", "php"}, .theirs = {"web", "db"}}};
    BOOST_TEST((plain.overlaps == wanted));
    BOOST_TEST(chosen.document.at("size").at("max") == 4);
    BOOST_TEST(chosen.document.at("services") == theirs.at("services"));
    BOOST_TEST(chosen.overlaps.size() == 2U);
}

BOOST_AUTO_TEST_CASE(what_one_side_removed_and_the_other_changed_overlaps) {
    const Json before{{"config", {{"port", 80}}}};
    const Json ours = Json::object();
    const Json theirs{{"config", {{"port", 81}}}};

    const auto merged = merged_members(before, ours, theirs);

    BOOST_REQUIRE(merged.overlaps.size() == 1U);
    BOOST_TEST(merged.overlaps[0].member == "config");
    BOOST_TEST(merged.overlaps[0].ours.is_null());
    BOOST_TEST(merged.document == theirs);
    BOOST_TEST(merged_members(before, theirs, ours).document == ours);
}

BOOST_AUTO_TEST_CASE(the_same_change_of_both_is_no_overlap) {
    const Json before{{"label", "Shop"}};
    const Json both{{"label", "Store"}, {"icon", "x"}};

    const auto merged = merged_members(before, both, both);

    BOOST_TEST(merged.document == both);
    BOOST_TEST(merged.overlaps.empty());
    BOOST_TEST(merged.theirs.empty());
}

BOOST_AUTO_TEST_CASE(what_one_side_removed_goes_unless_the_other_changed_it) {
    const Json before{{"label", "Shop"}, {"icon", "x"}, {"size", {{"max", 9}}}};
    const Json ours{{"icon", "x"}, {"size", {{"max", 9}}}};
    const Json theirs{{"label", "Shop"}, {"size", {{"max", 4}}}};

    const auto merged = merged_members(before, ours, theirs);

    BOOST_TEST(merged.document == (Json{{"size", {{"max", 4}}}}));
    BOOST_TEST(merged.overlaps.empty());
    BOOST_TEST(merged.theirs == (std::vector<std::string>{"icon", "size.max"}),
               boost::test_tools::per_element());
    const auto all = [](const std::string&) { return true; };
    BOOST_TEST(
        merged_members(before, Json{{"label", "Shop"}, {"icon", "x"}}, theirs, all).document ==
        (Json{{"label", "Shop"}}));
}

BOOST_AUTO_TEST_CASE(null_is_a_value_and_no_missing_member) {
    const Json before{{"suffix", "example"}};
    const Json ours{{"suffix", nullptr}};

    BOOST_TEST(merged_members(before, ours, before).document == ours);
    BOOST_TEST(merged_members(before, before, ours).document == ours);
    const auto merged = merged_members(before, ours, Json::object());
    BOOST_REQUIRE(merged.overlaps.size() == 1U);
    BOOST_TEST(merged.document == Json::object());
}

BOOST_AUTO_TEST_CASE(a_value_that_became_an_object_or_a_list_is_taken_whole) {
    const Json before{{"port", 80}, {"map", {{"a", 1}}}};
    const Json ours{{"port", {{"web", 80}}}, {"map", {{"a", 1}}}};
    const Json theirs{{"port", 80}, {"map", {"a"}}};

    const auto merged = merged_members(before, ours, theirs);

    BOOST_TEST(merged.document == (Json{{"port", {{"web", 80}}}, {"map", {"a"}}}));
    BOOST_TEST(merged.overlaps.empty());
    BOOST_TEST(merged.theirs == (std::vector<std::string>{"map"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_both_added_is_merged_member_by_member) {
    const Json ours{{"config", {{"port", 80}, {"host", "a"}}}};
    const Json theirs{{"config", {{"user", "b"}, {"host", "c"}}}};

    const auto merged = merged_members(Json::object(), ours, theirs);

    BOOST_TEST(merged.document == (Json{{"config", {{"port", 80}, {"user", "b"}, {"host", "c"}}}}));
    const std::vector<Overlap> wanted{
        {.member = "config.host", .before = nullptr, .ours = "a", .theirs = "c"}};
    BOOST_TEST((merged.overlaps == wanted));
    BOOST_TEST(merged.theirs == (std::vector<std::string>{"config.user"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace provisioner::base
