#include "provisioner/providers/existing/switching.hpp"

#include "provisioner/providers/existing/listing.hpp"

namespace provisioner::providers::existing {
namespace asio = boost::asio;
using model::LeaseState;

asio::awaitable<SwitchAnswer> switch_on(Leases& leases, Power* power, const Account& account,
                                        const model::MachineLease& lease) {
    SwitchAnswer answer = Switched{};
    if (power == nullptr) co_return answer;
    const inventory::ListedMachine machine = listed_machine(lease);
    if (!lease.has_controller) {
        answer = co_await power->look(account, machine);
        if (!std::holds_alternative<Switched>(answer)) co_return answer;
        auto entering = leases.enter(lease.id, proven_by_controller(machine));
        const bool is_ours = co_await std::move(entering);
        if (!is_ours) {
            answer = Refused{.message = std::string(taken_by_another), .worth_retrying = true};
            co_return answer;
        }
    }
    answer = co_await power->on(account, machine);
    const bool is_new =
        std::holds_alternative<Switched>(answer) && lease.state == LeaseState::leased;
    if (is_new) {
        auto noted = leases.change(lease.id, LeaseState::leased, LeaseState::powered, "");
        co_await std::move(noted);
    }
    co_return answer;
}

}  // namespace provisioner::providers::existing
