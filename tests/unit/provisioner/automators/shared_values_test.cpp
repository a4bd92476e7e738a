#include "provisioner/automators/shared_values.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/automators/cluster_facts.hpp"
#include "provisioner/automators/document_values.hpp"
#include "provisioner/automators/pieced_text.hpp"

using namespace provisioner::automators;
using provisioner::base::Json;

BOOST_AUTO_TEST_SUITE(shared_values)

namespace {

/// Long enough to be shared.
const std::string long_text(10'000, 'x');

/// Own texts as they are, shared ones as "<bytes>".
std::string drawn_pieces(const PiecedText& text) {
    std::string drawn;
    for (const auto& piece : text.pieces()) {
        const bool own = std::holds_alternative<std::string>(piece);
        drawn +=
            own ? std::string(text_of(piece)) : "<" + std::to_string(text_of(piece).size()) + ">";
    }
    return drawn;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_value_is_made_and_written_once_for_all_documents_of_a_memo) {
    const auto memo = std::make_shared<provisioner::base::Memo>();
    int made = 0;
    PiecedText texts[2];
    for (PiecedText& text : texts) {
        SharedValues shared(memo);
        const Json reference = shared.refer_to("long", [&] { return ++made, Json(long_text); });
        text = json_text({{"a", 1}, {"long", reference}, {"again", {reference}}}, shared);
    }

    BOOST_TEST(made == 1);
    BOOST_TEST(drawn_pieces(texts[0]) == R"({"a":1,"long":<10002>,"again":[<10002>]})");
    BOOST_TEST((texts[0].pieces() == texts[1].pieces()));
    BOOST_TEST(texts[0].joined() ==
               Json({{"a", 1}, {"long", long_text}, {"again", {long_text}}}).dump());
    BOOST_TEST(texts[0].size() == texts[0].joined().size());
}

BOOST_AUTO_TEST_CASE(a_short_one_is_a_part_of_the_text) {
    SharedValues shared;
    const Json reference = shared.refer_to("short", [] { return Json({"a", nullptr}); });

    BOOST_TEST(drawn_pieces(json_text({{"short", reference}}, shared)) ==
               R"({"short":["a",null]})");
}

BOOST_AUTO_TEST_CASE(a_change_of_a_shared_value_is_shared_too) {
    SharedValues shared;
    const Json reference = shared.refer_to("long", [] { return Json(long_text); });
    int changes = 0;
    const auto double_it = [&](const Json& json) {
        ++changes;
        return Json(json.get<std::string>() + json.get<std::string>());
    };

    const Json twice = shared.changed(reference, "twice", double_it);
    const Json strings = with_strings({{"a", reference}, {"b", "c"}}, shared, "ended",
                                      [](const std::string& text) { return Json(text + "!"); });

    BOOST_TEST(is_reference(twice));
    BOOST_TEST(changes == 0);
    BOOST_TEST(drawn_pieces(json_text({twice, twice}, shared)) == "[<20002>,<20002>]");
    BOOST_TEST(changes == 1);
    BOOST_TEST(drawn_pieces(json_text(strings, shared)) == R"({"a":<10003>,"b":"c!"})");
    BOOST_TEST(shared.changed(Json("a"), "twice", double_it) == "aa");
}

BOOST_AUTO_TEST_CASE(a_table_of_values_is_the_same_with_and_without_references) {
    SharedValues shared;
    const Json nodes = {{"n0", {{"name", long_text}, {"tags", {"a", "b\tc"}}}}};
    const Json document = {
        {"id", 1},
        {"nodes", shared.refer_to("nodes", [&] { return nodes; })},
        {"list",
         {"one", shared.refer_to("text", [] { return Json(long_text + "\n"); }), {"in", "a"}}},
    };
    const Json plain = {
        {"id", 1}, {"nodes", nodes}, {"list", {"one", long_text + "\n", {"in", "a"}}}};

    const PiecedText table = values_table(document, shared);

    BOOST_TEST(table.joined() == values_table(plain, SharedValues()).joined());
    // The list's own line, the line of its second element and the nodes.
    const auto is_shared = [](const auto& piece) { return piece.index() == 1; };
    BOOST_TEST(std::count_if(table.pieces().begin(), table.pieces().end(), is_shared) == 3);
}

BOOST_AUTO_TEST_SUITE_END()
