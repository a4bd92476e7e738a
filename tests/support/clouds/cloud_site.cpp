#include "tests/support/clouds/cloud_site.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <variant>

#include "provisioner/identity/ssh_keys.hpp"

namespace tests {

using namespace provisioner;
using providers::Pending;

namespace {

using Clock = std::chrono::steady_clock;

/// The peers are on this host.
constexpr auto own_network = http_client::OwnNetwork::open;

/// Numbers of calls by operation, added up; a list counts its elements.
long long sum_of(const base::Json& calls) {
    if (calls.is_number_integer()) return calls.get<long long>();
    if (calls.is_array()) return static_cast<long long>(calls.size());
    long long sum = 0;
    if (calls.is_object()) {
        for (const auto& [operation, number] : calls.items()) sum += sum_of(number);
    }
    return sum;
}

/// Asks until the answer is not Pending.
template <class Ask>
auto asked_until_told(const CloudSite& site, const Ask& ask) {
    const auto until = Clock::now() + site.patience;
    for (;;) {
        std::optional<std::decay_t<decltype(ask())>> answer;
        auto pause = site.longest_pause;
        try {
            answer = ask();
        } catch (const providers::cloud::Lost&) {
            if (Clock::now() > until) throw;
        }
        if (answer) {
            const auto* pending = std::get_if<Pending>(&*answer);
            if (pending == nullptr || Clock::now() > until) return *std::move(answer);
            pause = std::min(pause, pending->poll_in);
        }
        std::this_thread::sleep_for(pause);
    }
}

/// The answer of that kind; throws with the words of another one.
template <class Wanted, class Answer>
Wanted expected(const Answer& answer) {
    if (const auto* wanted = std::get_if<Wanted>(&answer)) return *wanted;
    if (const auto* refused = std::get_if<providers::Refused>(&answer)) {
        throw std::runtime_error("refused: " + refused->message);
    }
    if (const auto* pending = std::get_if<Pending>(&answer)) {
        throw std::runtime_error("pending: " + pending->reason);
    }
    throw std::runtime_error("not refused");
}

}  // namespace

CloudSite::CloudSite(const std::vector<std::string>& command, const MakeCloud& make_cloud)
    : script_(command.front()),
      server_(command),
      client_(http_client::make_curl_client(own_network)) {
    calls_ = std::make_unique<providers::cloud::Calls>(*client_, limits_, clock_);
    provider_ = providers::cloud::provider_of(
        make_cloud({.calls = *calls_, .tokens = tokens_, .own_network = own_network}), own_network);
}

CloudSite::~CloudSite() {
    if (std::getenv("COOPERAGE_CLOUDS_REPORT") == nullptr) return;
    try {
        report();
    } catch (const std::exception&) {
        // The stand-in may be one that was ended by the test.
    }
}

void CloudSite::report() {
    const std::size_t left = left_after_sweep();
    const base::Json all = calls();
    const base::Json line{{"peer", script_},
                          {"calls", sum_of(all.is_object() ? all.value("calls", all) : all)},
                          {"faults", faults_},
                          {"made", made_.size()},
                          {"left", left}};
    std::ofstream(std::getenv("COOPERAGE_CLOUDS_REPORT"), std::ios::app)
        << base::to_text(line) + "\n";
}

// Where the peer refuses by now, because the test ended with a fault or without credentials, nobody
// can take anything away: then all that was made and not taken away counts as left.
std::size_t CloudSite::left_after_sweep() {
    patience = std::chrono::seconds{10};
    std::size_t left = 0;
    for (auto& [id, made] : made_) {
        if (taken_.contains(id)) continue;
        made.spec.task = 0;
        try {
            take_away(made.account, made.spec, results_of(id));
            const auto seen = answer(provider_->machines(made.account));
            left += static_cast<std::size_t>(std::count_if(
                seen.begin(), seen.end(),
                [&id = id, &spec = made.spec](const auto& machine) { return machine.id == id; }));
        } catch (const std::exception&) {
            ++left;
        }
    }
    return left;
}

std::string CloudSite::url() const {
    return "http://127.0.0.1:" + std::to_string(server_.port());
}

providers::Account CloudSite::account(const std::string& type, base::Json fields) const {
    providers::Account account;
    account.tenant.value = 1;
    account.provider = "cloud";
    account.provider_type = type;
    account.fields = std::move(fields);
    account.installation = "0123456789abcdef0123456789abcdef";
    return account;
}

providers::MachineSpec CloudSite::spec(int number, long long task) {
    providers::MachineSpec spec;
    spec.name = "00000001-" + std::to_string(number);
    spec.task = task;
    spec.cluster = "00000001";
    spec.hostname = "web" + std::to_string(number) + ".example.org";
    spec.ssh_user = "admin";
    const base::Secret key(std::string("a login key of the tests"));
    spec.authorized_key = identity::ssh_key_pair(identity::derived_secret(key, "login")).public_key;
    spec.host_key_seed = identity::derived_secret(key, spec.name);
    spec.open_ports = {"80/tcp"};
    return spec;
}

providers::Created CloudSite::make(const providers::Account& account, providers::MachineSpec spec) {
    auto created =
        asked_until_told(*this, [&] { return answer(provider_->create(account, spec)); });
    const auto* machine = std::get_if<providers::Machine>(&created);
    if (machine != nullptr) made_[machine->id] = {account, spec};
    return created;
}

providers::Confirmed CloudSite::confirm(const providers::Account& account,
                                        providers::MachineSpec spec, const base::Json& results) {
    const auto began = Clock::now();
    return asked_until_told(*this, [&] {
        spec.asked_for = std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - began);
        return answer(provider_->confirm(account, spec, results));
    });
}

