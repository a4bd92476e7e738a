#include "tests/integration/provisioner/providers/google/google_site.hpp"

#include <boost/test/unit_test.hpp>

namespace tests {

namespace {

/// What an answer says that is not the wanted one.
template <class Answer>
std::string words_of(const Answer& answer) {
    if (const auto* pending = std::get_if<providers::Pending>(&answer)) return pending->reason;
    const auto* refused = std::get_if<providers::Refused>(&answer);
    return refused == nullptr ? "" : refused->message;
}

}  // namespace

GoogleSite::GoogleSite()
    : CloudSite({"tests/support/clouds/gce_stand_in.py"}, providers::google::make_google) {
    key_file = base::to_text(key());
    longest_pause = std::chrono::milliseconds{20};
    patience = std::chrono::seconds{20};
}

GoogleSite::~GoogleSite() {
    if (expects_wrong_requests) return;
    const Json refused = calls().at("refused");
    BOOST_TEST(refused.empty(), "the judge refused " << refused.dump());
}

Json GoogleSite::key(const Json& permissions) {
    const Json wanted{{"project", "acme-1"}, {"permissions", permissions}};
    return control("POST", "/-/account", base::to_text(wanted));
}

providers::Account GoogleSite::account(const Json& more) {
    Json fields{{"google_project", "acme-1"},
                {"google_client_email", base::text_at(*base::parse_json(key_file), "client_email")},
                {"api_key_resource", "key.json"},
                {"zone_name", "us-central1-a"},
                {"google_root_disk_size_gb", "10"},
                {"google_data_disk_size_gb", "200"},
                {"api_endpoint", url()},
                {"calls_per_second", "1000"},
                {"creations_per_second", "1000"}};
    fields.update(more);
    providers::Account account = CloudSite::account("google", std::move(fields));
    account.files["api_key_resource"] = key_file;
    return account;
}

void GoogleSite::set(const Json& settings) {
    control("POST", "/-/settings", base::to_text(settings));
}

int GoogleSite::calls_of(const std::string& operation) {
    const Json counts = calls().at("calls");
    return counts.contains(operation) ? counts.at(operation).get<int>() : 0;
}

std::vector<std::string> GoogleSite::names(const std::string& list) {
    std::vector<std::string> names;
    const Json all = state().at(list);
    for (const Json& entry : all) names.push_back(base::text_at(entry, "name"));
    std::sort(names.begin(), names.end());
    return names;
}

Json GoogleSite::only_machine() {
    const Json machines = state().at("instances");
    BOOST_REQUIRE(machines.size() == 1U);
    return machines.front();
}

providers::Reachable GoogleSite::start(const providers::Account& account,
                                       const providers::MachineSpec& spec) {
    const auto created = make(account, spec);
    const auto* machine = std::get_if<providers::Machine>(&created);
    BOOST_REQUIRE_MESSAGE(machine != nullptr, words_of(created));
    Json results = machine->facts;
    results["providerid"] = machine->id;
    const auto confirmed = confirm(account, spec, results);
    const auto* reachable = std::get_if<providers::Reachable>(&confirmed);
    BOOST_REQUIRE_MESSAGE(reachable != nullptr, words_of(confirmed));
    return *reachable;
}

void GoogleSite::end(const providers::Account& account, const providers::MachineSpec& spec) {
    const auto destroyed = take_away(account, spec, Json::object());
    BOOST_REQUIRE_MESSAGE(std::holds_alternative<providers::Gone>(destroyed), words_of(destroyed));
}

providers::MachineSpec GoogleSite::small(int number, long long task) {
    providers::MachineSpec spec = CloudSite::spec(number, task);
    spec.flavor = "e2-small";
    spec.image = "ubuntu-2204-lts";
    return spec;
}

}  // namespace tests
