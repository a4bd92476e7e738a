#include "tests/unit/provisioner/planner/random_cases.hpp"

#include "tests/support/builders.hpp"

namespace tests {

using namespace provisioner::model;

namespace {

/// Needs only services of smaller numbers and names they provide, so there is no circle. Numbers 2k
/// and 2k + 1 provide "pool k"; the second may also provide the name of the first.
Service random_service(Dice& dice, std::size_t number) {
    auto service = a_service("s" + std::to_string(number),
                             dice.one_in(2) ? service_actions : dice.some(service_actions, 2));
    std::vector<std::string> others{"nowhere"};
    for (std::size_t other = 0; other < number; ++other) {
        others.push_back("s" + std::to_string(other));
        if (other % 2 == 1) others.push_back("pool" + std::to_string(other / 2));
    }
    service.dependencies.provides = {"pool" + std::to_string(number / 2)};
    if (number % 2 == 1 && dice.one_in(3)) {
        service.dependencies.provides.push_back("s" + std::to_string(number - 1));
    }
    service.dependencies.install.required = dice.some(others, 6);
    service.dependencies.install.used = dice.some(others, 6);
    service.dependencies.runtime.required = dice.some(others, 5);
    service.dependencies.runtime.used = dice.some(others, 6);
    return service;
}

}  // namespace

std::vector<Service> random_services(Dice& dice) {
    std::vector<Service> services;
    const std::size_t count = 1 + dice.below(7);
    for (std::size_t number = 0; number < count; ++number) {
        services.push_back(random_service(dice, number));
    }
    return services;
}

}  // namespace tests
