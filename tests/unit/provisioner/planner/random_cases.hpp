#pragma once

#include <random>
#include <vector>

#include "provisioner/model/catalogue/service.hpp"

namespace tests {

/// Chance for random clusters and operations; the same seed gives the same everywhere.
class Dice {
 public:
    explicit Dice(unsigned seed) : engine_(seed) {}

    std::size_t below(std::size_t limit) { return engine_() % limit; }
    bool one_in(std::size_t count) { return below(count) == 0; }

    template <class T>
    std::vector<T> some(const std::vector<T>& all, std::size_t one_of) {
        std::vector<T> chosen;
        for (const T& each : all) {
            if (one_in(one_of)) chosen.push_back(each);
        }
        return chosen;
    }

 private:
    std::mt19937 engine_;
};

/// What services of random cases do.
inline const std::vector<provisioner::model::Action> service_actions{
    provisioner::model::Action::install, provisioner::model::Action::configure,
    provisioner::model::Action::initialize, provisioner::model::Action::start,
    provisioner::model::Action::stop};

/// One to seven services s0, s1, ... with random actions. Each needs only services of smaller
/// numbers and names they provide, so there is no circle.
std::vector<provisioner::model::Service> random_services(Dice& dice);

}  // namespace tests
