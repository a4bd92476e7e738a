#include "provisioner/operations/clusters/kept_sizes.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/size_store.hpp"
#include "provisioner/store/database/columns.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using model::CatalogueKind;
using operations::SizeTrouble;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(kept_sizes_of_templates)

namespace {

struct SizedSite {
    tests::FreshDatabase fresh;
    model::Caller caller = tests::a_caller(fresh.database);
    operations::SizesToDo to_do;

    SizedSite() { tests::save_small_catalogue(fresh.database, caller); }

    int round() {
        return operations::work_out_sizes(fresh.database, to_do, 60s, [] { return false; });
    }
    std::map<std::string, base::Json> kept() {
        return fresh.database.read([&](store::Connection& connection) {
            return store::list_template_sizes(connection, caller.tenant.id);
        });
    }
    base::Json stored() {
        return fresh.database
            .read([&](store::Connection& connection) {
                return store::find_entry(connection, caller.tenant.id,
                                         CatalogueKind::cluster_template, "pair");
            })
            .value();
    }
    void save(const base::Json& document) {
        BOOST_REQUIRE(operations::replace_entry(fresh.database, caller,
                                                CatalogueKind::cluster_template, "pair", document,
                                                tests::some_time())
                          .has_value());
    }
    void resize(int most) {
        auto document = stored();
        document["constraints"]["size"]["max"] = most;
        save(document);
    }
    /// Of the template as it is now, as pages work it out.
    operations::TemplateSizes sizes() {
        return operations::sizes_of_template(fresh.database, caller,
                                             model::cluster_template_from_json(stored()).value(),
                                             std::nullopt)
            .value();
    }
    void age() {
        fresh.database.write([](store::Connection& connection) {
            connection.sql("UPDATE template_sizes SET worked_out_at = '2020-01-01'") << store::exec;
        });
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_daemon_works_out_what_is_missing_once) {
    SizedSite site;
    BOOST_TEST(site.round() == 1);

    const auto kept = site.kept();
    BOOST_REQUIRE(kept.size() == 1U);
    BOOST_TEST(kept.begin()->first == site.sizes().digest);
    const std::vector<SizeTrouble> expected{{.first = 1, .last = 1}};
    BOOST_TEST((operations::troubles_from_json(kept.begin()->second) == expected));
    BOOST_TEST((operations::troubles_of_sizes(site.sizes()) == expected));
    BOOST_TEST(site.round() == 0);
    BOOST_TEST(site.to_do.tenants.empty());
}

BOOST_AUTO_TEST_CASE(what_was_changed_is_worked_out_again_unless_the_solver_does_not_read_it) {
    SizedSite site;
    site.round();
    auto document = site.stored();
    document["label"] = "Pair";
    site.save(document);
    BOOST_TEST(site.round() == 0);

    site.resize(30);

    BOOST_TEST(!site.kept().contains(site.sizes().digest));
    BOOST_TEST(site.round() == 1);
    BOOST_TEST(site.kept().contains(site.sizes().digest));
}

BOOST_AUTO_TEST_CASE(what_a_page_worked_out_is_kept_for_everybody) {
    SizedSite site;
    operations::keep_sizes(site.fresh.database, site.caller.tenant.id, site.sizes());
    operations::keep_sizes(site.fresh.database, site.caller.tenant.id, site.sizes());

    BOOST_TEST(site.kept().size() == 1U);
    BOOST_TEST(site.round() == 0);
    const auto other = tests::a_caller(site.fresh.database, "other");
    site.fresh.database.read([&](store::Connection& connection) {
        BOOST_TEST(store::list_template_sizes(connection, other.tenant.id).empty());
    });
}

BOOST_AUTO_TEST_CASE(an_answer_without_a_template_is_deleted_after_a_day) {
    SizedSite site;
    site.round();
    site.resize(30);
    site.round();
    BOOST_TEST(site.kept().size() == 2U);
    site.age();

    site.resize(40);
    site.round();

    // The one in use and no other: those of before are old.
    BOOST_TEST(site.kept().size() == 1U);
    site.age();
    site.resize(40);
    site.round();
    BOOST_TEST(site.kept().contains(site.sizes().digest));
}

BOOST_AUTO_TEST_CASE(a_round_that_ends_early_goes_on_in_the_next) {
    SizedSite site;
    BOOST_TEST(
        operations::work_out_sizes(site.fresh.database, site.to_do, 60s, [] { return true; }) == 0);
    BOOST_TEST(!site.to_do.tenants.empty());

    BOOST_TEST(site.round() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