providers::Destroyed CloudSite::take_away(const providers::Account& account,
                                          const providers::MachineSpec& spec,
                                          const base::Json& results) {
    auto destroyed =
        asked_until_told(*this, [&] { return answer(provider_->destroy(account, spec, results)); });
    if (std::holds_alternative<providers::Gone>(destroyed)) {
        taken_.insert(providers::provider_id(results, spec));
    }
    return destroyed;
}

base::Json CloudSite::results_of(const std::string& id) {
    return {{"providerid", id}};
}

providers::Machine CloudSite::made(const providers::Account& account,
                                   const providers::MachineSpec& spec) {
    return expected<providers::Machine>(make(account, spec));
}

providers::Reachable CloudSite::reached(const providers::Account& account,
                                        const providers::MachineSpec& spec, const std::string& id) {
    return expected<providers::Reachable>(confirm(account, spec, results_of(id)));
}

void CloudSite::gone(const providers::Account& account, const providers::MachineSpec& spec,
                     const std::string& id) {
    expected<providers::Gone>(take_away(account, spec, results_of(id)));
}

std::string CloudSite::refusal(const providers::Account& account,
                               const providers::MachineSpec& spec) {
    return expected<providers::Refused>(make(account, spec)).message;
}

int CloudSite::calls_of(const std::string& operation) {
    const base::Json all = calls();
    const base::Json* counts = base::member(all, "calls");
    return counts == nullptr ? 0 : counts->value(operation, 0);
}

base::Json CloudSite::state() {
    return control("GET", "/-/state");
}

base::Json CloudSite::calls() {
    return control("GET", "/-/calls");
}

void CloudSite::fault(const base::Json& fault) {
    ++faults_;
    control("POST", "/-/fault", base::to_text(fault));
}

base::Json CloudSite::control(const std::string& method, const std::string& path,
                              const std::string& body) {
    http_client::Request request;
    request.method = method;
    request.url = url() + path;
    request.body = body;
    request.headers = {{"Content-Type", "application/json"}};
    request.longest_reply = 64 << 20;
    boost::asio::io_context loop;
    const auto replies = http_client::send_all(loop, *client_, std::span(&request, 1));
    const http_client::Reply& reply = replies.front();
    if (reply.status < 200 || reply.status > 299) {
        throw std::runtime_error(method + " " + path + ": " + std::to_string(reply.status) + " " +
                                 reply.error + reply.body);
    }
    return base::parse_json(reply.body).value_or(base::Json());
}

}  // namespace tests
