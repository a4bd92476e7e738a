#include "provisioner/providers/local/local_provider.hpp"

#include "provisioner/providers/local/helper_client.hpp"
#include "provisioner/providers/ssh_banner.hpp"

namespace provisioner::providers::local {
namespace asio = boost::asio;

namespace {

using namespace std::chrono_literals;

/// sshd answers a fraction of a second after the start.
constexpr auto poll_interval = 100ms;

asio::awaitable<std::variant<Host, Refused>> ask(std::string socket, std::string request) {
    const std::string answer = co_await ask_helper(std::move(socket), std::move(request));
    co_return read_answer(answer);
}

/// The host has no record any more, or its first process is gone.
Refused not_running(const Host& host) {
    return {.message = "the local host " + host.name + " is " + host.state +
                       " (its machine may have been restarted)",
            .worth_retrying = false,
            .nothing_created = false};
}

}  // namespace

asio::awaitable<Created> LocalProvider::create(const Account& account, const MachineSpec& spec) {
    auto request = start_request(settings_, account.fields, spec);
    if (!request) {
        Refused refused{.message = base::to_text(request.error()),
                        .worth_retrying = false,
                        .nothing_created = true};
        co_return refused;
    }
    const auto answer = co_await ask(settings_.socket, std::move(*request));
    if (const auto* refused = std::get_if<Refused>(&answer)) co_return *refused;
    co_return machine_of(std::get<Host>(answer));
}

asio::awaitable<Confirmed> LocalProvider::confirm(const Account&, const MachineSpec& spec,
                                                  const base::Json& results) {
    auto request = status_request(provider_id(results, spec));
    const auto answer = co_await ask(settings_.socket, std::move(request));
    if (const auto* refused = std::get_if<Refused>(&answer)) co_return *refused;
    const Host& host = std::get<Host>(answer);
    if (host.state != "running") co_return not_running(host);
    const bool answers = co_await answers_with_ssh(host.address);
    if (answers) co_return reachable_of(host);
    Pending pending{.poll_in = poll_interval, .reason = "sshd does not answer yet"};
    co_return pending;
}

asio::awaitable<Destroyed> LocalProvider::destroy(const Account&, const MachineSpec& spec,
                                                  const base::Json& results) {
    auto request = stop_request(provider_id(results, spec), spec.task);
    const auto answer = co_await ask(settings_.socket, std::move(request));
    if (const auto* refused = std::get_if<Refused>(&answer)) co_return *refused;
    co_return Gone{};
}

asio::awaitable<std::vector<SeenMachine>> LocalProvider::machines(const Account&) {
    auto request = list_request();
    const std::string answer = co_await ask_helper(settings_.socket, std::move(request));
    co_return read_list(answer);
}

std::string LocalProvider::account_name(const Account&) const {
    return settings_.host + ":" + settings_.state_dir;
}

model::PluginType LocalProvider::type() const {
    model::PluginType type;
    type.header.name = "local";
    type.login_keys = true;
    type.header.label = "Local hosts";
    type.header.description = "Real hosts on the machine the provisioner runs on";
    model::PluginField most;
    most.name = "max_hosts";
    most.label = "Most hosts at once";
    most.tip =
        "At most " + std::to_string(settings_.max_hosts) + ", the limit of this installation";
    most.default_value = std::to_string(settings_.max_hosts);
    most.default_applies = true;
    most.number = model::NumberRange{.least = 0};
    type.admin.fields = {most};
    return type;
}

}  // namespace provisioner::providers::local
