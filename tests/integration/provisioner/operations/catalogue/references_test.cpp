#include "provisioner/operations/catalogue/references.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using base::Json;
using model::CatalogueKind;
using operations::Refusal;

BOOST_AUTO_TEST_SUITE(catalogue_references)

namespace {

struct EditedSite {
    EditedSite() {
        save(CatalogueKind::service, Json{{"name", "base"}});
        save(CatalogueKind::service,
             Json::parse(R"({"name":"web","dependencies":{"provides":[],"conflicts":[],
                 "install":{"requires":[],"uses":[]},"runtime":{"requires":["base"],"uses":[]}}})"));
    }

    void save(CatalogueKind kind, const Json& entry) {
        const auto saved =
            operations::create_entry(fresh.database, caller, kind, entry, tests::some_time());
        BOOST_REQUIRE(saved.has_value());
    }

    operations::Result<int> replace(const std::string& description, int over) {
        return operations::replace_entry(fresh.database, caller, CatalogueKind::service, "base",
                                         Json{{"name", "base"}, {"description", description}},
                                         tests::some_time(),
                                         {.based_on = model::SeenVersion{over}});
    }

    bool is_there(const std::string& service) {
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_entry(connection, caller.tenant.id, CatalogueKind::service, service)
                .has_value();
        });
    }

    tests::FreshDatabase fresh;
    model::Caller caller = tests::a_caller(fresh.database);
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_is_needed_is_not_deleted_unless_all_of_it_goes, EditedSite) {
    const auto blocked =
        operations::delete_unused(fresh.database, caller, {{CatalogueKind::service, "base"}});

    BOOST_REQUIRE(!blocked.has_value());
    BOOST_TEST((blocked.error().kind == Refusal::Kind::conflict));
    BOOST_TEST(is_there("base"));

    const auto deleted = operations::delete_unused(
        fresh.database, caller,
        {{CatalogueKind::service, "base"}, {CatalogueKind::service, "web"}});
    BOOST_TEST(deleted.has_value());
    BOOST_TEST(!is_there("base"));
    BOOST_TEST(!is_there("web"));
}

BOOST_FIXTURE_TEST_CASE(a_version_that_somebody_else_saved_is_not_replaced_unseen, EditedSite) {
    BOOST_TEST(replace("mine", 1).value() == 2);

    const auto overtaken = replace("theirs", 1);

    BOOST_REQUIRE(!overtaken.has_value());
    BOOST_TEST((overtaken.error().kind == Refusal::Kind::conflict));
    BOOST_TEST(overtaken.error().problems.front().field == "version");
    BOOST_TEST(replace("theirs", 2).value() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
