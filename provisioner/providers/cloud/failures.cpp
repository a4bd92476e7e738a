#include "provisioner/providers/cloud/failures.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <numeric>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/base/words.hpp"

namespace provisioner::providers::cloud {

namespace {

constexpr std::size_t longest_words = 500;
constexpr std::size_t longest_content_type = 100;
constexpr std::size_t names_shown = 8;
/// Longer names are compared by their beginnings.
constexpr std::size_t longest_compared = 100;
/// A server that is not the cloud's may list very many names. So many are looked at, and so many of
/// them compared letter by letter; AWS has more than a thousand types of machines.
constexpr std::size_t most_looked_at = 100'000;
constexpr std::size_t most_compared = 5'000;
constexpr std::chrono::seconds longest_retry_after = std::chrono::hours{1};
/// Smaller numbers are no time of this century, and larger ones none that the clock's type holds.
constexpr std::int64_t least_epoch = 1'000'000'000;
constexpr std::int64_t most_epoch = 10'000'000'000;

Refused refused(std::string message, bool worth_retrying) {
    Refused answer;
    answer.message = std::move(message);
    answer.worth_retrying = worth_retrying;
    answer.nothing_created = true;
    return answer;
}

std::string lower(std::string_view text) {
    return base::in_small_letters(text.substr(0, longest_compared));
}

/// Levenshtein's distance, with one row.
std::size_t distance(const std::string& one, const std::string& other) {
    std::vector<std::size_t> row(other.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= one.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= other.size(); ++j) {
            const std::size_t replaced = diagonal + (one[i - 1] == other[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// An HTTP date: "Sun, 22 Nov 2026 18:52:35 GMT".
std::optional<base::Timestamp> http_date(const std::string& text) {
    std::tm parts{};
    const char* end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S", &parts);
    if (end == nullptr) return std::nullopt;
    return base::Timestamp(std::chrono::seconds(timegm(&parts)));
}

}  // namespace

Refusal wrong(std::string message) {
    return Refusal(refused(std::move(message), false));
}

void refuse_own_name(std::string_view field, std::string_view name) {
    if (!name.starts_with("cooperage-")) return;
    throw wrong(std::string(field) + ": \"" + std::string(name) +
                "\" belongs to Cooperage: machines of a cluster trust who has it");
}

Refusal busy(std::string message) {
    return Refusal(refused(std::move(message), true));
}

Refusal wrong_credentials(const http_client::Reply& reply, base::Timestamp now,
                          std::string_view said, std::chrono::seconds tolerated) {
    // The beginning is Coopr's.
    std::string message = "Provider credentials invalid/unauthorized";
    if (!said.empty()) message += ": " + words_of(said);
    const auto ahead = clock_ahead(reply, now);
    if (std::chrono::abs(ahead) > tolerated) {
        message += "; the clock of the provisioner's machine is " +
                   std::to_string(std::chrono::abs(ahead).count()) + " s " +
                   (ahead.count() > 0 ? "ahead of" : "behind") +
                   " the provider's, so signatures and tokens are refused: correct it";
    }
    return wrong(std::move(message));
}

std::chrono::seconds clock_ahead(const http_client::Reply& reply, base::Timestamp now) {
    const auto there = http_date(reply.header("date"));
    if (!there) return std::chrono::seconds{0};
    return std::chrono::duration_cast<std::chrono::seconds>(now - *there);
}

std::chrono::milliseconds retry_after(const http_client::Reply& reply, base::Timestamp now) {
    const std::string text = reply.header("retry-after");
    std::chrono::seconds wait{0};
    if (const auto seconds = base::parse_number(text)) {
        wait = std::chrono::seconds{std::min<std::int64_t>(*seconds, longest_retry_after.count())};
    } else if (const auto date = http_date(text)) {
        wait = std::chrono::ceil<std::chrono::seconds>(*date - now);
    }
    return std::clamp(wait, std::chrono::seconds{0}, longest_retry_after);
}

std::chrono::milliseconds until_reset(const http_client::Reply& reply, base::Timestamp now) {
    const auto number = base::parse_number(reply.header("ratelimit-reset"));
    if (!number) return std::chrono::milliseconds{0};
    const auto wait =
        *number < least_epoch
            ? std::chrono::seconds{*number}
            : std::chrono::ceil<std::chrono::seconds>(
                  base::Timestamp(std::chrono::seconds{std::min(*number, most_epoch)}) - now);
    return std::clamp<std::chrono::seconds>(wait, std::chrono::seconds{1}, std::chrono::minutes{1});
}

std::string unknown_name(std::string_view what, std::string_view name,
                         const std::vector<std::string>& known) {
    std::string text = "there is no " + std::string(what) + " \"" + words_of(name) + "\"";
    const auto near = near_names(name, known);
    if (!near.empty()) return text + "; near: " + listed(near);
    if (known.empty()) return text;
    const std::size_t shown = std::min(known.size(), names_shown);
    const auto last = known.begin() + static_cast<std::ptrdiff_t>(shown);
    text += "; there are " + listed(std::vector<std::string>(known.begin(), last));
    return known.size() > shown ? text + " and others" : text;
}

std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& known,
                                    std::size_t most) {
    const std::string wanted = lower(name);
    const std::size_t most_edits = std::max<std::size_t>(2, wanted.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> near;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < std::min(known.size(), most_looked_at); ++i) {
        const std::string& candidate = known[i];
        const std::string low = lower(candidate);
        const bool contains = !wanted.empty() && low.find(wanted) != std::string::npos;
        // As many letters as there are more or fewer have to be put in or taken out at least.
        const bool is_as_long =
            low.size() <= wanted.size() + most_edits && wanted.size() <= low.size() + most_edits;
        if (!contains && (!is_as_long || ++compared > most_compared)) continue;
        const std::size_t edits = contains ? 1 : distance(wanted, low);
        if (edits <= most_edits) near.emplace_back(edits, candidate);
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(most, near.size()); ++i) names.push_back(near[i].second);
    return names;
}

std::string form_of(const http_client::Reply& reply) {
    const std::string type = words_of(reply.header("content-type"));
    return "status " + std::to_string(reply.status) + ", " +
           (type.empty() ? "no content type"
                         : std::string(base::utf8_prefix(type, longest_content_type)));
}

std::string words_of(std::string_view text) {
    std::string words = base::to_utf8(text);
    for (char& c : words) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    }
    return std::string(base::utf8_prefix(words, longest_words));
}

}  // namespace provisioner::providers::cloud
