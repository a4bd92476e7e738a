#include "provisioner/remote/steps.hpp"

#include "provisioner/remote/short_sum.hpp"

namespace provisioner::remote {

namespace {

std::string line_about(const Step& step) {
    if (const auto* upload = std::get_if<Upload>(&step)) return "upload " + upload->path + "\n";
    if (const auto* delivery = std::get_if<Delivery>(&step)) return delivery->label + "\n";
    return "run " + std::get<Run>(step).label + "\n";
}

}  // namespace

std::vector<std::string> kinds_of(const Steps& steps) {
    std::string all;
    for (const Step& step : steps) all += line_about(step);
    std::vector<std::string> kinds;
    for (const Step& step : steps) {
        const Run* run = std::get_if<Run>(&step);
        if (run == nullptr) continue;
        kinds.push_back(short_sum(all + std::to_string(kinds.size()) + "\n" +
                                  (run->script_is_fixed ? run->script : "")));
    }
    return kinds;
}

}  // namespace provisioner::remote
