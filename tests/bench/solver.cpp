// Time and memory of the layout solver over numbers of nodes and services.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/solver/solve.hpp"
#include "tests/support/builders.hpp"

using namespace provisioner;
using solver::LayoutProblem;
using Names = std::vector<std::string>;

namespace {

constexpr unsigned seeds = 10;

LayoutProblem with_services(int services, int nodes) {
    LayoutProblem problem;
    problem.cluster_template.header.name = "bench";
    problem.provider = "cloud";
    problem.machines = nodes;
    for (const auto* name : {"large", "medium", "small"}) {
        problem.hardware_types.push_back(tests::a_hardware_type(name));
    }
    problem.image_types.push_back(tests::an_image_type("debian12"));
    for (int i = 0; i < services; ++i) {
        const auto name = "service" + std::to_string(100 + i);
        problem.cluster_template.defaults.services.push_back(name);
        problem.all_services.push_back(tests::a_service(name));
    }
    return problem;
}

// A template as people write them, of roles with 4 services each: every role on nodes of its own,
// the services of a role together; masters once, workers any number of times, small helpers that
// go where there is room.
LayoutProblem of_roles(int services, int nodes) {
    auto problem = with_services(services, nodes);
    const auto& names = problem.cluster_template.defaults.services;
    auto& rules = problem.cluster_template.constraints;
    const auto count = static_cast<std::size_t>(services);
    for (std::size_t i = 0; i < count; i += 4) {
        const auto end = std::min(i + 3, count);
        rules.must_coexist.emplace_back(names.begin() + static_cast<long>(i),
                                        names.begin() + static_cast<long>(end));
        const bool is_master = i % 8 == 0;
        rules.services.push_back(
            {names[i],
             {is_master ? Names{"large"} : Names{}, {}, 1, is_master ? 1 : model::no_maximum}});
        if (end < count) rules.services.push_back({names[end], {{}, {}, 0, 3}});
        for (std::size_t j = 0; j < i; j += 4) rules.cant_coexist.push_back({names[i], names[j]});
    }
    return problem;
}

// Rules without any order: `constraints` of them, of all kinds.
LayoutProblem at_random(int services, int nodes, int constraints, unsigned seed) {
    auto problem = with_services(services, nodes);
    const auto& names = problem.cluster_template.defaults.services;
    auto& rules = problem.cluster_template.constraints;
    std::mt19937 engine(seed);
    const auto any = [&] { return names[engine() % names.size()]; };
    for (const auto& name : names) rules.services.push_back({name, {}});
    for (int i = 0; i < constraints; ++i) {
        auto& rule = rules.services[engine() % names.size()].second;
        switch (engine() % 8) {
            case 0:
                rules.must_coexist.push_back({any(), any()});
                break;
            case 1:
                rules.cant_coexist.push_back({any(), any(), any()});
                break;
            case 2:
            case 3:
            case 4:
                rules.cant_coexist.push_back({any(), any()});
                break;
            case 5:
                rule.min = 1 + static_cast<int>(engine() % 3);
                rule.max = std::max(rule.max, rule.min);
                break;
            case 6:
                rule.max = rule.min + 1 + static_cast<int>(engine() % 5);
                break;
            default:
                rule.hardware_types = {engine() % 2 == 0 ? "large" : "medium", "small"};
        }
    }
    return problem;
}

struct Measured {
    double milliseconds = 0;
    int layouts = 0;
    int refused = 0;
    int too_hard = 0;
};

void solve_into(const LayoutProblem& problem, Measured& measured) {
    const auto began = std::chrono::steady_clock::now();
    const auto layout = solver::solve(problem);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    measured.milliseconds = std::max(measured.milliseconds, took.count());
    const bool too_hard =
        !layout && layout.error().reasons[0].find("too hard") != std::string::npos;
    ++(layout ? measured.layouts : too_hard ? measured.too_hard : measured.refused);
}

Measured roles(int services, int nodes) {
    Measured measured;
    solve_into(of_roles(services, nodes), measured);
    return measured;
}

Measured random(int services, int nodes, int constraints) {
    Measured measured;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        solve_into(at_random(services, nodes, constraints, seed), measured);
    }
    return measured;
}

long peak_kilobytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

void row(const std::string& name, const Measured& measured) {
    std::printf("%-44s %9.2f ms  %3d laid out %3d refused %3d too hard  %6ld KB\n", name.c_str(),
                measured.milliseconds, measured.layouts, measured.refused, measured.too_hard,
                peak_kilobytes());
}

void table() {
    for (const int services : {5, 10, 20, 40, 60, 100}) {
        for (const int nodes : {10, 100, 1000, 10'000}) {
            row("roles, " + std::to_string(services) + " services, " + std::to_string(nodes) +
                    " nodes",
                roles(services, nodes));
        }
    }
    for (const int services : {10, 20, 40, 60, 100}) {
        for (const int nodes : {3, 5, 10, 100, 10'000}) {
            row("random, " + std::to_string(services) + " services, " + std::to_string(nodes) +
                    " nodes",
                random(services, nodes, services * 5 / 3));
        }
    }
}

// The slowest of them all.
double slowest(std::initializer_list<Measured> all) {
    double slowest = 0;
    for (const auto& measured : all) slowest = std::max(slowest, measured.milliseconds);
    return slowest;
}

// What has a goal, "name value" a line.
void figures() {
    roles(20, 10);  // the first meets cold caches
    const double few_nodes = roles(20, 10).milliseconds;
    const double many_nodes = roles(20, 10'000).milliseconds;
    std::printf("20_services_on_10000_nodes %.2f\n",
                slowest({roles(20, 10'000), random(20, 10'000, 33)}));
    std::printf("60_services_100_constraints %.2f\n",
                slowest({random(60, 5, 100), random(60, 100, 100), roles(60, 10), roles(60, 100)}));
    std::printf("time_on_10000_nodes_per_10_nodes %.2f\n", many_nodes / few_nodes);
    std::printf("time_of_40_services_per_20_services %.2f\n",
                roles(40, 100).milliseconds / roles(20, 100).milliseconds);
    std::printf("peak_memory %.2f\n", static_cast<double>(peak_kilobytes()) / 1024);
}

}  // namespace

/// bench_solver [figures]: the table of time and memory over services and nodes, or the figures.
int main(int count, char** words) {
    if (count > 1 && std::string(words[1]) == "figures") {
        figures();
    } else {
        table();
    }
}
