#include "fcgi/pages/catalogue/withheld_needs.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::model::Permission;
using provisioner::model::Role;
using provisioner::operations::CatalogueEntries;

BOOST_AUTO_TEST_SUITE(withheld_from_users)

namespace {

using Sentences = std::vector<std::string>;

const provisioner::model::EntryName shop_template{CatalogueKind::cluster_template, "shop"};
const provisioner::model::EntryName db_service{CatalogueKind::service, "db"};

CatalogueEntries a_shop() {
    CatalogueEntries all;
    all[CatalogueKind::provider] = {Json{{"name", "sim"}, {"label", "Simulated"}}};
    all[CatalogueKind::hardware_type] = {
        Json::parse(R"({"name":"small","providermap":{"sim":{"flavor":"s"}}})"),
        Json::parse(R"({"name":"large","providermap":{"sim":{"flavor":"l"}}})")};
    all[CatalogueKind::image_type] = {
        Json::parse(R"({"name":"debian","providermap":{"sim":{"image":"d"}}})")};
    all[CatalogueKind::service] = {Json{{"name", "db"}, {"label", "Database"}}};
    all[CatalogueKind::cluster_template] = {Json::parse(
        R"({"name":"shop","label":"Shop",
            "defaults":{"services":["db"],"provider":"sim","imagetype":"debian"}})")};
    return all;
}

/// Those who will be created, ada, bob of the group web, and carol, an operator.
Audience some_users() {
    return {.members = {{},
                        {.user = "ada"},
                        {.user = "bob", .groups = {"web"}},
                        {.user = "carol", .role = Role::cluster_operator}}};
}

Sentences broken_by(const provisioner::model::EntryName& entry,
                    const std::optional<Permission>& permission,
                    const Audience& audience = some_users()) {
    return broken_by_permission(a_shop(), audience, entry, permission);
}

void check(const Sentences& found, const Sentences& expected) {
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(who_loses_a_default_of_a_template_is_told_before_the_permission_is_saved) {
    check(broken_by(db_service, Permission{}),
          {"Cluster template Shop: None of its users may use its default service Database."});
    check(broken_by(db_service, Permission{.roles = {Role::cluster_operator}, .groups = {"web"}}),
          {"Cluster template Shop: ada may not use its default service Database."});
    check(broken_by({CatalogueKind::provider, "sim"}, Permission{.roles = {Role::user}}),
          {"Cluster template Shop: carol may not use its default provider Simulated."});
    check(broken_by({CatalogueKind::image_type, "debian"}, Permission{.users = {"ada", "bob"}}),
          {"Cluster template Shop: carol may not use its default image type debian."});
    check(broken_by(db_service, Permission{.users = {"ada", "bob", "carol"}}),
          {"Cluster template Shop: New users may not use its default service Database."});
}

BOOST_AUTO_TEST_CASE(a_permission_that_takes_nothing_away_breaks_nothing) {
    check(broken_by(db_service, std::nullopt), {});
    check(broken_by(db_service, Permission{.roles = {Role::user, Role::cluster_operator}}), {});
    check(broken_by({CatalogueKind::service, "cache"}, Permission{}), {});
    auto narrow = some_users();
    narrow.permissions[db_service] = {.groups = {"web"}};
    check(broken_by(db_service, Permission{.users = {"ada", "bob"}}, narrow), {});
}

BOOST_AUTO_TEST_CASE(what_a_draft_uses_nobody_loses) {
    auto audience = some_users();
    audience.permissions[shop_template] = {};
    check(broken_by(db_service, Permission{}, audience), {});

    audience.permissions[shop_template] = {.groups = {"web"}};
    check(broken_by(db_service, Permission{.users = {"bob"}}, audience), {});
}

BOOST_AUTO_TEST_CASE(a_template_is_not_offered_without_a_word_to_those_who_lack_its_defaults) {
    auto audience = some_users();
    audience.permissions[shop_template] = {};
    audience.permissions[db_service] = {.groups = {"web"}};

    check(broken_by(shop_template, Permission{.groups = {"web"}}, audience), {});
    check(broken_by(shop_template, std::nullopt, audience),
          {"Cluster template Shop: ada and carol may not use its default service Database."});
}

BOOST_AUTO_TEST_CASE(without_a_default_type_one_of_those_that_work_is_enough) {
    auto audience = some_users();
    check(broken_by({CatalogueKind::hardware_type, "small"}, Permission{}, audience), {});
    audience.permissions[{CatalogueKind::hardware_type, "small"}] = {};
    check(broken_by({CatalogueKind::hardware_type, "large"}, Permission{}, audience),
          {"Cluster template Shop: None of its users may use a hardware type that works at "
           "its provider."});
}

BOOST_AUTO_TEST_CASE(an_entry_names_the_templates_whose_users_it_is_withheld_from) {
    auto audience = some_users();
    check(words_on_entry_withheld(a_shop(), audience, db_service), {});
    audience.permissions[db_service] = {.users = {"ada"}};
    check(words_on_entry_withheld(a_shop(), audience, db_service),
          {"Cluster template Shop: bob and carol may not use its default service Database."});
}

BOOST_AUTO_TEST_SUITE_END()
