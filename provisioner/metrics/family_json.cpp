#include "provisioner/metrics/family_json.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "provisioner/base/words.hpp"

namespace provisioner::base {

/// Words of "type".
template <>
inline constexpr std::array words<metrics::Type>{
    std::pair{metrics::Type::counter, std::string_view("counter")},
    std::pair{metrics::Type::gauge, std::string_view("gauge")},
    std::pair{metrics::Type::histogram, std::string_view("histogram")},
};

}  // namespace provisioner::base

namespace provisioner::metrics {

using base::Json;

namespace {

bool is_name(std::string_view text) {
    const auto is_part = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    return !text.empty() && (text[0] < '0' || text[0] > '9') &&
           std::all_of(text.begin(), text.end(), is_part);
}

std::optional<Sample> sample_from(const Json& json, const Family& family) {
    const bool is_histogram = family.type == Type::histogram;
    const std::size_t size = is_histogram ? 3 : 2;
    if (!json.is_array() || json.size() != size || !json[1].is_number()) return std::nullopt;
    Sample sample{.labels = base::strings_of(&json[0]), .value = json[1].get<double>()};
    if (sample.labels.size() != family.labels.size()) return std::nullopt;
    if (!is_histogram) return sample;
    if (!json[2].is_array() || json[2].size() != family.bounds.size() + 1) return std::nullopt;
    for (const Json& count : json[2]) {
        if (!count.is_number_unsigned()) return std::nullopt;
        sample.buckets.push_back(count.get<std::uint64_t>());
    }
    return sample;
}

std::optional<Family> family_from(const Json& json) {
    if (!json.is_object()) return std::nullopt;
    const auto text = [&](const char* name) {
        const Json* found = base::member(json, name);
        return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
    };
    const auto type = base::from_word<Type>(text("type"));
    Family family{.name = text("name"), .help = text("help"), .type = type.value_or(Type::gauge)};
    family.labels = base::strings_of(base::member(json, "labels"));
    const bool names_fit = is_name(family.name) && family.name.starts_with("cooperage_") &&
                           std::all_of(family.labels.begin(), family.labels.end(), is_name);
    const Json* samples = base::member(json, "samples");
    if (!type || !names_fit || samples == nullptr || !samples->is_array()) return std::nullopt;
    if (const Json* bounds = base::member(json, "bounds")) {
        for (const Json& bound : *bounds) {
            if (!bound.is_number()) return std::nullopt;
            family.bounds.push_back(bound.get<double>());
        }
    }
    for (const Json& one : *samples) {
        if (auto sample = sample_from(one, family)) family.samples.push_back(*std::move(sample));
    }
    return family;
}

}  // namespace

Json to_json(const Families& families) {
    Json list = Json::array();
    for (const Family& family : families) {
        Json samples = Json::array();
        for (const Sample& sample : family.samples) {
            Json one = Json::array();
            one.push_back(sample.labels);
            one.push_back(sample.value);
            if (family.type == Type::histogram) one.push_back(sample.buckets);
            samples.push_back(std::move(one));
        }
        Json entry{{"name", family.name},
                   {"help", family.help},
                   {"type", base::to_word(family.type)},
                   {"labels", family.labels},
                   {"samples", std::move(samples)}};
        if (family.type == Type::histogram) entry["bounds"] = family.bounds;
        list.push_back(std::move(entry));
    }
    return list;
}

Families families_from(const Json& json) {
    Families families;
    if (!json.is_array()) return families;
    for (const Json& one : json) {
        if (auto family = family_from(one)) families.push_back(*std::move(family));
    }
    return families;
}

void add_labelled(Families& all, const std::string& label, const std::string& value,
                  Families more) {
    for (Family& family : more) {
        family.labels.insert(family.labels.begin(), label);
        for (Sample& sample : family.samples) sample.labels.insert(sample.labels.begin(), value);
        const auto known = std::find_if(all.begin(), all.end(),
                                        [&](const Family& one) { return one.name == family.name; });
        if (known == all.end()) {
            all.push_back(std::move(family));
        } else if (known->type == family.type && known->labels == family.labels &&
                   known->bounds == family.bounds) {
            std::move(family.samples.begin(), family.samples.end(),
                      std::back_inserter(known->samples));
        }
    }
}

}  // namespace provisioner::metrics
