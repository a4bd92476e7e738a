#include <boost/algorithm/string/erase.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "fcgi/http/prefix.hpp"
#include "fcgi/pages/clusters/jobs/job_page.hpp"
#include "fcgi/views/live_parts.hpp"
#include "fcgi/views/renderer.hpp"
#include "provisioner/messages/reader.hpp"
#include "samples.hpp"

BOOST_AUTO_TEST_SUITE(templates)

// A misspelt tag draws nothing, so these tests read the views themselves: every tag must be reached
// and filled by the samples of its page.
namespace {

using fcgi::views::load_views;
using fcgi::views::page_text;
using fcgi::views::Renderer;
using fcgi::views::ViewTexts;
using provisioner::base::Json;
using Names = std::set<std::string>;

struct Tag {
    /// '#', '^' or ' ' for a value.
    char kind = ' ';
    std::string name;
    std::vector<Tag> inside;
    bool filled = false;
};

std::vector<Tag> parse(std::sregex_iterator& at) {
    std::vector<Tag> tags;
    for (; at != std::sregex_iterator(); ++at) {
        const std::string sign = (*at)[1];
        if (sign == "/") return tags;
        tags.push_back({sign.empty() ? ' ' : sign[0], (*at)[2], {}, false});
        if (!sign.empty()) tags.back().inside = parse(++at);
        if (at == std::sregex_iterator()) break;
    }
    return tags;
}

std::vector<Tag> tags_of(const std::string& text) {
    static const std::regex tag(R"(\{\{([#^/]?)\s*([\w.]+)\s*\}\})");
    std::sregex_iterator at(text.begin(), text.end(), tag);
    return parse(at);
}

using Stack = std::vector<const Json*>;

const Json* find(const Stack& stack, const std::string& name) {
    for (auto scope = stack.rbegin(); scope != stack.rend(); ++scope) {
        const Json* at = *scope;
        std::istringstream parts(name);
        for (std::string part; at && std::getline(parts, part, '.');)
            at = provisioner::base::member(*at, part);
        if (at) return at;
    }
    return nullptr;
}

bool counts_as_no(const Json& value) {
    return value.is_null() || value == false || value == "" || (value.is_array() && value.empty());
}

/// Walks the tags as a drawing would, marks those that found a value and collects those that did
/// not.
void walk(std::vector<Tag>& tags, Stack& stack, Names& unknown) {
    for (Tag& tag : tags) {
        const Json* value = find(stack, tag.name);
        if (!value) {
            unknown.insert(tag.name);
            continue;
        }
        tag.filled = tag.filled || tag.kind != ' ' || !counts_as_no(*value);
        if (tag.kind == ' ' || (tag.kind == '^') != counts_as_no(*value)) continue;
        const std::vector<Json> one{*value};
        const auto& items = value->is_array() ? value->get_ref<const Json::array_t&>() : one;
        for (const Json& item : items) {
            stack.push_back(&item);
            walk(tag.inside, stack, unknown);
            stack.pop_back();
        }
    }
}

/// Every tag's name, and whether some drawing filled it.
void collect(const std::vector<Tag>& tags, std::map<std::string, bool>& filled) {
    for (const Tag& tag : tags) {
        filled[tag.name] = filled[tag.name] || tag.filled;
        collect(tag.inside, filled);
    }
}

std::string joined(const Names& names) {
    std::string text;
    for (const auto& name : names) text += ' ' + name;
    return text;
}

const ViewTexts& views() {
    static const ViewTexts texts = load_views("views");
    return texts;
}

std::map<std::string, std::vector<samples::Sample>> samples_by_view() {
    std::map<std::string, std::vector<samples::Sample>> found;
    for (auto& sample : samples::all()) found[sample.view].push_back(sample);
    return found;
}

bool is_page(const std::string& name) {
    return name != "layout" && name.find("/_") == std::string::npos;
}

Names all_matches(const std::string& text, const std::regex& pattern) {
    Names found;
    for (std::sregex_iterator at(text.begin(), text.end(), pattern); at != std::sregex_iterator();
         ++at) {
        std::istringstream words((*at)[1]);
        for (std::string word; words >> word;) found.insert(word);
    }
    return found;
}

/// The text of the first such element, without the blanks around it.
std::string text_of_element(const std::string& html, const std::string& name) {
    const std::string begin = '<' + name + '>';
    const auto at = html.find(begin) + begin.size();
    return html.substr(at, html.find("</" + name, at) - at);
}

}  // namespace

