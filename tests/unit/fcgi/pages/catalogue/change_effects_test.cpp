#include "fcgi/pages/catalogue/change_effects.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/operations/clusters/template_sizes.hpp"

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::operations::CatalogueEntries;
using provisioner::operations::SizeTrouble;
namespace operations = provisioner::operations;
using Sentences = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(change_effects)

namespace {

Json a_service(const char* name, const char* dependencies, const char* label = "") {
    Json made{{"name", name},
              {"dependencies", Json::parse(dependencies)},
              {"provisioner", {{"actions", Json::object()}}}};
    for (const char* list : {"provides", "conflicts"}) {
        if (!made["dependencies"].contains(list)) made["dependencies"][list] = Json::array();
    }
    if (*label != '\0') made["label"] = label;
    return made;
}

/// Three templates: "shop" has both services, "draft" as well, "other" has one.
CatalogueEntries a_shop() {
    CatalogueEntries all;
    all[CatalogueKind::provider] = {Json{{"name", "sim"}}};
    all[CatalogueKind::hardware_type] = {
        Json::parse(R"({"name":"small","providermap":{"sim":{"flavor":"s"}}})"),
        Json::parse(R"({"name":"large","providermap":{"sim":{"flavor":"l"}}})")};
    all[CatalogueKind::image_type] = {
        Json::parse(R"({"name":"debian","providermap":{"sim":{"image":"d"}}})")};
    all[CatalogueKind::service] = {a_service("db", "{}"), a_service("web", "{}")};
    all[CatalogueKind::cluster_template] = {
        Json::parse(R"({"name":"draft","defaults":{"services":["db","web"],"provider":"sim"}})"),
        Json::parse(R"({"name":"other","defaults":{"services":["db"],"provider":"sim"}})"),
        Json::parse(R"({"name":"shop","label":"Shop",
                        "defaults":{"services":["db","web"],"provider":"sim"},
                        "constraints":{"services":{"web":{"hardwaretypes":["large"],
                            "imagetypes":[],"quantities":{"min":1,"max":1}}}}})")};
    return all;
}

CatalogueChange change_to(CatalogueKind kind, const Json& entry) {
    const auto all = a_shop();
    return {.before = all, .after = with_entry(all, kind, entry), .drafts = {"draft"}};
}

/// Works all out.
std::optional<std::vector<SizeTrouble>> worked_out(
    const std::string&, const provisioner::solver::LayoutProblem& problem) {
    return operations::troubles_of_sizes(operations::sizes_of_problem(problem));
}

void check(const Sentences& found, const Sentences& expected) {
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(services_that_conflict_from_now_on_are_asked_about_where_users_have_both) {
    const auto effects = effects_of_change(
        change_to(CatalogueKind::service, a_service("web", R"({"conflicts":["db"]})")), worked_out);

    check(words_to_confirm(effects),
          {"Cluster template Shop, offered to users: web conflicts with db, and both are among its "
           "default services."});
    // Drafts need no tick.
    check(notes_on(effects), {"Drafts, which users are not offered, are affected, too: draft."});
    BOOST_TEST(effects.broken.back().is_draft);
}

BOOST_AUTO_TEST_CASE(services_that_lose_what_they_require_are_asked_about_without_any_template) {
    auto change = change_to(CatalogueKind::service, a_service("web", "{}"));
    for (auto* all : {&change.before, &change.after}) {
        (*all)[CatalogueKind::cluster_template].clear();
        *all = with_entry(*all, CatalogueKind::service,
                          a_service("shop", R"({"runtime":{"requires":["kv"]}})", "Shop"));
    }
    check(words_to_confirm(effects_of_change(change, worked_out)), {});
    change.before = with_entry(change.before, CatalogueKind::service,
                               a_service("web", R"({"provides":["kv"]})"));

    check(words_to_confirm(effects_of_change(change, worked_out)),
          {"Service Shop needs kv, which nothing provides then."});
}

BOOST_AUTO_TEST_CASE(a_change_that_reaches_drafts_alone_asks_nothing) {
    auto change = change_to(CatalogueKind::service, a_service("web", R"({"conflicts":["db"]})"));
    change.drafts.insert("shop");

    check(words_to_confirm(effects_of_change(change, worked_out)), {});
}

BOOST_AUTO_TEST_CASE(sizes_that_a_change_makes_impossible_are_asked_about) {
    const Json emptied = Json::parse(R"({"name":"large","providermap":{}})");

    const auto effects =
        effects_of_change(change_to(CatalogueKind::hardware_type, emptied), worked_out);

    BOOST_REQUIRE(words_to_confirm(effects).size() == 1U);
    const auto said = words_to_confirm(effects).front();
    BOOST_TEST(said.starts_with("Cluster template Shop, offered to users: 1"));
    BOOST_TEST(said.ends_with(": not possible."));
    check(notes_on(effects), {});
}

BOOST_AUTO_TEST_CASE(a_new_label_or_what_was_so_before_is_no_news) {
    const auto conflict = R"({"conflicts":["db"]})";
    auto change = change_to(CatalogueKind::service, a_service("web", conflict, "Web server"));
    change.before = with_entry(change.before, CatalogueKind::service, a_service("web", conflict));

    check(words_to_confirm(effects_of_change(change, worked_out)), {});
}

BOOST_AUTO_TEST_CASE(fewer_sizes_that_do_not_work_are_no_news) {
    const auto change = change_to(CatalogueKind::hardware_type,
                                  Json::parse(R"({"name":"large","providermap":{}})"));
    int asked = 0;
    const auto better = [&](const std::string&, const auto&) {
        ++asked;
        // Of each template the sizes after the change are asked for first.
        return std::optional<std::vector<SizeTrouble>>{
            {{.first = 2, .last = asked % 2 == 1 ? 3 : 5}}};
    };
    const auto worse = [&](const std::string&, const auto&) {
        ++asked;
        return std::optional<std::vector<SizeTrouble>>{
            {{.first = 2, .last = asked % 2 == 1 ? 6 : 5}}};
    };

    check(words_to_confirm(effects_of_change(change, better)), {});
    asked = 0;
    BOOST_TEST(words_to_confirm(effects_of_change(change, worse)).front() ==
               "Cluster template other, offered to users: 2–6 machines: not possible.");
}

BOOST_AUTO_TEST_CASE(what_was_not_checked_is_told_and_needs_one_tick_whichever_it_is) {
    const auto change = change_to(CatalogueKind::hardware_type,
                                  Json::parse(R"({"name":"large","providermap":{}})"));
    const auto never = [](const std::string&, const auto&) { return std::nullopt; };
    int left = 1;
    const auto few = [&](const std::string& digest, const auto& problem) {
        return left-- > 0 ? worked_out(digest, problem) : std::nullopt;
    };

    const auto none = effects_of_change(change, never);
    const auto some = effects_of_change(change, few);

    check(words_to_confirm(none),
          {"The sizes of some templates are not checked: that takes too long."});
    check(notes_on(none), {"Sizes not checked: other, Shop and draft."});
    check(words_to_confirm(some), words_to_confirm(none));
    check(notes_on(some), {"Sizes not checked: Shop and draft."});
}

BOOST_AUTO_TEST_CASE(templates_that_are_checked_elsewhere_are_left_out) {
    auto change = change_to(CatalogueKind::service, a_service("web", R"({"conflicts":["db"]})"));
    change.apart = {"shop"};

    check(words_to_confirm(effects_of_change(change, worked_out)), {});
}

BOOST_AUTO_TEST_CASE(a_change_that_breaks_many_templates_tells_the_first) {
    auto change = change_to(CatalogueKind::service, a_service("web", R"({"conflicts":["db"]})"));
    for (int i = 0; i < 30; ++i) {
        const Json more{{"name", "t" + std::to_string(i)},
                        {"defaults", {{"services", {"db", "web"}}, {"provider", "sim"}}}};
        change.before[CatalogueKind::cluster_template].push_back(more);
        change.after[CatalogueKind::cluster_template].push_back(more);
    }

    const auto told = words_to_confirm(effects_of_change(change, worked_out));

    BOOST_TEST(told.size() == 21U);
    BOOST_TEST(told.back() == "And 11 more.");
}

BOOST_AUTO_TEST_SUITE_END()
