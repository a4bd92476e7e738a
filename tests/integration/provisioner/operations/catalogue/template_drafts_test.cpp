#include "provisioner/operations/catalogue/template_drafts.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/exchange.hpp"
#include "provisioner/operations/catalogue/import_draft.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/prepare.hpp"
#include "provisioner/operations/clusters/resolve_template.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/draft_store.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using model::CatalogueKind;

BOOST_AUTO_TEST_SUITE(drafts_of_templates)

namespace {

base::Json a_template(const std::string& label, const std::string& description = "") {
    return {{"name", "shop"}, {"label", label}, {"description", description}};
}

struct DraftSite {
    tests::FreshDatabase fresh;
    model::Caller caller = tests::a_caller(fresh.database);

    DraftSite() {
        BOOST_REQUIRE(operations::create_entry(fresh.database, caller,
                                               CatalogueKind::cluster_template, a_template("Shop"),
                                               tests::some_time())
                          .has_value());
    }
    operations::Result<int> save(const base::Json& document) {
        return operations::replace_entry(fresh.database, caller, CatalogueKind::cluster_template,
                                         "shop", document, tests::some_time());
    }
    operations::Result<void> keep(const base::Json& document, long long seen,
                                  const std::string& note = "") {
        return operations::keep_template_draft(
            fresh.database, caller, "shop",
            {.document = document, .version = {1}, .number = seen, .note = note},
            tests::some_time());
    }
    std::optional<model::TemplateDraft> draft() {
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_template_draft(connection, caller.tenant.id, "shop");
        });
    }
    base::Json present() {
        return fresh.database
            .read([&](store::Connection& connection) {
                return store::find_entry(connection, caller.tenant.id,
                                         CatalogueKind::cluster_template, "shop");
            })
            .value_or(base::Json());
    }
    std::string actions() {
        const auto events = fresh.database.read([&](store::Connection& connection) {
            return store::list_events(connection, {.chain = caller.tenant.id, .object = "shop"}, 0,
                                      20);
        });
        std::string words;
        for (const auto& event : events) words += event.action + ' ' + event.reason + '\n';
        return words;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_draft_stands_beside_the_catalogue) {
    DraftSite site;

    BOOST_REQUIRE(site.keep(a_template("Store"), 0, "smaller").has_value());

    const auto exported = operations::export_catalogue(site.fresh.database, site.caller);
    BOOST_TEST(exported.at("clustertemplates").size() == 1U);
    BOOST_TEST(exported.at("clustertemplates").at(0).at("label") == "Shop");
    BOOST_TEST(site.draft()->document.at("label") == "Store");
    BOOST_TEST(site.draft()->begun_by == site.caller.user.name);
    BOOST_TEST(site.draft()->base_version == 1);
}

BOOST_AUTO_TEST_CASE(a_draft_is_saved_again_by_who_has_seen_it_only) {
    DraftSite site;
    BOOST_REQUIRE(site.keep(a_template("Store"), 0, "smaller").has_value());
    const auto first = site.draft()->number;

    const auto unseen = site.keep(a_template("Other"), 0);
    BOOST_REQUIRE(site.keep(a_template("Stores"), first, "later").has_value());
    const auto stale = site.keep(a_template("Other"), first);

    BOOST_REQUIRE(!unseen.has_value());
    BOOST_TEST((unseen.error().kind == operations::Refusal::Kind::conflict));
    BOOST_REQUIRE(!stale.has_value());
    BOOST_TEST(site.draft()->document.at("label") == "Stores");
    BOOST_TEST(site.draft()->note == "smaller; later");
    BOOST_TEST(site.draft()->number > first);
}

BOOST_AUTO_TEST_CASE(a_draft_put_to_use_keeps_what_others_saved_meanwhile) {
    DraftSite site;
    BOOST_REQUIRE(site.keep(a_template("Store"), 0, "smaller").has_value());
    BOOST_REQUIRE(site.save(a_template("Shop", "By ada")).has_value());
    const auto draft = *site.draft();
    const auto merged = operations::merged_with(draft, site.present());

    const auto use = [&](int version) {
        return operations::use_template_draft(site.fresh.database, site.caller, "shop",
                                              {.document = merged.document,
                                               .number = draft.number,
                                               .version = version,
                                               .note = "smaller"},
                                              tests::some_time());
    };
    const auto unseen = use(1);
    const auto used = use(2);

    BOOST_REQUIRE(!unseen.has_value());
    BOOST_TEST((unseen.error().kind == operations::Refusal::Kind::conflict));
    BOOST_REQUIRE(used.has_value());
    BOOST_TEST(*used == 3);
    BOOST_TEST(site.present().at("label") == "Store");
    BOOST_TEST(site.present().at("description") == "By ada");
    BOOST_TEST(!site.draft().has_value());
    BOOST_TEST(site.actions() ==
               "cluster-template.use-draft smaller\ncluster-template.replace \n"
               "cluster-template.keep-draft smaller\ncluster-template.create \n");
}