BOOST_AUTO_TEST_CASE(pages_are_told_apart_by_their_headings_and_those_of_the_catalogue_by_titles) {
    const fcgi::views::Renderer renderer(views());
    std::map<std::string, std::string> view_of_heading;
    std::map<std::string, std::string> heading_of_title;
    for (const auto& sample : samples::all()) {
        const auto html = renderer.render(sample.view, sample.data);
        const auto heading = text_of_element(html, "h1");
        auto title = text_of_element(html, "title");
        BOOST_TEST(!heading.empty(), sample.name);
        // Tabs share the heading of what they are about.
        const bool is_tab = sample.view.starts_with("clusters/tabs/") || heading == "Catalogue";
        const auto [seen, is_new] = view_of_heading.emplace(heading, sample.view);
        BOOST_TEST((is_tab || is_new || seen->second == sample.view),
                   sample.view << " and " << seen->second << " have the heading " << heading);
        if (!sample.view.starts_with("catalogue/")) continue;
        if (title.starts_with("Error: ")) title.erase(0, 7);
        BOOST_TEST((is_tab || title.starts_with(heading)), title << " is not " << heading);
        const auto page = sample.view + ": " + heading;
        const auto [known, first] = heading_of_title.emplace(title, page);
        BOOST_TEST((first || known->second == page),
                   page << " and " << known->second << ": " << title);
    }
}

BOOST_AUTO_TEST_CASE(what_an_address_says_wrongly_stands_below_the_heading) {
    const Renderer renderer(views());
    Names drawn;
    for (auto [view, of_view] : samples_by_view()) {
        if (page_text(views(), view).find("{{#address_notes}}") == std::string::npos) continue;
        Json data = of_view.front().data;
        data["has_address_notes"] = true;
        data["address_notes"] = Json::array({{{"note", "Unknown state “flying”."}}});

        const std::string html = renderer.render(view, data);

        const auto note = html.find("Unknown state “flying”.");
        BOOST_TEST((html.find("</h1>") < note && note != std::string::npos), view);
        drawn.insert(view);
    }
    BOOST_TEST(drawn.contains("clusters/index"));
    BOOST_TEST(drawn.contains("clusters/tabs/machines"));
    BOOST_TEST(drawn.contains("catalogue/index"));
}

BOOST_AUTO_TEST_CASE(every_page_has_a_sample) {
    const auto by_view = samples_by_view();

    for (const auto& [name, text] : views()) {
        if (is_page(name)) BOOST_TEST(by_view.contains(name), name + " has no sample");
    }
}

BOOST_AUTO_TEST_CASE(every_tag_is_known_to_every_sample_and_filled_by_some) {
    std::map<std::string, bool> filled;

    for (const auto& [view, of_view] : samples_by_view()) {
        auto tags = tags_of(page_text(views(), view));
        for (const auto& sample : of_view) {
            Names unknown;
            Stack stack{&sample.data};
            walk(tags, stack, unknown);
            BOOST_TEST(unknown.empty(), sample.name + " lacks:" + joined(unknown));
        }
        collect(tags, filled);
    }

    for (const auto& [name, ever] : filled) BOOST_TEST(ever, "no sample shows " + name);
}

BOOST_AUTO_TEST_CASE(a_misspelt_tag_would_be_found) {
    auto tags = tags_of("{{#nodes}}{{hostnmae}}{{/nodes}}");
    const Json data{{"nodes", {{{"hostname", "a"}}}}};
    Names unknown;
    Stack stack{&data};

    walk(tags, stack, unknown);

    BOOST_TEST(joined(unknown) == " hostnmae");
}

BOOST_AUTO_TEST_CASE(nothing_is_drawn_unescaped) {
    for (const auto& [name, text] : views()) {
        BOOST_TEST(text.find("{{{") == std::string::npos, name + " has {{{");
        BOOST_TEST(text.find("{{&") == std::string::npos, name + " has {{&");
        BOOST_TEST(text.find("{{=") == std::string::npos, name + " changes the delimiters");
    }
}

BOOST_AUTO_TEST_CASE(no_view_has_script_or_style_of_its_own) {
    static const std::regex own_code(
        R"((\sstyle\s*=)|(<style)|(\son\w+\s*=)|(<script(?![^>]*\ssrc=))|(javascript:))",
        std::regex::icase);

    for (const auto& [name, text] : views()) {
        BOOST_TEST(!std::regex_search(text, own_code),
                   name + " breaks the Content-Security-Policy");
    }
}

BOOST_AUTO_TEST_CASE(every_form_carries_the_csrf_token) {
    static const std::regex form(
        R"(<form[^>]*method="post"[^>]*>\s*(<input type="hidden" name="csrf")?)");

    for (const auto& [name, text] : views()) {
        for (std::sregex_iterator at(text.begin(), text.end(), form); at != std::sregex_iterator();
             ++at) {
            BOOST_TEST((*at)[1].matched, name + " has a form without a token");
        }
    }
}

