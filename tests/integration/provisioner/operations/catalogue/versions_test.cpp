#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/exchange.hpp"
#include "provisioner/operations/catalogue/import_draft.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;
using model::CatalogueKind;

BOOST_AUTO_TEST_SUITE(catalogue_versions)

namespace {

base::Json an_image(const std::string& description) {
    return {{"name", "i1"}, {"description", description}, {"providermap", base::Json::object()}};
}

struct VersionSite {
    tests::FreshDatabase fresh;
    model::Caller caller = tests::a_caller(fresh.database);

    operations::Result<int> create(const std::string& description, const std::string& note = "") {
        return operations::create_entry(fresh.database, caller, CatalogueKind::image_type,
                                        an_image(description), tests::some_time(), {.note = note});
    }
    operations::Result<int> replace(const std::string& description,
                                    operations::EditOptions options = {}) {
        return operations::replace_entry(fresh.database, caller, CatalogueKind::image_type, "i1",
                                         an_image(description), tests::some_time(), options);
    }
    std::vector<model::CatalogueVersion> history() {
        return fresh.database.read([&](store::Connection& connection) {
            return store::list_versions(connection, caller.tenant.id, CatalogueKind::image_type,
                                        "i1");
        });
    }
    std::string history_words() {
        std::string text;
        for (const auto& line : history()) {
            text += base::to_word(line.act) + std::to_string(line.version) + " ";
        }
        return text;
    }
    std::optional<base::Json> present() {
        return fresh.database.read([&](store::Connection& connection) {
            return store::find_entry(connection, caller.tenant.id, CatalogueKind::image_type, "i1");
        });
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(each_write_leaves_a_line_with_who_and_why) {
    VersionSite site;
    BOOST_REQUIRE(site.create("a", "first").has_value());
    BOOST_REQUIRE(site.replace("b", {.note = std::string(2000, 'n')}).has_value());
    operations::delete_entry(site.fresh.database, site.caller, CatalogueKind::image_type, "i1",
                             std::nullopt);

    const auto lines = site.history();
    BOOST_TEST(site.history_words() == "delete2 change2 create1 ");
    BOOST_REQUIRE(lines.size() == 3U);
    BOOST_TEST(lines[2].note == "first");
    BOOST_TEST(lines[2].written_by == site.caller.user.name);
    BOOST_TEST(lines[1].note.size() == model::longest_note);
    // The audit log says why, too.
    const auto events = site.fresh.database.read([&](store::Connection& connection) {
        return store::list_events(
            connection, {.chain = site.caller.tenant.id, .action = "image-type.create"}, 0, 10);
    });
    BOOST_REQUIRE(events.size() == 1U);
    BOOST_TEST(events.front().reason == "first");
}

BOOST_AUTO_TEST_CASE(the_last_line_of_each_entry_is_read_at_once) {
    VersionSite site;
    BOOST_REQUIRE(site.create("a", "first").has_value());
    BOOST_REQUIRE(site.replace("b", {.note = "second"}).has_value());
    auto other = an_image("c");
    other["name"] = "I1";
    BOOST_REQUIRE(operations::create_entry(site.fresh.database, site.caller,
                                           CatalogueKind::image_type, other, tests::some_time(),
                                           {.note = "other"})
                      .has_value());

    auto lines = site.fresh.database.read([&](store::Connection& connection) {
        return store::last_version_of_each(connection, site.caller.tenant.id,
                                           CatalogueKind::image_type);
    });
    std::ranges::sort(lines, {}, [](const auto& line) { return line.first; });
    BOOST_REQUIRE(lines.size() == 2U);
    BOOST_TEST(lines[0].first == "I1");
    BOOST_TEST(lines[0].second.note == "other");
    BOOST_TEST(lines[1].first == "i1");
    BOOST_TEST(lines[1].second.note == "second");
    BOOST_TEST(lines[1].second.version == 2);
}

BOOST_AUTO_TEST_CASE(a_write_based_on_an_older_version_is_a_conflict) {
    VersionSite site;
    BOOST_REQUIRE(site.create("a").has_value());
    BOOST_REQUIRE(site.replace("b", {.based_on = model::SeenVersion{1}}).has_value());

    const auto second = site.replace("c", {.based_on = model::SeenVersion{1}});
    BOOST_REQUIRE(!second.has_value());
    BOOST_TEST((second.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST(site.present()->at("description") == "b");
}

BOOST_AUTO_TEST_CASE(what_was_deleted_can_be_restored) {
    VersionSite site;
    BOOST_REQUIRE(site.create("a").has_value());
    const auto line = site.history().front().id;
    operations::delete_entry(site.fresh.database, site.caller, CatalogueKind::image_type, "i1",
                             std::nullopt);

    BOOST_REQUIRE(operations::restore_entry(site.fresh.database, site.caller,
                                            CatalogueKind::image_type, "i1", line,
                                            tests::some_time())
                      .has_value());
    BOOST_TEST(site.present()->at("description") == "a");
    BOOST_TEST(site.history_words() == "restore1 delete1 create1 ");
    BOOST_TEST(site.history()[0].restored_version == 1);
    BOOST_TEST(site.history()[1].restored_version == 0);

    const auto deletion = site.history()[1].id;
    BOOST_TEST(!operations::restore_entry(site.fresh.database, site.caller,
                                          CatalogueKind::image_type, "i1", deletion,
                                          tests::some_time())
                    .has_value());
    BOOST_TEST(!operations::restore_entry(site.fresh.database, site.caller,
                                          CatalogueKind::image_type, "i2", line, tests::some_time())
                    .has_value());
}

BOOST_AUTO_TEST_CASE(
    an_entry_that_was_made_anew_with_the_same_number_is_not_the_one_that_was_seen) {
    VersionSite site;
    const auto seen = [&] {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::find_present_version(connection, site.caller.tenant.id,
                                               CatalogueKind::image_type, "i1");
        });
    };
    BOOST_REQUIRE(site.create("a").has_value());
    const auto first = seen();
    const auto line = site.history().front().id;
    operations::delete_entry(site.fresh.database, site.caller, CatalogueKind::image_type, "i1",
                             std::nullopt);
    BOOST_REQUIRE(site.create("b").has_value());
    const auto second = seen();
    BOOST_TEST(first.seen.version == second.seen.version);
    BOOST_REQUIRE(second.begun.has_value());
    BOOST_TEST(second.begun->id == site.history().front().id);

    const auto anew = "image type i1 was deleted and created anew by " + site.caller.user.name +
                      " meanwhile. Look at what changes.";
    const auto replaced = site.replace("c", {.based_on = first.seen});
    BOOST_REQUIRE(!replaced.has_value());
    BOOST_TEST(replaced.error().problems.front().message == anew);
    const auto restored =
        operations::restore_entry(site.fresh.database, site.caller, CatalogueKind::image_type, "i1",
                                  line, tests::some_time(), {.based_on = first.seen});
    BOOST_REQUIRE(!restored.has_value());
    BOOST_TEST(restored.error().problems.front().message == anew);
    const base::Json catalogue{{"imagetypes", {an_image("d")}}};
    const auto imported = [&](const model::SeenVersion& version) {
        return operations::import_chosen(
            site.fresh.database, site.caller, catalogue,
            {{.kind = CatalogueKind::image_type, .name = "i1", .seen = version}}, {},
            tests::some_time());
    };
    const auto refused = imported(first.seen);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().message == anew);
    BOOST_TEST(site.present()->at("description") == "b");
    const auto draft = operations::draft_of_import(site.fresh.database, site.caller, catalogue);
    BOOST_REQUIRE(draft.size() == 1U);
    BOOST_TEST((draft.front().line == second.seen.line));
    BOOST_TEST(imported(second.seen).has_value());
}

BOOST_AUTO_TEST_CASE(what_was_made_anew_meanwhile_is_not_replaced_by_what_was_deleted) {
    VersionSite site;
    BOOST_REQUIRE(site.create("a").has_value());
    const auto line = site.history().front().id;
    operations::delete_entry(site.fresh.database, site.caller, CatalogueKind::image_type, "i1",
                             std::nullopt);
    const auto restore = [&](int seen) {
        return operations::restore_entry(site.fresh.database, site.caller,
                                         CatalogueKind::image_type, "i1", line, tests::some_time(),
                                         {.based_on = model::SeenVersion{seen}});
    };
    BOOST_REQUIRE(site.create("b").has_value());

    const auto refused = restore(0);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST(site.present()->at("description") == "b");

    BOOST_TEST(restore(1).has_value());
    BOOST_TEST(site.present()->at("description") == "a");
    operations::delete_entry(site.fresh.database, site.caller, CatalogueKind::image_type, "i1",
                             std::nullopt);
    BOOST_TEST(restore(0).has_value());
}

BOOST_AUTO_TEST_CASE(an_import_leaves_lines_only_where_something_differs) {
    VersionSite site;
    BOOST_REQUIRE(site.create("a").has_value());
    const auto all = operations::export_catalogue(site.fresh.database, site.caller);
    BOOST_REQUIRE(
        operations::import_catalogue(site.fresh.database, site.caller, all, tests::some_time())
            .has_value());
    BOOST_TEST(site.history_words() == "create1 ");
    BOOST_REQUIRE(operations::import_catalogue(site.fresh.database, site.caller,
                                               base::Json::object(), tests::some_time())
                      .has_value());
    BOOST_TEST(site.history_words() == "delete1 create1 ");
}

BOOST_AUTO_TEST_CASE(chosen_entries_of_an_import_are_written_all_or_none) {
    using State = operations::DraftEntry::State;
    VersionSite site;
    BOOST_REQUIRE(site.create("a").has_value());
    auto second = an_image("b");
    second["name"] = "i2";
    const base::Json catalogue{{"imagetypes", {an_image("changed"), second, second}}};

    const auto draft = operations::draft_of_import(site.fresh.database, site.caller, catalogue);
    BOOST_REQUIRE(draft.size() == 3U);
    BOOST_TEST((draft[0].state == State::changed));
    BOOST_TEST(draft[0].version == 1);
    BOOST_TEST((draft[1].state == State::fresh));
    BOOST_TEST((draft[2].state == State::wrong));

    const auto import = [&](int seen) {
        return operations::import_chosen(
            site.fresh.database, site.caller, catalogue,
            {{CatalogueKind::image_type, "i2", {seen}}, {CatalogueKind::image_type, "i1", {1}}},
            {.note = "why"}, tests::some_time());
    };
    const auto refused = import(7);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST(site.present()->at("description") == "a");
    BOOST_TEST(site.history_words() == "create1 ");

    const auto done = import(0);
    BOOST_REQUIRE(done.has_value());
    BOOST_TEST(done->size() == 2U);
    BOOST_TEST(site.present()->at("description") == "changed");
    BOOST_TEST(site.history_words() == "import2 create1 ");
    const auto events = site.fresh.database.read([&](store::Connection& connection) {
        return store::list_events(
            connection, {.chain = site.caller.tenant.id, .action = "catalogue.import"}, 0, 10);
    });
    BOOST_REQUIRE(events.size() == 1U);
    BOOST_TEST(events.front().after ==
               R"({"entries":2,"names":["image type i1","image type i2"]})");
    BOOST_TEST(events.front().reason == "why");
}

BOOST_AUTO_TEST_CASE(the_newest_lines_of_an_entry_are_kept) {
    VersionSite site;
    site.fresh.database.write([&](store::Connection& connection) {
        for (int i = 1; i <= model::versions_kept + 3; ++i) {
            store::record_version(connection, site.caller.tenant.id, CatalogueKind::image_type,
                                  "i1", {.version = i, .document = an_image("x")});
        }
    });
    const auto lines = site.history();
    BOOST_TEST(lines.size() == static_cast<std::size_t>(model::versions_kept));
    BOOST_TEST(lines.back().version == 4);
}

BOOST_AUTO_TEST_SUITE_END()
