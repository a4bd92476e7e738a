#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace provisioner::providers::aws {

/// A call of the EC2 Query API: an action with parameters by dotted names. Always sent as the body
/// of a POST, so that no length limit of URLs applies and curl's signature is the one AWS computes.
/// Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/making-api-requests.html.
class Query {
 public:
    /// `action` is the call, "RunInstances".
    explicit Query(std::string action);

    /// Adds a parameter; with an empty value nothing, because EC2 takes an empty text as a value.
    Query& add(std::string name, std::string value);
    /// Adds `name`.1, `name`.2 ...
    Query& add_list(const std::string& name, const std::vector<std::string>& values);
    /// Adds Filter.<n>.Name and Filter.<n>.Value.1 ...; a machine must meet all filters.
    Query& add_filter(const std::string& name, const std::vector<std::string>& values);
    /// Adds or replaces the token of the next page.
    void set_page(const std::string& token);

    const std::string& action() const { return action_; }
    /// The parameters as a form, Action and Version first.
    std::string body() const;

 private:
    std::string action_;
    std::vector<std::pair<std::string, std::string>> parameters_;
    int filters_ = 0;
};

/// "true" or "false", as the API writes booleans.
std::string word_of(bool is_so);

}  // namespace provisioner::providers::aws
