#include "fcgi/pages/catalogue/files/sync_effects.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::operations::FileChange;

namespace {

FileChange change_of(const std::string& name, int before, int after) {
    return {.shelf = {.tenant = {}, .plugin = "shell", .resource_type = "scripts"},
            .name = name,
            .before = before,
            .after = after};
}

/// Web runs web.sh. Two templates have it by default, and one has not.
provisioner::operations::CatalogueEntries a_site() {
    Json web{{"name", "web"}, {"label", "Web"}};
    web["provisioner"]["actions"]["start"] =
        Json{{"type", "shell"}, {"fields", {{"script", "web.sh"}}}};
    const Json db{{"name", "db"}};
    const auto template_with = [](const std::string& name, const std::string& service) {
        Json made{{"name", name}};
        made["defaults"]["services"] = {service};
        return made;
    };
    return {{CatalogueKind::service, {web, db}},
            {CatalogueKind::cluster_template,
             {template_with("shop", "web"), template_with("trial", "web"),
              template_with("store", "db")}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_sync_takes_away_or_replaces_is_known_with_who_needs_it) {
    const auto effects = effects_of_sync({change_of("web.sh", 1, 0), change_of("web.sh", 1, 2),
                                          change_of("web.sh", 0, 1), change_of("other.sh", 1, 0)},
                                         a_site(), {"trial"});

    BOOST_REQUIRE(effects.size() == 2U);
    const std::vector<std::string> services{"web"};
    const std::vector<std::string> labels{"Web"};
    const std::vector<std::string> templates{"shop"};
    BOOST_TEST(effects[0].services == services, boost::test_tools::per_element());
    BOOST_TEST(effects[0].service_labels == labels, boost::test_tools::per_element());
    BOOST_TEST(effects[0].templates == templates, boost::test_tools::per_element());
    BOOST_TEST(effects[1].change.after == 2);
}

BOOST_AUTO_TEST_CASE(files_of_providers_are_needed_by_no_service) {
    auto change = change_of("web.sh", 1, 0);
    change.shelf.kind = provisioner::model::PluginKind::provider;

    BOOST_TEST(effects_of_sync({change}, a_site(), {}).empty());
}

BOOST_AUTO_TEST_CASE(
    a_sync_says_what_services_lose_who_offers_them_and_how_many_clusters_have_them) {
    SyncEffect effect{.change = change_of("web.sh", 1, 0),
                      .service_labels = {"Web"},
                      .templates = {"Shop"},
                      .clusters = 2};
    const auto words = [&] { return words_on_sync({effect}).front(); };

    BOOST_TEST(words() ==
               "Machines no longer get web.sh. Actions of Web need it, and fail on machines that "
               "are set up from then on. Offered cluster templates that use these services by "
               "default: Shop. 2 clusters have these services.");
    effect.templates.clear();
    effect.clusters = 1;
    effect.change.after = 3;
    BOOST_TEST(words() ==
               "Machines get version 3 of web.sh in place of version 1. Actions of Web use it. 1 "
               "cluster has these services.");
}
