
#include <boost/test/unit_test.hpp>
#include <future>
#include <thread>
#include <vector>

#include "provisioner/operations/clusters/layouts.hpp"
#include "provisioner/solver/solve.hpp"
#include "tests/support/builders.hpp"

using namespace provisioner;
using operations::HardLayouts;
using operations::LayoutAnswer;
using solver::LayoutProblem;

BOOST_AUTO_TEST_SUITE(hard_layouts)

namespace {

constexpr model::TenantId here{1};
constexpr model::TenantId there{2};
constexpr model::TenantId elsewhere{3};

LayoutProblem of_machines(int machines) {
    LayoutProblem problem;
    problem.machines = machines;
    return problem;
}

/// Layouts that take until they are let go.
struct Slow {
    explicit Slow(std::size_t at_once,
                  std::chrono::milliseconds patience = std::chrono::milliseconds(1),
                  std::size_t waiting = 2)
        : layouts(
              [this](const LayoutProblem& problem) -> LayoutAnswer {
                  ++solved;
                  if (problem.machines > 1) gate.wait();
                  return solver::ClusterLayout{};
              },
              {.at_once = at_once, .patience = patience, .waiting = waiting, .kept = 2}) {}
    ~Slow() {
        let_go.set_value();
        for (std::thread& thread : threads) thread.join();
    }

    /// Begins one and returns when it is under way.
    void begin(int machines, model::TenantId tenant) {
        const int before = solved;
        threads.emplace_back([=, this] { layouts.work_out(of_machines(machines), tenant); });
        while (solved == before) std::this_thread::yield();
    }

    std::promise<void> let_go;
    std::shared_future<void> gate{let_go.get_future()};
    std::atomic<int> solved = 0;
    HardLayouts layouts;
    std::vector<std::thread> threads;
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_worked_out_is_known_until_newer_ones_take_its_place) {
    Slow slow(2);
    const auto is_known = [&](const LayoutProblem& problem) {
        return slow.layouts.find(problem).has_value();
    };
    LayoutProblem second = of_machines(1);
    second.provider = "second";
    LayoutProblem third = of_machines(1);
    third.provider = "third";

    BOOST_TEST(!is_known(of_machines(1)));
    BOOST_TEST(slow.layouts.work_out(of_machines(1), here));
    BOOST_TEST(slow.layouts.work_out(of_machines(1), here));
    BOOST_TEST(slow.solved == 1);
    BOOST_TEST(is_known(of_machines(1)));
    slow.layouts.work_out(second, here);
    slow.layouts.work_out(third, here);

    BOOST_TEST(!is_known(of_machines(1)));
    BOOST_TEST(is_known(third));
}

BOOST_AUTO_TEST_CASE(a_tenant_works_out_one_at_a_time_and_all_together_a_few) {
    Slow slow(2);
    slow.begin(2, here);

    BOOST_TEST(!slow.layouts.work_out(of_machines(1), here));
    BOOST_TEST(slow.layouts.work_out(of_machines(1), there));
    slow.begin(3, there);
    BOOST_TEST(!slow.layouts.work_out(of_machines(1), elsewhere));
}

BOOST_AUTO_TEST_CASE(when_enough_wait_the_next_is_refused_without_waiting) {
    Slow slow(1, std::chrono::hours(1), 0);
    slow.begin(2, here);

    BOOST_TEST(!slow.layouts.work_out(of_machines(1), here));
    BOOST_TEST(!slow.layouts.work_out(of_machines(1), there));
}

BOOST_AUTO_TEST_CASE(a_size_at_a_glance_is_found_easily_or_refused_without_reasons_that_take_long) {
    LayoutProblem impossible = of_machines(1);
    impossible.cluster_template.header.name = "at a glance";

    const LayoutAnswer answer = operations::layout_at_a_glance(impossible);

    BOOST_REQUIRE(!answer.has_value());
    BOOST_TEST(answer.error().reasons.front() ==
               "This size is not possible, or its layout takes long to work out.");
}

BOOST_AUTO_TEST_CASE(an_operation_begins_again_when_its_layout_was_worked_out) {
    LayoutProblem impossible = of_machines(1);
    impossible.cluster_template.header.name = "impossible";
    impossible.provider = "cloud";
    int begun = 0;

    const auto result = operations::working_out_layouts(here, [&]() -> operations::Result<int> {
        ++begun;
        const LayoutAnswer layout = operations::layout_of(impossible);
        if (layout) return 1;
        return operations::refuse(operations::Refusal::Kind::unsatisfiable, "",
                                  layout.error().reasons.front());
    });

    BOOST_TEST(begun == 2);
    BOOST_REQUIRE(!result.has_value());
    // All the reasons there are, as without a hurry.
    BOOST_TEST(result.error().problems.front().message ==
               solver::solve(impossible).error().reasons.front());
}

BOOST_AUTO_TEST_CASE(an_operation_that_asks_for_another_layout_each_time_ends) {
    int begun = 0;
    const auto result = operations::working_out_layouts(here, [&]() -> operations::Result<int> {
        LayoutProblem impossible = of_machines(++begun);
        impossible.cluster_template.header.name = "never the same";
        operations::layout_of(impossible);
        return 1;
    });

    BOOST_REQUIRE(!result.has_value());
    BOOST_TEST((result.error().kind == operations::Refusal::Kind::too_busy));
    BOOST_TEST(begun == 3);
}

BOOST_AUTO_TEST_SUITE_END()
