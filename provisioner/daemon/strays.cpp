#include "provisioner/daemon/strays.hpp"

#include <map>
#include <set>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include "provisioner/store/node_store.hpp"

namespace provisioner::daemon {

namespace {

template <class Value>
Value result_of(boost::asio::awaitable<Value> conversation) {
    boost::asio::io_context context{1};
    auto result = boost::asio::co_spawn(context, std::move(conversation), boost::asio::use_future);
    context.run();
    return result.get();
}

/// What is there, and who has it.
using Machines = std::map<model::MachineName, providers::Provider*>;

Machines machines_of(const providers::Registry& providers, Strays& strays) {
    Machines machines;
    for (const auto& [type, provider] : providers.all()) {
        try {
            for (const std::string& text : result_of(provider->machines())) {
                const auto name = model::machine_name_in(text);
                if (name) machines[*name] = provider.get();
                if (!name) strays.unknown.push_back(text);
            }
        } catch (const std::exception& error) {
            strays.problems.push_back("machines of provider type " + type + ": " + error.what());
        }
    }
    return machines;
}

/// One that is still going is looked at the next time, and told when it is gone.
void remove(providers::Provider& provider, const model::MachineName& name, Strays& strays) {
    providers::MachineSpec spec;
    spec.name = model::to_text(name);
    spec.cluster = model::wire_id(name.cluster);
    try {
        const auto destroyed = result_of(provider.destroy(spec, base::Json::object()));
        if (std::holds_alternative<providers::Gone>(destroyed)) {
            strays.removed.push_back(spec.name);
        } else if (const auto* refused = std::get_if<providers::Refused>(&destroyed)) {
            strays.problems.push_back(spec.name + ": " + refused->message);
        }
    } catch (const std::exception& error) {
        strays.problems.push_back(spec.name + ": " + error.what());
    }
}

}  // namespace

Strays remove_strays(store::Database& database, const providers::Registry& providers,
                     const std::function<bool()>& stopping) {
    Strays strays;
    // First what there is, then what is known: nothing is made before its node is stored.
    const Machines machines = machines_of(providers, strays);
    std::set<model::MachineName> names;
    for (const auto& [name, provider] : machines) names.insert(name);
    const auto gone = database.read(
        [&](store::Connection& connection) { return store::are_gone(connection, names); });
    for (const auto& [name, provider] : machines) {
        const auto found = gone.find(name);
        if (found == gone.end()) strays.unknown.push_back(model::to_text(name));
        if (found == gone.end() || !found->second) continue;
        if (stopping()) break;
        remove(*provider, name, strays);
    }
    return strays;
}

}  // namespace provisioner::daemon
