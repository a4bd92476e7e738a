#include "fcgi/views/segments.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

using fcgi::views::segments_of;
using fcgi::views::with_translations;

BOOST_AUTO_TEST_SUITE(segments)

namespace {

/// The texts, separated by " | ".
std::string texts_in(const std::string& view) {
    std::string all;
    for (const auto& segment : segments_of(view)) {
        all += (all.empty() ? "" : " | ") + segment.text;
    }
    return all;
}

std::string in_german(const std::string& english) {
    if (english == "See <1>the versions</1>, {{name}}.")
        return "{{name}}: <1>Versionen</1> ansehen.";
    if (english == "All of them") return "Alle";
    if (english == "Run <1/> again") return "<1/> nochmals";
    return english;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_sentence_between_elements_is_one_text) {
    BOOST_TEST(texts_in("<h1>Clusters</h1>\n<p>No clusters\n   yet</p><ul><li>a</li></ul>") ==
               "Clusters | No clusters yet | a");
    BOOST_TEST(texts_in("<label><input type=\"checkbox\"> Keep it</label>") == "Keep it");
}

BOOST_AUTO_TEST_CASE(elements_of_a_line_and_values_belong_to_their_sentence) {
    BOOST_TEST(texts_in("<p>See <a href=\"/x\">the versions</a>, {{name}}.</p>") ==
               "See <1>the versions</1>, {{name}}.");
    BOOST_TEST(texts_in("<p>Run <code>make {{x}}</code> again</p>") == "Run <1/> again");
    BOOST_TEST(texts_in("<p><b>Only <i>this</i></b></p>") == "Only <1>this</1>");
}

BOOST_AUTO_TEST_CASE(sections_and_partials_end_sentences) {
    BOOST_TEST(texts_in("<p>{{#open}}Is open{{/open}}{{^open}}Is closed{{/open}}</p>") ==
               "Is open | Is closed");
    BOOST_TEST(texts_in("<p>One {{> partials/_x}} two</p>") == "One | two");
    BOOST_TEST(texts_in("<a href=\"x\">{{#a}}One{{/a}} two</a>") == "One | two");
}

BOOST_AUTO_TEST_CASE(what_attributes_say_is_a_text) {
    BOOST_TEST(texts_in("<input placeholder=\"Name of it\" name=\"the name\">") == "Name of it");
    BOOST_TEST(texts_in("<a title=\"All {{count}}\">Show</a>") == "All {{count}} | Show");
    BOOST_TEST(texts_in("<b aria-label=\"{{#a}}On{{/a}}{{^a}}Off{{/a}}\">x</b>") == "On | Off | x");
}

BOOST_AUTO_TEST_CASE(what_has_no_words_is_no_text) {
    BOOST_TEST(texts_in("<p>{{count}} × {{name}}</p><p>&nbsp;·</p>") == "");
    BOOST_TEST(texts_in("<script>let a = 1;</script><style>a b</style><pre>x y</pre>") == "");
    BOOST_TEST(texts_in("<p translate=\"no\">As it is</p><!-- a note -->") == "");
    BOOST_TEST(texts_in("{{! a note }}<br>") == "");
}

BOOST_AUTO_TEST_CASE(a_translation_takes_the_place_of_its_text) {
    BOOST_TEST(
        with_translations("<p>\n  See <a href=\"/x\" title=\"All of them\">the\n versions</a>, "
                          "{{name}}.\n</p>",
                          in_german) ==
        "<p>\n  {{name}}: <a href=\"/x\" title=\"Alle\">Versionen</a> ansehen.\n</p>");
    BOOST_TEST(with_translations("<p>Run <code>make</code> again</p>", in_german) ==
               "<p><code>make</code> nochmals</p>");
}

BOOST_AUTO_TEST_CASE(a_translation_that_lost_a_value_or_an_element_is_refused) {
    const auto gives = [](const std::string& text) {
        return [text](const std::string&) { return text; };
    };
    const std::string view = "<p>Delete <b>{{name}}</b></p>";
    BOOST_CHECK_THROW(with_translations(view, gives("Löschen")), std::runtime_error);
    BOOST_CHECK_THROW(with_translations(view, gives("<1>{{name}} löschen")), std::runtime_error);
    BOOST_CHECK_THROW(with_translations(view, gives("<1>{{name}}</1><script>")),
                      std::runtime_error);
    BOOST_TEST(with_translations(view, gives("<1>{{name}}</1> löschen")) ==
               "<p><b>{{name}}</b> löschen</p>");
}

BOOST_AUTO_TEST_SUITE_END()
