#pragma once

#include <random>
#include <string>
#include <vector>

namespace tests {

/// Random choices for problems made up by tests; the same seed gives the same choices everywhere.
class Chance {
 public:
    explicit Chance(unsigned seed) : engine_(seed) {}

    /// 0 to `most`.
    int upto(int most) { return static_cast<int>(engine_() % static_cast<unsigned>(most + 1)); }

    bool one_in(int count) { return upto(count - 1) == 0; }

    /// Each of the names with a chance of one in `in`.
    std::vector<std::string> some_of(const std::vector<std::string>& names, int in) {
        std::vector<std::string> some;
        for (const auto& name : names) {
            if (one_in(in)) some.push_back(name);
        }
        return some;
    }

 private:
    std::mt19937 engine_;
};

}  // namespace tests
