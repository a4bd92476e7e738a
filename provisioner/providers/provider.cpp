#include "provisioner/providers/provider.hpp"

namespace provisioner::providers {

std::string provider_id(const base::Json& results, const MachineSpec& spec) {
    const base::Json* id = base::member(results, "providerid");
    const bool was_told =
        id != nullptr && id->is_string() && !id->get_ref<const std::string&>().empty();
    return was_told ? id->get<std::string>() : spec.name;
}

boost::asio::awaitable<std::optional<Refused>> Provider::entered(const Account&, const MachineSpec&,
                                                                 const base::Json&,
                                                                 const std::string&) {
    co_return std::nullopt;
}

boost::asio::awaitable<Tested> Provider::test(const Account&) {
    co_return Offer{};
}

}  // namespace provisioner::providers
