#include "provisioner/providers/aws/query.hpp"

#include <algorithm>

#include "provisioner/providers/cloud/calls.hpp"

namespace provisioner::providers::aws {

namespace {

constexpr auto api_version = "2016-11-15";

}  // namespace

Query::Query(std::string action) : action_(std::move(action)) {}

Query& Query::add(std::string name, std::string value) {
    if (!value.empty()) parameters_.emplace_back(std::move(name), std::move(value));
    return *this;
}

Query& Query::add_list(const std::string& name, const std::vector<std::string>& values) {
    int number = 0;
    for (const std::string& value : values) add(name + "." + std::to_string(++number), value);
    return *this;
}

Query& Query::add_filter(const std::string& name, const std::vector<std::string>& values) {
    const std::string filter = "Filter." + std::to_string(++filters_);
    add(filter + ".Name", name);
    return add_list(filter + ".Value", values);
}

void Query::set_page(const std::string& token) {
    const auto found =
        std::find_if(parameters_.begin(), parameters_.end(),
                     [](const auto& parameter) { return parameter.first == "NextToken"; });
    if (found == parameters_.end()) {
        add("NextToken", token);
    } else {
        found->second = token;
    }
}

std::string Query::body() const {
    std::string text = "Action=" + action_ + "&Version=" + api_version;
    for (const auto& [name, value] : parameters_) {
        text += "&" + name + "=" + cloud::percent_encoded(value);
    }
    return text;
}

std::string word_of(bool is_so) {
    return is_so ? "true" : "false";
}

}  // namespace provisioner::providers::aws