BOOST_AUTO_TEST_CASE(a_draft_ends_when_it_is_thrown_away_and_with_its_template) {
    DraftSite site;
    BOOST_REQUIRE(site.keep(a_template("Store"), 0).has_value());
    const auto drop = [&](long long number) {
        return operations::drop_template_draft(site.fresh.database, site.caller, "shop", number,
                                               "");
    };

    BOOST_TEST(!drop(site.draft()->number + 1).has_value());
    BOOST_TEST(drop(site.draft()->number).has_value());
    BOOST_TEST(!site.draft().has_value());
    BOOST_TEST(site.actions().starts_with("cluster-template.drop-draft"));

    BOOST_REQUIRE(site.keep(a_template("Store"), 0).has_value());
    operations::delete_entry(site.fresh.database, site.caller, CatalogueKind::cluster_template,
                             "shop", std::nullopt);
    BOOST_TEST(!site.draft().has_value());
}

BOOST_AUTO_TEST_CASE(clusters_of_a_draft_are_tried_by_administrators_only) {
    DraftSite site;
    BOOST_REQUIRE(site.keep(a_template("Store"), 0).has_value());

    const auto found = site.fresh.database.read([&](store::Connection& connection) {
        return operations::find_resolved_draft(connection, site.caller.tenant.id, "shop");
    });
    auto user = site.caller;
    user.user.role = model::Role::user;
    operations::CreateCluster wanted;
    wanted.name = "try";
    wanted.cluster_template = "shop";
    wanted.of_draft = true;
    wanted.machines = 1;
    const auto refused = site.fresh.database.read([&](store::Connection& connection) {
        return operations::prepare_cluster_frame(connection, user, wanted, tests::some_time());
    });

    BOOST_REQUIRE(found.has_value());
    BOOST_TEST(found->header.label.value_or("") == "Store");
    BOOST_TEST(found->header.version == 0);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().message == "cluster template shop does not exist.");
}

BOOST_AUTO_TEST_CASE(a_cluster_that_tries_a_draft_is_one_of_its_template) {
    tests::FreshDatabase fresh;
    const auto caller = tests::a_caller(fresh.database);
    tests::save_small_catalogue(fresh.database, caller);
    const auto pair = [&] {
        return fresh.database
            .read([&](store::Connection& connection) {
                return store::find_entry(connection, caller.tenant.id,
                                         CatalogueKind::cluster_template, "pair");
            })
            .value_or(base::Json());
    };
    auto smaller = pair();
    smaller["constraints"]["size"]["max"] = 4;
    BOOST_REQUIRE(operations::keep_template_draft(
                      fresh.database, caller, "pair",
                      {.document = smaller, .version = {pair().at("version").get<int>()}},
                      tests::some_time())
                      .has_value());
    operations::CreateCluster wanted;
    wanted.name = "try";
    wanted.cluster_template = "pair";
    wanted.of_draft = true;
    wanted.machines = 5;

    const auto too_large =
        operations::create_cluster(fresh.database, caller, wanted, tests::some_time());
    wanted.machines = 4;
    const auto made =
        operations::create_cluster(fresh.database, caller, wanted, tests::some_time());

    BOOST_TEST(!too_large.has_value());
    BOOST_REQUIRE(made.has_value());
    const auto cluster = fresh.database.read([&](store::Connection& connection) {
        return store::find_cluster(connection, caller, *made);
    });
    BOOST_REQUIRE(cluster.has_value());
    BOOST_TEST(cluster->snapshot.cluster_template.header.name == "pair");
    BOOST_TEST(cluster->snapshot.cluster_template.header.version == 0);
    BOOST_TEST(cluster->snapshot.cluster_template.constraints.size_max == 4);
}

BOOST_AUTO_TEST_CASE(no_new_template_passes_for_a_draft_however_it_is_made) {
    DraftSite site;
    auto sounding = a_template("Store");
    sounding["name"] = "shop.draft";
    const base::Json catalogue{{"clustertemplates", {sounding}}};

    const auto created =
        operations::create_entry(site.fresh.database, site.caller, CatalogueKind::cluster_template,
                                 sounding, tests::some_time());
    const auto imported = operations::import_catalogue(site.fresh.database, site.caller, catalogue,
                                                       tests::some_time());

    BOOST_REQUIRE(!created.has_value());
    BOOST_TEST(created.error().problems.front().field == "name");
    BOOST_REQUIRE(!imported.has_value());
    BOOST_TEST(imported.error().problems.front().field == "clustertemplates.shop.draft.name");
    BOOST_TEST(site.present().at("label") == "Shop");
}

