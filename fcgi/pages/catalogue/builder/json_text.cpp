#include "fcgi/pages/catalogue/builder/json_text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/unknown_members.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::unexpected;
using provisioner::messages::translated;

namespace {

/// Takes the events of the parser and keeps nothing but the number of values.
class ValueCount : public nlohmann::json_sax<Json> {
 public:
    explicit ValueCount(std::size_t most_values) : most_values_(most_values) {}

    bool null() override { return count(); }
    bool boolean(bool) override { return count(); }
    bool number_integer(number_integer_t) override { return count(); }
    bool number_unsigned(number_unsigned_t) override { return count(); }
    bool number_float(number_float_t, const string_t&) override { return count(); }
    bool string(string_t&) override { return count(); }
    bool binary(binary_t&) override { return count(); }
    bool start_object(std::size_t) override { return count(); }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return count(); }
    bool end_array() override { return true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

    bool has_too_many() const { return values_ > most_values_; }

 private:
    bool count() { return ++values_ <= most_values_; }

    std::size_t most_values_;
    std::size_t values_ = 0;
};

/// Where a text that is JSON has its members. Fed with every character in turn.
class MemberPlace {
 public:
    explicit MemberPlace(const std::string& path) : path_(path) {}

    /// Whether a member of the path has just ended its name.
    bool reads(char c) {
        if (is_in_text_) return ends_text(c);
        if (c == '"') {
            is_in_text_ = true;
            text_ = c;
        } else if (c == '{' || c == '[') {
            levels_.push_back({.is_array = c == '[', .awaits_name = c == '{'});
        } else if (c == '}' || c == ']') {
            levels_.pop_back();
        } else if (c == ',') {
            ++levels_.back().element;
            levels_.back().awaits_name = !levels_.back().is_array;
        }
        return false;
    }

 private:
    struct Level {
        bool is_array = false;
        bool awaits_name = false;
        std::size_t element = 0;
        std::string name{};
    };

    bool ends_text(char c) {
        text_ += c;
        const bool was_escaped = is_escaped_;
        is_escaped_ = c == '\\' && !was_escaped;
        if (c != '"' || was_escaped) return false;
        is_in_text_ = false;
        if (levels_.empty() || !levels_.back().awaits_name) return false;
        levels_.back().awaits_name = false;
        levels_.back().name = provisioner::base::parse_json(text_).value_or("").get<std::string>();
        return path() == path_;
    }

    std::string path() const {
        std::string path;
        for (const Level& level : levels_) {
            if (!path.empty()) path += '.';
            path += level.is_array ? std::to_string(level.element) : level.name;
        }
        return path;
    }

    const std::string& path_;
    std::vector<Level> levels_{};
    std::string text_{};
    bool is_in_text_ = false;
    bool is_escaped_ = false;
};

bool is_within(const std::string& outer, const std::string& path) {
    return path.size() > outer.size() && path.starts_with(outer) && path[outer.size()] == '.';
}

/// Takes the member at a path away, or the list that it stands in, and says which path that was.
std::string without_member(Json& entry, const std::string& path) {
    Json* inside = &entry;
    std::string done;
    for (std::size_t from = 0; from <= path.size();) {
        const auto end = std::min(path.find('.', from), path.size());
        const std::string name = path.substr(from, end - from);
        done = path.substr(0, end);
        if (!inside->is_object() || !inside->contains(name)) return "";
        Json& found = (*inside)[name];
        if (end == path.size() || !found.is_object()) {
            inside->erase(name);
            return done;
        }
        inside = &found;
        from = end + 1;
    }
    return "";
}

/// The entry without what cannot be read, of which `wrong` gets the paths. Nothing if that is not
/// enough.
std::optional<Json> what_can_be_read(provisioner::model::CatalogueKind kind, Json entry,
                                     std::vector<std::string>& wrong) {
    // A problem may hide another one.
    constexpr int most_rounds = 5;
    for (int round = 0; round < most_rounds; ++round) {
        auto canonical = provisioner::operations::canonical_entry(kind, entry);
        if (canonical) return *std::move(canonical);
        if (!entry.is_object()) return std::nullopt;
        for (const auto& problem : canonical.error()) {
            if (problem.field == "name") {
                entry["name"] = "new";
                continue;
            }
            auto path = without_member(entry, problem.field);
            if (!path.empty()) wrong.push_back(std::move(path));
        }
    }
    return std::nullopt;
}

}  // namespace

int line_of_member(const std::string& text, const std::string& path) {
    MemberPlace place(path);
    int line = 1;
    for (const char c : text) {
        if (c == '\n') ++line;
        if (place.reads(c)) return line;
    }
    return 1;
}

provisioner::base::expected<Json, std::string> read_typed_json(const std::string& text,
                                                               std::size_t most_values) {
    if (provisioner::base::nesting_of(text) > http::json_depth_limit) {
        return unexpected(
            translated("Objects and lists are nested more than {0} deep.", http::json_depth_limit));
    }
    ValueCount values(most_values);
    if (!Json::sax_parse(text, &values)) {
        if (values.has_too_many())
            return unexpected(std::string(translated("There are too many values.")));
        return unexpected(provisioner::base::problem_with_json(text));
    }
    auto json = provisioner::base::parse_json(text);
    if (!json) return unexpected(std::string(translated("An object has too many members.")));
    return *std::move(json);
}

provisioner::base::Problems unknown_in_text(provisioner::model::CatalogueKind kind,
                                            const Json& entry, const std::string& text,
                                            const std::string& field) {
    provisioner::base::Problems problems;
    std::vector<std::string> wrong;
    const auto canonical = what_can_be_read(kind, entry, wrong);
    if (!canonical) return problems;
    // The text is read again for each.
    constexpr std::size_t most_named = 20;
    auto unknown = provisioner::operations::unknown_members(entry, *canonical);
    std::erase_if(unknown, [&](const std::string& path) {
        return std::ranges::any_of(
            wrong, [&](const std::string& one) { return path == one || is_within(one, path); });
    });
    for (const auto& path : unknown) {
        if (problems.size() == most_named) {
            problems.push_back({field, translated("{0} more members do not exist, either.",
                                                  grouped(unknown.size() - most_named))});
            break;
        }
        problems.push_back({field, translated("Line {0}: there is no member {1}.",
                                              line_of_member(text, path), path)});
    }
    return problems;
}

provisioner::base::Problems problems_in_text(provisioner::base::Problems problems,
                                             const std::string& field) {
    for (auto& [path, message] : problems) {
        const bool is_of_member = !path.empty() && path != field && path != "version" &&
                                  path != "note" && path != "checked";
        if (!is_of_member) continue;
        message = path + ": " + problem_words(message);
        path = field;
    }
    return problems;
}

std::string typed_json(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fcgi::pages
