#include "fcgi/pages/catalogue/provider_test.hpp"

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::member;
using provisioner::base::text_at;
using provisioner::messages::translated;

namespace {

constexpr std::size_t most_choices = 30;

Json notes_json(const Json* notes) {
    Json list = Json::array();
    for (const auto& note : provisioner::base::strings_of(notes)) {
        list.push_back(Json{{"note", note}});
    }
    return list;
}

/// "a, b and 12 more"
std::string values_words(const Json& values) {
    std::string words;
    std::size_t number = 0;
    for (const Json& value : values) {
        if (++number > most_choices) continue;
        words += (words.empty() ? "" : ", ") + text_at(value, "value");
    }
    if (number > most_choices) words += translated(" and {0} more", number - most_choices);
    return words;
}

Json choices_json(const Json* choices) {
    Json list = Json::array();
    if (choices == nullptr || !choices->is_object()) return list;
    for (const auto& [field, values] : choices->items()) {
        if (!values.is_array() || values.empty()) continue;
        Json item;
        item["field"] = field;
        item["values"] = values_words(values);
        list.push_back(std::move(item));
    }
    return list;
}

struct TestLook {
    const char* badge;
    std::string status;
};

TestLook look_of(const ProviderTestPart& part) {
    if (!part.test) return {"waiting", translated("Not tested")};
    if (!part.test->done_at && part.test->is_taken) return {"running", translated("Testing")};
    if (!part.test->done_at) return {"waiting", translated("Waiting for a provisioner")};
    return part.test->passed ? TestLook{"done", translated("Works")}
                             : TestLook{"failed", translated("Failed")};
}

}  // namespace

std::string status_words(const ProviderTestPart& part) {
    return look_of(part).status;
}

Json to_json(const ProviderTestPart& part) {
    const auto [badge, status] = look_of(part);
    Json json;
    json["badge"] = badge;
    json["status"] = status;
    json["follow"] = part.is_busy() ? "yes" : "no";
    json["may_change"] = part.may_change;
    json["test_href"] = "/catalogue/providers/" + http::percent_encode(part.provider) + "/test";
    json["asked"] = nullptr;
    json["message"] = "";
    json["notes"] = Json::array();
    json["choices"] = Json::array();
    if (part.test) {
        json["asked"] = moment(part.test->asked_at, part.now);
        json["asked"]["by"] = part.test->asked_by;
        if (part.test->done_at) json["message"] = part.test->message;
        json["notes"] = notes_json(member(part.test->offer, "notes"));
        json["choices"] = choices_json(member(part.test->offer, "choices"));
    }
    json["has_notes"] = !json["notes"].empty();
    json["has_choices"] = !json["choices"].empty();
    return json;
}

}  // namespace fcgi::pages
