#include "tests/integration/provisioner/providers/cloudstack/fixture.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloudstack/cloudstack_cloud.hpp"

namespace cloudstack_tests {

using namespace provisioner;

namespace {

constexpr auto api_key = "plgWJfZK4gyS3mOMTVmjUVg-X-jlWlnfaUJ9GAbBbf9EdM";
constexpr auto api_secret = "VDaACYb0LV9eNjTetIOElcVQkvJck_J+QljX/FcHRj87ZKiy0z0ty0ZsYBkoXkY9";

}  // namespace

Region::Region()
    : site({"tests/support/clouds/cloudstack_stand_in.py", api_key, api_secret},
           [](providers::cloud::Tools tools) {
               return std::make_unique<providers::cloudstack::CloudStackCloud>(tools);
           }) {}

providers::Account Region::account(const base::Json& fields) const {
    base::Json all = {{"api_endpoint", site.url() + "/client/api"},
                      {"api_key", api_key},
                      {"api_secret", api_secret},
                      {"availability_zone", "eu-one"},
                      {"calls_per_second", "500"},
                      {"creations_per_second", "100"}};
    all.update(fields);
    return site.account("cloudstack", all);
}

providers::Account Region::behind_router() const {
    return account({{"availability_zone", "eu-two"}, {"cloudstack_address", "static_nat"}});
}

providers::MachineSpec Region::spec(int number, long long task) {
    providers::MachineSpec spec = tests::CloudSite::spec(number, task);
    spec.flavor = "Small Instance";
    spec.image = "debian-12";
    return spec;
}

void Region::set(const base::Json& settings) {
    site.control("POST", "/-/settings", base::to_text(settings));
}

providers::Machine Region::made(const providers::Account& account,
                                const providers::MachineSpec& spec) {
    return site.made(account, spec);
}

providers::Machine Region::made(const providers::MachineSpec& spec) {
    return made(account(), spec);
}

base::Json Region::results(const std::string& id) {
    return tests::CloudSite::results_of(id);
}

std::string Region::refusal(const providers::Account& account, const providers::MachineSpec& spec) {
    return site.refusal(account, spec);
}

void Region::is_not_blamed() {
    const base::Json calls = site.calls();
    BOOST_TEST(calls["refused"].empty(), base::to_text(calls["refused"]));
    BOOST_TEST(calls["wrong_answers"].empty(), base::to_text(calls["wrong_answers"]));
}

}  // namespace cloudstack_tests
