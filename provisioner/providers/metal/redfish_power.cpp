#include "provisioner/providers/metal/redfish_power.hpp"

#include <algorithm>

#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::metal {
namespace asio = boost::asio;
using existing::SwitchAnswer;
using existing::Switched;
using inventory::ListedMachine;

namespace {

using namespace std::chrono_literals;

constexpr auto boot_poll = 5s;
constexpr auto shutdown_poll = 10s;

std::string controller_of(const ListedMachine& machine) {
    return "the controller of " + machine.name + " at " + machine.controller.url;
}

Pending later(std::string reason, std::chrono::milliseconds poll = boot_poll) {
    return {.poll_in = poll, .reason = std::move(reason)};
}

Refused refused(std::string message) {
    return {.message = std::move(message), .worth_retrying = false, .nothing_created = false};
}

/// What an answer other than success means.
std::variant<Pending, Refused> failure_of(const http_client::Reply& reply,
                                          const ListedMachine& machine) {
    const std::string who = controller_of(machine);
    if (reply.status == 0) {
        const bool is_trust = reply.error.find("certificate") != std::string::npos;
        return later(who + " does not answer: " + reply.error +
                     (is_trust ? " (ca_certificates must hold the authority that signed it)" : ""));
    }
    if (reply.status == 401 || reply.status == 403) {
        return refused(who + " refuses the login (bmc_user and bmc_password, or bmc_logins): " +
                       failure_in(reply));
    }
    const bool may_pass = reply.status == 409 || reply.status == 429 || reply.status >= 500;
    if (may_pass) return later(who + " is busy: " + failure_in(reply));
    return refused(who + " refuses: " + failure_in(reply));
}

template <class Answer>
Answer widened(std::variant<Pending, Refused> failure) {
    return std::visit([](auto& each) { return Answer(std::move(each)); }, failure);
}

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
    return all.empty() ? "none" : all;
}

bool succeeded(const http_client::Reply& reply) {
    return reply.status >= 200 && reply.status < 300;
}

}  // namespace

existing::TypeText type_text() {
    return {
        .name = "metal",
        .label = "Bare metal",
        .description =
            "Machines that are there already, switched on for nodes and off when they are clean"};
}

ControllerLogin login_of(const Account& account, const ListedMachine& machine) {
    ControllerLogin login{.user = cloud::text_of(account, "bmc_user"),
                          .password = base::Secret(base::text_at(account.fields, "bmc_password")),
                          .authorities = cloud::text_of(account, "ca_certificates")};
    const auto logins = base::parse_json(base::text_at(account.fields, "bmc_logins"));
    const std::string own = logins ? base::text_at(*logins, machine.name) : "";
    const auto colon = own.find(':');
    if (colon == std::string::npos) return login;
    login.user = own.substr(0, colon);
    login.password = base::Secret(own.substr(colon + 1));
    return login;
}

asio::awaitable<std::variant<std::string, Pending, Refused>> RedfishPower::path_of(
    const ControllerLogin& login, const ListedMachine& machine) {
    using Answer = std::variant<std::string, Pending, Refused>;
    auto asking = client_.send(get_request(machine.controller.url, systems_path, login));
    const http_client::Reply reply = co_await std::move(asking);
    if (!succeeded(reply)) co_return widened<Answer>(failure_of(reply, machine));
    const auto paths = systems_in(reply.body);
    if (!paths) co_return refused(controller_of(machine) + ": " + paths.error());
    if (paths->size() == 1) co_return paths->front();
    co_return refused(controller_of(machine) + " has " + std::to_string(paths->size()) +
                      " computers; bmc_system must name one: " + joined(*paths));
}

asio::awaitable<RedfishPower::Seen> RedfishPower::see(const Account& account,
                                                      const ListedMachine& machine) {
    const ControllerLogin login = login_of(account, machine);
    std::string path = machine.controller.system;
    if (path.empty()) {
        auto finding = path_of(login, machine);
        const auto found = co_await std::move(finding);
        if (const auto* pending = std::get_if<Pending>(&found)) co_return *pending;
        if (const auto* wrong = std::get_if<Refused>(&found)) co_return *wrong;
        path = std::get<std::string>(found);
    }
    auto asking = client_.send(get_request(machine.controller.url, path, login));
    const http_client::Reply reply = co_await std::move(asking);
    if (reply.status == 404) {
        auto listing = client_.send(get_request(machine.controller.url, systems_path, login));
        const http_client::Reply list = co_await std::move(listing);
        const auto paths = systems_in(list.body);
        co_return refused(controller_of(machine) + " has no " + path + " (bmc_system); it has " +
                          joined(paths.value_or(std::vector<std::string>{})));
    }
    if (!succeeded(reply)) co_return widened<Seen>(failure_of(reply, machine));
    auto system = system_in(reply.body);
    if (!system) co_return refused(controller_of(machine) + ", " + path + ": " + system.error());
    co_return *std::move(system);
}