BOOST_AUTO_TEST_CASE(every_live_part_has_the_mark_where_it_is_looked_for) {
    // fcgi/views/live_parts finds a part by an id, and the mark as the last attribute.
    static const std::regex live(R"(<[^>]*\sdata-live(?=[\s>=])[^>]*>)");
    static const std::regex found(R"(<[^>]*\sid="[^"]+"[^>]* data-live>)");

    for (const auto& [name, text] : views()) {
        for (std::sregex_iterator at(text.begin(), text.end(), live); at != std::sregex_iterator();
             ++at) {
            BOOST_TEST(std::regex_match(at->str(), found), name + " has the part " + at->str());
        }
    }
}

BOOST_AUTO_TEST_CASE(ids_are_unique_and_every_reference_leads_to_one) {
    static const std::regex id(R"re(\sid="([^"]+)")re");
    static const std::regex reference(
        R"re((?:\sfor|aria-describedby|aria-labelledby|href="#)="?([^">]+)")re");
    const Renderer renderer(views());

    for (const auto& sample : samples::all()) {
        const auto html = renderer.render(sample.view, sample.data);
        std::set<std::string> ids;
        for (std::sregex_iterator at(html.begin(), html.end(), id); at != std::sregex_iterator();
             ++at) {
            BOOST_TEST(ids.insert((*at)[1]).second,
                       sample.name + " has twice the id " + (*at)[1].str());
        }
        for (const auto& target : all_matches(html, reference)) {
            BOOST_TEST(ids.contains(target), sample.name + " refers to #" + target);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_a_browser_says_it_has_of_a_page_is_short) {
    // X-Live-Parts as static/js/live.js writes it; web servers take 8 KB in a header.
    constexpr std::size_t longest_header = 4096;
    using fcgi::views::LivePart;
    const std::function<std::size_t(const std::vector<LivePart>&)> size_of =
        [&](const std::vector<LivePart>& parts) {
            std::size_t size = 0;
            for (const LivePart& part : parts) {
                size += part.id.size() + std::string_view("=, ").size() +
                        fcgi::views::fingerprint(part).size() + size_of(part.parts);
            }
            return size;
        };
    // Pages with as many rows as they can have, of which not every sample has all.
    const auto fill = [](Json& page, const char* list, std::size_t count) {
        if (!page.is_object() || !page.contains(list) || page.at(list).empty()) return;
        Json& rows = page.at(list);
        Json row = rows.front();
        rows.clear();
        for (std::size_t i = 0; i < count; ++i) {
            row["number"] = 123'000'000 + i;
            rows.push_back(row);
        }
    };
    const Renderer renderer(views());

    std::size_t largest = 0;
    int full = 0;
    for (auto& sample : samples::all()) {
        if (sample.view == "clusters/tabs/job") {
            fill(sample.data, "path", fcgi::pages::longest_path);
            fill(sample.data, "tasks", fcgi::pages::tasks_on_a_page);
            fill(sample.data.at("picture"), "lanes", fcgi::pages::most_lanes);
            ++full;
        }
        const auto html = renderer.render(sample.view, sample.data);
        const auto size = size_of(fcgi::views::live_parts(html));
        BOOST_TEST(size <= longest_header, sample.name + ": " + std::to_string(size));
        largest = std::max(largest, size);
    }
    BOOST_TEST(full > 2);
    BOOST_TEST(largest > 2000U);
}

BOOST_AUTO_TEST_CASE(every_address_of_this_site_on_every_page_gets_the_prefix) {
    static const std::regex attribute(R"re((\s[\w-]+="/[^"]*"))re");
    const fcgi::http::Prefix prefix("/some/where");
    const Renderer renderer(views());

    for (const auto& sample : samples::all()) {
        const auto page =
            prefix.add(fcgi::http::html(200, renderer.render(sample.view, sample.data)));
        const auto found = all_matches(page.body, attribute);
        BOOST_TEST(found.size() > 2);
        for (const auto& one : found) {
            const bool is_field = one.starts_with("value=");
            BOOST_TEST((is_field || one.find("=\"/some/where/") != std::string::npos),
                       sample.name + " has without the prefix: " + one);
        }
    }
}

namespace {

std::string without_blanks(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(translated_views_draw_the_same_pages_with_other_words) {
    provisioner::messages::Messages::Texts louder;
    for (const auto& [text, place] : fcgi::views::texts_for_translators(views())) {
        louder[text] = {"»" + text};
    }
    const Renderer renderer(views(), {provisioner::messages::Messages("en-XA", louder)});
    for (const auto& sample : samples::all()) {
        const std::string english = renderer.render(sample.view, sample.data);
        const provisioner::messages::Reader reader(renderer.wanted("en-XA"));
        std::string page = renderer.render(sample.view, sample.data);
        BOOST_TEST(page != english, sample.name);
        boost::erase_all(page, "»");
        boost::replace_all(page, "lang=\"en-XA\"", "lang=\"en\"");
        BOOST_TEST((without_blanks(page) == without_blanks(english)), sample.name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
