#include "fcgi/pages/catalogue/editors/removal.hpp"

#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_SUITE_END()
