#include "provisioner/providers/refusing_provider.hpp"

#include <stdexcept>

namespace provisioner::providers {
namespace asio = boost::asio;

Refused RefusingProvider::refusal() const {
    return {.message = reason_, .worth_retrying = false, .nothing_created = true};
}

asio::awaitable<Created> RefusingProvider::create(const Account&, const MachineSpec&) {
    co_return refusal();
}

asio::awaitable<Confirmed> RefusingProvider::confirm(const Account&, const MachineSpec&,
                                                     const base::Json&) {
    co_return refusal();
}

asio::awaitable<Destroyed> RefusingProvider::destroy(const Account&, const MachineSpec&,
                                                     const base::Json&) {
    co_return refusal();
}

asio::awaitable<std::vector<SeenMachine>> RefusingProvider::machines(const Account&) {
    throw std::runtime_error(reason_);
    co_return std::vector<SeenMachine>{};
}

std::string RefusingProvider::account_name(const Account&) const {
    return name_;
}

model::PluginType RefusingProvider::type() const {
    model::PluginType type;
    type.header.name = name_;
    return type;
}

}  // namespace provisioner::providers
