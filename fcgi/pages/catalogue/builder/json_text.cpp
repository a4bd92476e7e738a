#include "fcgi/pages/catalogue/builder/json_text.hpp"
#include "provisioner/messages/translated.hpp"

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

}  // namespace

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

std::string typed_json(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fcgi::pages
