#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fcgi::views {

/// A text of a view that readers see, as translators get it: a sentence, a label, a heading, or the
/// value of an attribute that is read aloud or shown.
struct Segment {
    /// Where it stands in the view's text: [begin, end).
    std::size_t begin = 0;
    std::size_t end = 0;
    /// The text with single spaces. Values keep their form, "{{count}} machines". Elements within
    /// the sentence are numbered, "See <1>the versions</1>."; those that are not for translation
    /// (code, kbd, pre, samp, and what has translate="no") stand as a whole: "Run <1/> again."
    std::string text{};
    /// The numbered elements: what stands for <1>, </1>, <2> … in the view, in pairs. A whole one
    /// has an empty second part.
    std::vector<std::pair<std::string, std::string>> elements{};
};

/// The segments of a view in the order of its text. Elements of a line (a, strong, span …) belong
/// to the sentence around them; every other element, a section ({{#open}}) and a partial end it.
/// Script and style have none.
std::vector<Segment> segments_of(std::string_view view);

/// The view with each segment replaced by what `translate` makes of its text. Throws
/// std::runtime_error that names the text if a translation lacks a value or an element of the
/// original, or has one that the original lacks.
std::string with_translations(std::string_view view,
                              const std::function<std::string(const std::string&)>& translate);

}  // namespace fcgi::views
