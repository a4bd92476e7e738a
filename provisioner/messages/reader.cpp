#include "provisioner/messages/reader.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace provisioner::messages {

namespace {

thread_local const Messages* messages_here = nullptr;

/// As many as browsers send, and bounded.
constexpr std::size_t most_ranges = 16;

std::string in_small_letters(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// A language range and how much it is wanted, in thousandths.
struct Range {
    std::string language{};
    int weight = 1000;
};

/// "0.5" -> 500. What is no weight counts as 0.
int weight_in(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_weight = error == std::errc() && end == text.data() + text.size() && value <= 1;
    return is_weight ? static_cast<int>(value * 1000) : 0;
}

std::vector<Range> ranges_in(std::string_view header) {
    std::vector<Range> ranges;
    std::size_t begin = 0;
    for (std::size_t count = 0; count < most_ranges && begin < header.size(); ++count) {
        const std::size_t end = std::min(header.find(',', begin), header.size());
        const std::string_view part = header.substr(begin, end - begin);
        begin = end + 1;
        const auto semicolon = std::min(part.find(';'), part.size());
        Range range{in_small_letters(trimmed(part.substr(0, semicolon)))};
        if (semicolon < part.size()) {
            const auto parameter = trimmed(part.substr(semicolon + 1));
            range.weight = parameter.substr(0, 2) == "q=" ? weight_in(parameter.substr(2)) : 0;
        }
        if (!range.language.empty() && range.weight > 0) ranges.push_back(std::move(range));
    }
    std::stable_sort(ranges.begin(), ranges.end(), [](const Range& one, const Range& other) {
        return one.weight > other.weight;
    });
    return ranges;
}

}  // namespace

std::string wanted_language(std::string_view accept_language,
                            const std::vector<std::string>& languages) {
    for (const Range& range : ranges_in(accept_language)) {
        std::string wanted = range.language;
        while (true) {
            if (wanted == "en") return "";
            for (const std::string& language : languages) {
                if (in_small_letters(language) == wanted) return language;
            }
            const auto hyphen = wanted.rfind('-');
            if (hyphen == std::string::npos) break;
            wanted.resize(hyphen);
        }
    }
    return "";
}

Reader::Reader(const Messages* messages) {
    messages_here = messages;
}

Reader::~Reader() {
    messages_here = nullptr;
}

const Messages* messages_of_reader() {
    return messages_here;
}

}  // namespace provisioner::messages
