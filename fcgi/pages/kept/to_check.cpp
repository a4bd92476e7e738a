#include "fcgi/pages/kept/to_check.hpp"

#include "provisioner/base/fnv1a.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
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

Json to_check_json(const std::vector<std::string>& to_check) {
    Json json;
    json["is_to_check"] = !to_check.empty();
    json["to_check"] = Json::array();
    for (const auto& warning : to_check) json["to_check"].push_back({{"warning", warning}});
    json["checked_word"] = word_of_checked(to_check);
    return json;
}

}  // namespace fcgi::pages
