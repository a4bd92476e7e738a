#include "provisioner/model/catalogue/entity_json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "provisioner/model/names.hpp"

namespace provisioner::model {

namespace {

using base::Json;

std::optional<std::int64_t> number_in(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<std::int64_t> whole_number_in(const Json& json) {
    if (json.is_string()) return number_in(json.get_ref<const std::string&>());
    if (json.is_number_unsigned()) {
        const auto number = json.get<std::uint64_t>();
        if (number > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (json.is_number_integer()) return json.get<std::int64_t>();
    if (!json.is_number_float()) return std::nullopt;
    // Beyond 2^53 a double no longer tells whole numbers apart.
    const double number = json.get<double>();
    if (std::trunc(number) != number || std::abs(number) > 9007199254740992.0) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

std::int64_t millis_of_unit(char unit) {
    switch (unit) {
        case 'd':
            return 86'400'000;
        case 'h':
            return 3'600'000;
        case 'm':
            return 60'000;
        case 's':
            return 1'000;
        default:
            return 0;
    }
}

std::optional<std::int64_t> duration_in(const Json& json) {
    const auto plain = whole_number_in(json);
    if (plain || !json.is_string()) return plain;
    const std::string_view text = json.get_ref<const std::string&>();
    if (text.empty()) return std::nullopt;
    const std::int64_t unit = millis_of_unit(text.back());
    const auto number = number_in(text.substr(0, text.size() - 1));
    if (unit == 0 || !number || *number > std::numeric_limits<std::int64_t>::max() / unit) {
        return std::nullopt;
    }
    // A negative one is refused by the caller whatever its size.
    return *number < 0 ? *number : *number * unit;
}

bool says_true(std::string_view text) {
    constexpr std::string_view word = "true";
    return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                      [](char a, char b) { return (a | 0x20) == b; });
}

}  // namespace

Json without_nulls(const Json& json) {
    if (json.is_array()) {
        Json copy = Json::array();
        for (const Json& element : json) copy.push_back(without_nulls(element));
        return copy;
    }
    if (!json.is_object()) return json;
    Json copy = Json::object();
    for (const auto& [key, value] : json.items()) {
        if (!value.is_null()) copy[key] = without_nulls(value);
    }
    return copy;
}

ObjectReader::ObjectReader(const Json* json, std::string path, base::Problems& problems)
    : json_(json), path_(std::move(path)), problems_(&problems) {
    if (json_ == nullptr || json_->is_object()) return;
    problem("", "must be an object");
    json_ = nullptr;
    silent_ = true;
}

std::string ObjectReader::path_of(std::string_view key) const {
    if (key.empty()) return path_;
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void ObjectReader::problem(std::string_view key, std::string message) {
    if (!silent_) problems_->push_back({path_of(key), std::move(message)});
}

void ObjectReader::require(std::string_view key) {
    if (!has(key)) problem(key, "must be given");
}

bool ObjectReader::mentions(std::string_view key) const {
    return json_ != nullptr && json_->contains(key);
}

const Json* ObjectReader::value(std::string_view key) const {
    if (json_ == nullptr) return nullptr;
    const Json* found = base::member(*json_, key);
    return found == nullptr || found->is_null() ? nullptr : found;
}

bool ObjectReader::has(std::string_view key) const {
    return value(key) != nullptr;
}

std::optional<std::string> ObjectReader::text_at(const Json& json, const std::string& path) {
    if (json.is_string()) return json.get<std::string>();
    if (json.is_number() || json.is_boolean()) return json.dump();
    problems_->push_back({path, "must be text, a number or a boolean"});
    return std::nullopt;
}

std::optional<std::string> ObjectReader::text(std::string_view key) {
    const Json* found = value(key);
    if (found == nullptr) return std::nullopt;
    return text_at(*found, path_of(key));
}

std::optional<int> ObjectReader::whole_number(std::string_view key) {
    const Json* found = value(key);
    if (found == nullptr) return std::nullopt;
    const auto number = whole_number_in(*found);
    if (!number || *number < std::numeric_limits<int>::min() ||
        *number > std::numeric_limits<int>::max()) {
        problem(key, "must be a whole number of at most 2147483647");
        return std::nullopt;
    }
    return static_cast<int>(*number);
}

std::optional<bool> ObjectReader::truth(std::string_view key) {
    const Json* found = value(key);
    if (found == nullptr) return std::nullopt;
    if (found->is_boolean()) return found->get<bool>();
    if (found->is_string()) return says_true(found->get_ref<const std::string&>());
    problem(key, "must be true or false");
    return std::nullopt;
}

std::optional<std::chrono::milliseconds> ObjectReader::duration(std::string_view key,
                                                                std::string_view else_told) {
    const Json* found = value(key);
    if (found == nullptr) return std::nullopt;
    const auto millis = duration_in(*found);
    if (!millis || *millis < 0) {
        problem(key, std::string(else_told));
        return std::nullopt;
    }
    return std::chrono::milliseconds{*millis};
}

std::vector<std::string> ObjectReader::names_at(const Json& json, const std::string& path) {
    std::vector<std::string> names;
    if (!json.is_array()) {
        problems_->push_back({path, "must be an array of names"});
        return names;
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
        auto name = text_at(json[i], path + "." + std::to_string(i));
        if (name) names.push_back(*std::move(name));
    }
    return without_repetition(names);
}

std::vector<std::string> ObjectReader::names(std::string_view key) {
    const Json* found = value(key);
    if (found == nullptr) return {};
    return names_at(*found, path_of(key));
}

std::vector<std::vector<std::string>> ObjectReader::groups(std::string_view key) {
    const Json* found = value(key);
    if (found == nullptr) return {};
    if (!found->is_array()) {
        problem(key, "must be an array of arrays of names");
        return {};
    }
    std::vector<std::vector<std::string>> groups;
    std::set<std::vector<std::string>> seen;
    for (std::size_t i = 0; i < found->size(); ++i) {
        auto group = names_at((*found)[i], path_of(key) + "." + std::to_string(i));
        if (seen.insert(sorted(group)).second) groups.push_back(std::move(group));
    }
    return groups;
}

std::map<std::string, std::string> ObjectReader::texts() {
    std::map<std::string, std::string> texts;
    if (json_ == nullptr) return texts;
    for (const auto& [name, value] : json_->items()) {
        if (value.is_null()) continue;
        auto text = text_at(value, path_of(name));
        if (text) texts[name] = std::move(*text);
    }
    return texts;
}

ObjectReader ObjectReader::object(std::string_view key) {
    return {value(key), path_of(key), *problems_};
}

ObjectReader ObjectReader::element(std::string_view key, std::size_t at) {
    return {&(*value(key))[at], path_of(key) + "." + std::to_string(at), *problems_};
}

std::vector<ObjectReader> ObjectReader::objects(std::string_view key) {
    const Json* found = value(key);
    if (found == nullptr) return {};
    if (!found->is_array()) {
        problem(key, "must be an array of objects");
        return {};
    }
    std::vector<ObjectReader> readers;
    for (std::size_t i = 0; i < found->size(); ++i) {
        readers.push_back(element(key, i));
    }
    return readers;
}

std::vector<std::pair<std::string, ObjectReader>> ObjectReader::members() {
    std::vector<std::pair<std::string, ObjectReader>> readers;
    if (json_ == nullptr) return readers;
    for (const auto& [name, value] : json_->items()) {
        readers.emplace_back(name, ObjectReader{&value, path_of(name), *problems_});
    }
    return readers;
}

}  // namespace provisioner::model
