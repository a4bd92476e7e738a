#include "tests/integration/provisioner/providers/aws/site.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/aws/aws_cloud.hpp"

namespace tests {

using namespace provisioner;

namespace {

constexpr auto key = "AKIACOOPERAGE";
constexpr auto secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr auto own_tag = "cooperage-installation";

std::vector<std::string> command(const std::string& policy) {
    std::vector<std::string> words{"tests/support/clouds/ec2_stand_in.py", key, secret};
    if (!policy.empty()) words.push_back(policy);
    return words;
}

/// What a refusal or a wait says.
template <class Answer>
std::string words_of(const Answer& answer) {
    if (const auto* refused = std::get_if<providers::Refused>(&answer)) return refused->message;
    const auto* pending = std::get_if<providers::Pending>(&answer);
    return pending == nullptr ? "" : pending->reason;
}

}  // namespace

/// The metadata service is on the stand-in's port, which is known once it runs. So the settings are
/// shared with the cloud, and filled in then.
AwsSite::AwsSite(const std::string& policy, bool has_profile)
    : CloudSite(command(policy), [this, has_profile](providers::cloud::Tools tools) {
          providers::aws::AwsSettings settings;
          settings.instance_profile = has_profile;
          settings.metadata_endpoint = url();
          return std::make_unique<providers::aws::AwsCloud>(tools, settings);
      }) {
    const base::Json images = control("GET", "/-/images");
    for (const base::Json& image : images) {
        const bool fits = base::text_at(image, "name").starts_with("ubuntu") &&
                          base::text_at(image, "type") == "ebs";
        if (fits && image_.empty()) image_ = base::text_at(image, "id");
    }
    BOOST_REQUIRE(!image_.empty());
}

providers::Account AwsSite::account(const base::Json& more) const {
    base::Json fields = {
        {"api_user", key},       {"api_password", secret},     {"aws_region", "us-east-1"},
        {"api_endpoint", url()}, {"calls_per_second", "1000"}, {"creations_per_second", "1000"}};
    fields.update(more);
    return CloudSite::account("aws", fields);
}

providers::MachineSpec AwsSite::spec(int number, long long task) {
    providers::MachineSpec spec = CloudSite::spec(number, task);
    spec.image = image_;
    spec.flavor = "t3.micro";
    return spec;
}

void AwsSite::set(const base::Json& settings) {
    ask("set", settings);
}

base::Json AwsSite::ask(const std::string& what, const base::Json& given) {
    return control("POST", "/-/" + what, base::to_text(given));
}

base::Json AwsSite::things(const std::string& kind) {
    return state().at("us-east-1").at(kind);
}

std::vector<base::Json> AwsSite::living() {
    std::vector<base::Json> found;
    const base::Json instances = things("instances");
    for (const base::Json& instance : instances) {
        if (base::text_at(instance, "state") != "terminated") found.push_back(instance);
    }
    return found;
}

base::Json AwsSite::request() {
    const base::Json instances = things("instances");
    BOOST_REQUIRE(instances.size() == 1U);
    return instances[0].at("request");
}

int AwsSite::left() {
    int count = static_cast<int>(living().size());
    for (const char* kind : {"volumes", "interfaces", "groups", "keys"}) {
        const base::Json found = things(kind);
        for (const base::Json& thing : found) count += thing.at("tags").contains(own_tag) ? 1 : 0;
    }
    return count;
}

base::Json AwsSite::refused_by_judge() {
    return calls().at("refused");
}

std::string AwsSite::made(const providers::Account& account, const providers::MachineSpec& spec) {
    const auto created = make(account, spec);
    BOOST_TEST(words_of(created) == "");
    BOOST_REQUIRE(std::holds_alternative<providers::Machine>(created));
    return std::get<providers::Machine>(created).id;
}

providers::Refused AwsSite::refusal(const providers::Account& account,
                                    const providers::MachineSpec& spec) {
    const auto created = make(account, spec);
    BOOST_REQUIRE(std::holds_alternative<providers::Refused>(created));
    return std::get<providers::Refused>(created);
}

void AwsSite::removed(const providers::Account& account, const providers::MachineSpec& spec) {
    const auto destroyed = take_away(account, spec, base::Json::object());
    BOOST_TEST(words_of(destroyed) == "");
    BOOST_REQUIRE(std::holds_alternative<providers::Gone>(destroyed));
}

AwsSite& fresh_site() {
    static AwsSite site;
    // Of the case before: whatever it did, it sent nothing that the API does not know.
    BOOST_TEST(site.refused_by_judge().empty());
    site.ask("reset");
    site.patience = std::chrono::seconds{60};
    return site;
}

base::Json results_of(const std::string& id) {
    return {{"providerid", id}};
}

}  // namespace tests