BOOST_AUTO_TEST_CASE(new_templates_of_an_import_are_offered_only_on_demand_and_if_they_are_whole) {
    DraftSite site;
    const base::Json whole{{"name", "whole"}};
    const base::Json lacking{{"name", "lacking"}, {"defaults", {{"services", {"nowhere"}}}}};
    const base::Json catalogue{{"clustertemplates", {whole, lacking}}};
    const auto drafts_of = [&](bool offers, const std::string& name) {
        const auto done =
            operations::import_chosen(site.fresh.database, site.caller, catalogue,
                                      {{CatalogueKind::cluster_template, name, {0}}},
                                      {.offers_templates = offers}, tests::some_time());
        BOOST_REQUIRE(done.has_value());
        operations::delete_entry(site.fresh.database, site.caller, CatalogueKind::cluster_template,
                                 name, std::nullopt);
        operations::remove_permission(site.fresh.database, site.caller,
                                      {CatalogueKind::cluster_template, name});
        return done->front().is_draft;
    };

    BOOST_TEST(drafts_of(false, "whole"));
    BOOST_TEST(!drafts_of(true, "whole"));
    BOOST_TEST(drafts_of(true, "lacking"));
}

BOOST_AUTO_TEST_CASE(changes_of_an_import_can_be_kept_as_drafts) {
    DraftSite site;
    const base::Json catalogue{{"clustertemplates", {a_template("Store")}}};
    const auto import = [&](bool keeps) {
        return operations::import_chosen(site.fresh.database, site.caller, catalogue,
                                         {{CatalogueKind::cluster_template, "shop", {1}}},
                                         {.note = "why", .keeps_changes = keeps},
                                         tests::some_time());
    };

    const auto kept = import(true);
    const auto again = import(true);

    BOOST_REQUIRE(kept.has_value());
    BOOST_TEST(kept->front().is_draft);
    BOOST_TEST(site.present().at("label") == "Shop");
    BOOST_TEST(site.draft()->document.at("label") == "Store");
    BOOST_TEST(site.draft()->note == "why");
    BOOST_TEST(!again.has_value());
    const auto review = operations::draft_of_import(site.fresh.database, site.caller, catalogue);
    BOOST_TEST(review.front().has_draft);
    BOOST_TEST(review.front().is_offered);
    BOOST_TEST(import(false).has_value());
    BOOST_TEST(site.present().at("label") == "Store");
}

BOOST_AUTO_TEST_CASE(a_draft_that_exists_does_not_stop_the_rest_of_an_import) {
    DraftSite site;
    const auto import = [&](const char* label) {
        const base::Json catalogue{
            {"clustertemplates", {a_template(label), {{"name", "other"}, {"label", label}}}}};
        return operations::import_chosen(
            site.fresh.database, site.caller, catalogue,
            {{CatalogueKind::cluster_template, "shop", {1}},
             {CatalogueKind::cluster_template, "other", {0}}},
            {.offers_templates = true, .withheld = {"other"}, .keeps_changes = true},
            tests::some_time());
    };
    BOOST_REQUIRE(import("Store").has_value());
    operations::delete_entry(site.fresh.database, site.caller, CatalogueKind::cluster_template,
                             "other", std::nullopt);

    const auto done = import("Third");

    BOOST_REQUIRE(done.has_value());
    BOOST_TEST(done->at(0).is_left_out);
    BOOST_TEST(site.draft()->document.at("label") == "Store");
    BOOST_TEST(!done->at(1).is_left_out);
    BOOST_TEST(done->at(1).is_new);
    // To be checked first, though new templates are offered.
    BOOST_TEST(done->at(1).is_draft);
}

BOOST_AUTO_TEST_CASE(changes_to_a_template_that_nobody_is_offered_need_no_draft) {
    DraftSite site;
    const auto withheld = operations::set_permission(
        site.fresh.database, site.caller, {.entry = {CatalogueKind::cluster_template, "shop"}});
    BOOST_REQUIRE(withheld.has_value());

    const auto done = operations::import_chosen(site.fresh.database, site.caller,
                                                {{"clustertemplates", {a_template("Store")}}},
                                                {{CatalogueKind::cluster_template, "shop", {1}}},
                                                {.keeps_changes = true}, tests::some_time());

    BOOST_REQUIRE(done.has_value());
    BOOST_TEST(!done->front().is_draft);
    BOOST_TEST(site.present().at("label") == "Store");
}

BOOST_AUTO_TEST_SUITE_END()