asio::awaitable<SwitchAnswer> RedfishPower::reset(const Account& account,
                                                  const ListedMachine& machine,
                                                  const ComputerSystem& system,
                                                  std::vector<std::string> types,
                                                  Pending afterwards) {
    const std::string type = system.first_of(types);
    if (type.empty()) {
        co_return refused(controller_of(machine) + " takes no reset of type " + joined(types) +
                          "; it takes " + joined(system.reset_types));
    }
    auto asking = client_.send(reset_request(machine.controller.url, system.reset_target, type,
                                             login_of(account, machine)));
    const http_client::Reply reply = co_await std::move(asking);
    if (!succeeded(reply)) co_return widened<SwitchAnswer>(failure_of(reply, machine));
    co_return afterwards;
}

asio::awaitable<SwitchAnswer> RedfishPower::on(const Account& account,
                                               const ListedMachine& machine) {
    auto seeing = see(account, machine);
    const Seen seen = co_await std::move(seeing);
    if (const auto* pending = std::get_if<Pending>(&seen)) co_return *pending;
    if (const auto* wrong = std::get_if<Refused>(&seen)) co_return *wrong;
    const auto& system = std::get<ComputerSystem>(seen);
    if (system.power_state == "On") co_return Switched{};
    if (system.power_state == "PoweringOn") co_return later(machine.name + " is switched on");
    if (system.power_state == "PoweringOff") co_return later(machine.name + " is shutting down");
    if (system.power_state != "Off") {
        co_return refused(machine.name + " is in power state \"" + system.power_state +
                          "\", in which nobody knows how to switch it on");
    }
    auto switching = reset(account, machine, system, {"On", "ForceOn"},
                           later(machine.name + " is being switched on"));
    SwitchAnswer answer = co_await std::move(switching);
    co_return answer;
}

asio::awaitable<SwitchAnswer> RedfishPower::off(const Account& account,
                                                const ListedMachine& machine,
                                                std::chrono::milliseconds waited) {
    auto seeing = see(account, machine);
    const Seen seen = co_await std::move(seeing);
    if (const auto* pending = std::get_if<Pending>(&seen)) co_return *pending;
    if (const auto* wrong = std::get_if<Refused>(&seen)) co_return *wrong;
    const auto& system = std::get<ComputerSystem>(seen);
    if (system.power_state == "Off") co_return Switched{};
    const bool is_forced = waited > shutdown_patience;
    if (system.power_state == "PoweringOff" && !is_forced) {
        co_return later(machine.name + " is shutting down", shutdown_poll);
    }
    std::vector<std::string> types{"GracefulShutdown", "ForceOff"};
    if (is_forced) types.erase(types.begin());
    auto switching =
        reset(account, machine, system, std::move(types),
              later(machine.name + (is_forced ? " is being switched off" : " is shutting down"),
                    shutdown_poll));
    SwitchAnswer answer = co_await std::move(switching);
    co_return answer;
}

asio::awaitable<SwitchAnswer> RedfishPower::look(const Account& account,
                                                 const ListedMachine& machine) {
    auto seeing = see(account, machine);
    const Seen seen = co_await std::move(seeing);
    if (const auto* pending = std::get_if<Pending>(&seen)) co_return *pending;
    if (const auto* wrong = std::get_if<Refused>(&seen)) co_return *wrong;
    co_return Switched{};
}

base::Problems RedfishPower::problems_with(const Account& account) const {
    base::Problems problems;
    const std::string text = base::text_at(account.fields, "bmc_logins");
    const auto logins = base::parse_json(text);
    const bool is_object = logins && logins->is_object();
    const bool are_texts =
        is_object && std::all_of(logins->begin(), logins->end(), [](const base::Json& login) {
            return login.is_string() && login.get<std::string>().find(':') != std::string::npos;
        });
    if (!text.empty() && !are_texts) {
        problems.push_back({.field = "bmc_logins",
                            .message = "must be a JSON object: machine -> \"user:password\""});
    }
    if (text.empty() && cloud::text_of(account, "bmc_user").empty()) {
        problems.push_back({.field = "bmc_user", .message = "is needed, or bmc_logins"});
    }
    if (cloud::text_of(account, "bmc_user").find(':') != std::string::npos) {
        problems.push_back({.field = "bmc_user", .message = "must not contain a colon"});
    }
    return problems;
}

std::vector<model::PluginField> RedfishPower::fields() const {
    return {
        cloud::field({.name = "bmc_user",
                      .label = "User at controllers",
                      .tip = "Who may switch machines on and off by Redfish"}),
        cloud::field({.name = "bmc_password",
                      .label = "Password at controllers",
                      .tip = "Sent by HTTPS only",
                      .kind = "password"}),
        cloud::field({.name = "bmc_logins",
                      .label = "Other logins at controllers",
                      .tip = "JSON object for machines with logins of their own: name -> "
                             "\"user:password\"",
                      .kind = "password"}),
        cloud::field({.name = "ca_certificates",
                      .label = "Authorities of controllers",
                      .tip = "PEM of the authorities that signed the controllers' certificates; "
                             "empty: those of the system",
                      .leads = true}),
    };
}

}  // namespace provisioner::providers::metal
