#include "fcgi/views/renderer.hpp"

#include <boost/test/unit_test.hpp>
#include <regex>
#include <thread>

#include "provisioner/messages/reader.hpp"

BOOST_AUTO_TEST_SUITE(renderer)

namespace {

using fcgi::views::page_text;
using fcgi::views::Renderer;
using fcgi::views::ViewTexts;
using provisioner::base::Json;
using provisioner::messages::Messages;
using provisioner::messages::Reader;

const ViewTexts views{
    {"layout", "<main>\n    {{> content}}\n</main>\n"},
    {"plain", "{{name}}"},
    {"list", "{{#items}}\n    {{> _item}}\n{{/items}}\n{{^items}}\nnone\n{{/items}}\n"},
    {"_item", "<li>{{title}}{{#note}} ({{note}}){{/note}}</li>\n"},
};

/// The page without the empty lines that skipped sections leave.
std::string render(const std::string& name, const Json& data) {
    static const std::regex empty_lines("\n+");
    return std::regex_replace(Renderer(views).render(name, data), empty_lines, "\n");
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_are_escaped) {
    const auto html = render("plain", {{"name", "<b>\"Tom\" & 'Jerry'</b>"}});

    BOOST_TEST(html ==
               "<main>\n&lt;b&gt;&quot;Tom&quot; &amp; &apos;Jerry&apos;&lt;/b&gt;\n</main>\n");
}

BOOST_AUTO_TEST_CASE(tags_in_values_are_text) {
    const auto html = render("plain", {{"name", "{{> content}}{{name}}"}});

    BOOST_TEST(html == "<main>\n{{&gt; content}}{{name}}\n</main>\n");
}

BOOST_AUTO_TEST_CASE(numbers_are_written_and_zero_is_a_value) {
    BOOST_TEST(render("plain", {{"name", 0}}) == "<main>\n0\n</main>\n");
    BOOST_TEST(render("plain", {{"name", -7}}) == "<main>\n-7\n</main>\n");
}

BOOST_AUTO_TEST_CASE(partials_are_drawn_for_each_item_and_empty_texts_are_no_sections) {
    const auto html = render(
        "list", {{"items", {{{"title", "a"}, {"note", ""}}, {{"title", "b"}, {"note", "x"}}}}});

    BOOST_TEST(html == "<main>\n<li>a</li>\n<li>b (x)</li>\n</main>\n");
}

BOOST_AUTO_TEST_CASE(an_empty_list_null_and_false_draw_the_inverted_section) {
    for (const Json& nothing : {Json::array(), Json(), Json(false), Json("")}) {
        BOOST_TEST(render("list", {{"items", nothing}}) == "<main>\nnone\n</main>\n");
    }
}

BOOST_AUTO_TEST_CASE(a_null_hides_the_value_of_the_same_name_around_it) {
    const Json data{{"note", "outer"}, {"items", {{{"title", "a"}, {"note", nullptr}}}}};

    BOOST_TEST(render("list", data) == "<main>\n<li>a</li>\n</main>\n");
}

BOOST_AUTO_TEST_CASE(wrong_views_are_found_before_the_first_request) {
    BOOST_CHECK_THROW(Renderer(ViewTexts{{"layout", "{{> content}}"}, {"a", "{{#open}}"}}),
                      std::runtime_error);
    BOOST_CHECK_THROW(Renderer(ViewTexts{{"layout", "{{> content}}"}, {"a", "{{> gone}}"}}),
                      std::runtime_error);
    BOOST_CHECK_THROW(Renderer(ViewTexts{{"a", "text"}}), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(views_that_include_each_other_are_an_error_and_no_crash) {
    const ViewTexts circle{{"layout", "{{> content}}"}, {"a", "{{> _b}}"}, {"_b", "{{> a}}"}};

    BOOST_CHECK_THROW(page_text(circle, "a"), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(an_unknown_page_is_a_programming_error) {
    BOOST_CHECK_THROW(render("nowhere", {}), std::logic_error);
    BOOST_CHECK_THROW(render("_item", {}), std::logic_error);
}

BOOST_AUTO_TEST_CASE(many_threads_draw_at_once) {
    const Renderer renderer(views);
    std::vector<std::thread> threads;
    std::array<int, 4> right{};

    for (std::size_t i = 0; i < right.size(); ++i) {
        threads.emplace_back([&, i] {
            const auto own = std::to_string(i);
            const auto expected = "<main>\n" + own + "\n</main>\n";
            for (int n = 0; n < 200; ++n)
                right[i] += renderer.render("plain", {{"name", own}}) == expected;
        });
    }
    for (auto& thread : threads) thread.join();

    for (const int count : right) BOOST_TEST(count == 200);
}

BOOST_AUTO_TEST_CASE(a_page_is_drawn_in_the_language_of_its_reader) {
    const ViewTexts some{{"layout", "<html lang=\"en\">{{> content}}"},
                         {"a", "<p>{{count}} machines</p>{{> _part}}"},
                         {"_part", "<p>Log in</p>"}};
    const Messages german("de", {{"{{count}} machines", {"{{count}} Maschinen"}}});
    const Renderer renderer(some, {german});
    const auto draw = [&] { return renderer.render("a", {{"count", 3}}); };

    BOOST_TEST(draw() == "<html lang=\"en\"><p>3 machines</p><p>Log in</p>\n");
    {
        const Reader reader(&german);
        BOOST_TEST(draw() == "<html lang=\"de\"><p>3 Maschinen</p><p>Log in</p>\n");
    }
    const Messages french("fr", {});
    const Reader other(&french);
    BOOST_TEST(draw() == "<html lang=\"en\"><p>3 machines</p><p>Log in</p>\n");
    BOOST_TEST(renderer.wanted("fr, de;q=0.5")->language() == "de");
    BOOST_TEST(renderer.wanted("fr, en") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_translation_that_does_not_fit_its_view_is_named) {
    const ViewTexts some{{"layout", "{{> content}}"}, {"a", "<p>{{count}} machines</p>"}};
    const Messages german("de", {{"{{count}} machines", {"Maschinen"}}});
    BOOST_CHECK_EXCEPTION(Renderer(some, {german}), std::runtime_error, [](const auto& error) {
        return std::string(error.what()).rfind("de, view a: the translation of", 0) == 0;
    });
}

BOOST_AUTO_TEST_SUITE_END()
