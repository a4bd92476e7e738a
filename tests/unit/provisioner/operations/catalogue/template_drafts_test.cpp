#include "provisioner/operations/catalogue/template_drafts.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/import_draft.hpp"

namespace provisioner::operations {

using model::CatalogueKind;

BOOST_AUTO_TEST_SUITE(template_drafts)

BOOST_AUTO_TEST_CASE(the_reasons_of_a_draft_are_kept_for_when_it_is_put_to_use) {
    const std::string longest(model::longest_note, 'a');

    BOOST_TEST(with_reason("", "") == "");
    BOOST_TEST(with_reason("", "smaller") == "smaller");
    BOOST_TEST(with_reason("smaller", "later") == "smaller; later");
    BOOST_TEST(with_reason("smaller; later", "later") == "smaller; later");
    BOOST_TEST(with_reason("smaller; later", "") == "smaller; later");
    BOOST_TEST(with_reason("smaller", longest) == longest);
}

BOOST_AUTO_TEST_CASE(a_draft_is_merged_with_what_is_in_force) {
    const model::TemplateDraft draft{.base = {{"label", "a"}, {"icon", "x"}},
                                     .document = {{"label", "a"}, {"icon", "y"}}};

    const auto merged = merged_with(draft, {{"label", "b"}, {"icon", "x"}, {"version", 4}});

    BOOST_TEST(merged.document == (base::Json{{"label", "b"}, {"icon", "y"}}));
    BOOST_TEST(merged.overlaps.empty());
}

BOOST_AUTO_TEST_CASE(a_new_template_cannot_pass_for_a_draft) {
    BOOST_TEST(sounds_like_draft(CatalogueKind::cluster_template, "shop.draft"));
    BOOST_TEST(!sounds_like_draft(CatalogueKind::cluster_template, "shop.drafts"));
    BOOST_TEST(!sounds_like_draft(CatalogueKind::service, "shop.draft"));
}

BOOST_AUTO_TEST_CASE(an_import_says_which_new_templates_would_pass_for_drafts) {
    const base::Json there{{"name", "old.draft"}, {"version", 1}};
    const base::Json catalogue{
        {"clustertemplates", {{{"name", "shop.draft"}}, {{"name", "old.draft"}}}}};

    const auto entries = draft_beside({{CatalogueKind::cluster_template, {there}}}, catalogue);

    BOOST_REQUIRE(entries.size() == 2U);
    BOOST_TEST((entries[0].state == DraftEntry::State::wrong));
    BOOST_TEST((entries[0].problems == base::Problems{problem_with_name_of_draft()}));
    BOOST_TEST((entries[1].state == DraftEntry::State::changed));
}

BOOST_AUTO_TEST_CASE(what_comes_twice_in_an_import_is_said_once_of_each_after_the_first) {
    const base::Json catalogue{{"services", {{{"name", "a"}}, {{"name", "a"}}, 7, 8}}};

    const auto entries = draft_beside({}, catalogue);

    BOOST_REQUIRE(entries.size() == 4U);
    BOOST_TEST(entries[0].problems.empty());
    BOOST_REQUIRE(entries[1].problems.size() == 1U);
    BOOST_TEST(entries[1].problems[0].message ==
               "The import has an entry of this name before this one.");
    for (const auto& entry : {entries[2], entries[3]}) {
        BOOST_TEST(std::ranges::none_of(entry.problems, [](const auto& problem) {
            return problem.message.find("of this name") != std::string::npos;
        }));
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace provisioner::operations
