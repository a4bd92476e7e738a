#include "fcgi/pages/catalogue/editors/removal.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/entries.hpp"

BOOST_AUTO_TEST_SUITE(removal_of_entries)

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;

namespace {

RemovalPage removal_of_base() {
    RemovalPage page{.kind = CatalogueKind::service};
    page.entries = {{.name = "base",
                     .references = {{{CatalogueKind::service, "web"}, "needs it to run", true},
                                    {{CatalogueKind::service, "web"}, "starts after it"}}}};
    return page;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_stands_in_the_way_is_said_once_with_a_link) {
    const Json json = to_json(removal_of_base());

    BOOST_TEST(json.at("may_delete") == false);
    const Json& entry = json.at("entries")[0];
    BOOST_REQUIRE(entry.at("references").size() == 1);
    const Json& reference = entry.at("references")[0];
    BOOST_TEST(reference.at("what") == "Service");
    BOOST_TEST(reference.at("from_href") == "/catalogue/services/web");
    BOOST_TEST(reference.at("how") == "needs it to run and starts after it");
    BOOST_TEST(reference.at("blocks") == true);
}

BOOST_AUTO_TEST_CASE(a_mere_mention_does_not_stand_in_the_way) {
    RemovalPage page = removal_of_base();
    page.entries[0].references[0].blocks = false;

    BOOST_TEST(to_json(page).at("may_delete") == true);
}

BOOST_AUTO_TEST_CASE(the_question_names_the_kind_and_leads_to_its_history) {
    RemovalPage page = removal_of_base();
    BOOST_TEST(title_of(page) == "Service base cannot be deleted");
    page.entries[0].references.clear();
    BOOST_TEST(title_of(page) == "Delete service base?");
    page.entries.push_back({.name = "old"});
    BOOST_TEST(title_of(page) == "Delete the 2 selected services?");
    BOOST_TEST(to_json(page).at("history_href") == "/history/services");
}

BOOST_AUTO_TEST_CASE(the_question_counts_the_clusters_of_a_template_or_provider) {
    RemovalPage page{.kind = CatalogueKind::provider,
                     .entries = {{.name = "a cloud", .clusters = {2, 9}}, {.name = "free"}}};
    const Json json = to_json(page);

    const Json& used = json.at("entries").at(0);
    BOOST_TEST(used.at("clusters") == "2 current clusters have their machines there");
    BOOST_TEST(used.at("clusters_href") == "/clusters?provider=a%20cloud");
    BOOST_TEST(json.at("entries").at(1).at("clusters") == "");
    page.kind = CatalogueKind::cluster_template;
    const Json of_template = to_json(page);
    BOOST_TEST(of_template.at("entries").at(0).at("clusters") ==
               "2 current clusters were made from it");
    BOOST_TEST(of_template.at("entries").at(0).at("clusters_href") ==
               "/clusters?template=a%20cloud");
}

BOOST_AUTO_TEST_CASE(the_question_says_whose_draft_goes_with_its_template) {
    const RemovalPage page{.kind = CatalogueKind::cluster_template,
                           .entries = {{.name = "shop", .draft_by = "ada"}, {.name = "web"}}};

    const Json json = to_json(page);

    BOOST_TEST(json.at("entries").at(0).at("draft") ==
               "The draft of a change by ada is deleted with it, and not restored with it.");
    BOOST_TEST(json.at("entries").at(1).at("draft") == "");
}

BOOST_AUTO_TEST_CASE(lists_and_pages_of_entries_say_which_clusters_use_them) {
    const Json list =
        to_json(CataloguePage{.kind = CatalogueKind::cluster_template,
                              .entries = {Json{{"name", "bigweb"}}, Json{{"name", "none"}}},
                              .clusters = {{"bigweb", {4, 1146}}},
                              .sort = "used",
                              .is_descending = true});
    BOOST_TEST(list.at("entries").at(0).at("clusters") == "4 clusters, 1,146 machines");
    BOOST_TEST(list.at("entries").at(0).at("clusters_href") == "/clusters?template=bigweb");
    BOOST_TEST(list.at("entries").at(1).at("clusters") == "");

    EntryPage page{.kind = CatalogueKind::provider, .entry = {{"name", "sim"}}};
    BOOST_TEST(to_json(page).at("is_unused") == true);
    page.clusters = {1, 3};
    BOOST_TEST(to_json(page).at("is_unused") == false);
    BOOST_TEST(to_json(page).at("clusters") == "1 cluster, 3 machines");
}

BOOST_AUTO_TEST_SUITE_END()
