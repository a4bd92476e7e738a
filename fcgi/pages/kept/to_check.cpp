#include "fcgi/pages/kept/to_check.hpp"

#include <algorithm>
#include <utility>

#include "provisioner/base/fnv1a.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::messages::translated;

std::string word_of_checked(const std::vector<std::string>& to_check) {
    std::uint64_t hash = provisioner::base::fnv1a("");
    for (const auto& thing : to_check) hash = provisioner::base::fnv1a(thing + '\n', hash);
    return std::to_string(hash);
}

bool are_checked(const http::FormData& sent, const std::vector<std::string>& to_check) {
    return to_check.empty() || sent.trimmed("checked") == word_of_checked(to_check);
}

provisioner::base::Problem problem_of_unchecked() {
    return {"checked", translated("Read what is to be checked, and confirm that you have.")};
}

NamedControl control_of_checked() {
    return {.name = "checked", .id = "checked", .label = translated("I have read this")};
}

bool is_question(const Problems& problems) {
    return !problems.empty() && std::ranges::all_of(problems, [](const auto& problem) {
        return problem.field == "checked";
    });
}

Problems beside_question(Problems problems) {
    return is_question(problems) ? Problems{} : std::move(problems);
}

Json to_json(const CheckBox& box) {
    Json json;
    json["is_to_check"] = !box.to_check.empty();
    json["is_asked"] = box.is_asked;
    json["check_title"] = box.title;
    json["to_check"] = Json::array();
    for (const auto& warning : box.to_check) {
        const auto link = box.links.find(warning);
        json["to_check"].push_back(
            {{"warning", warning},
             {"check_href", link == box.links.end() ? Json() : Json(link->second)}});
    }
    json["check_notes"] = Json::array();
    for (const auto& note : box.notes) json["check_notes"].push_back({{"check_note", note}});
    json["checked_word"] = word_of_checked(box.to_check);
    json["check_act"] = box.act;
    json["check_name"] = box.name;
    json["check_value"] = box.value;
    json["check_target"] = box.target;
    json["check_form"] = box.form;
    return json;
}

}  // namespace fcgi::pages
