#include "provisioner/remote/ssh_session.hpp"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "provisioner/base/ids.hpp"
#include "provisioner/remote/answer.hpp"
#include "provisioner/remote/complaint.hpp"
#include "provisioner/remote/host_key.hpp"
#include "provisioner/remote/kept_shell.hpp"
#include "provisioner/remote/step_wrapper.hpp"
#include "provisioner/remote/wire.hpp"

namespace provisioner::remote {

namespace asio = boost::asio;
using SteadyClock = std::chrono::steady_clock;

namespace {

// Added to a step's own limit: five seconds for the step to end by itself, the rest for a slow
// host.
constexpr std::chrono::seconds grace{60};
// Added to the grace for a file that is sent: the slowest network that is supported.
constexpr std::size_t bytes_per_second = 100'000;
// Added to the grace for a file on the node whose checksum is computed.
constexpr std::size_t bytes_read_per_second = 10'000'000;
constexpr std::size_t token_bytes = 16;
// The wrapper's exit code for content that differs from the announced size or checksum
// (EX_DATAERR).
constexpr int wrong_content = 65;
// The wrapper's exit codes when its input does not come whole and when nobody takes its output.
constexpr int no_input = 70;
constexpr int output_refused = 74;
// Anything larger has a command of its own and is read from standard input.
constexpr std::size_t largest_request = 1024 * 1024;
// A running step is looked at after a pause that doubles. Output of the step resets the pause to
// first_pause; a wake-up without new output does not.
constexpr std::chrono::milliseconds first_pause{100};
constexpr std::chrono::milliseconds longest_pause{2000};
// Characters of one line with the position of a file.
constexpr std::size_t longest_number = 21;

/// Whether a command ended because the connection broke or the machine went down, not by its own
/// fault. It was ended by a signal (a shell in between reports 128 and more), or nobody listened.
bool was_cut_short(int code) {
    return code < 0 || code > 128 || code == no_input || code == output_refused;
}

std::string name_of(const Endpoint& endpoint) {
    const bool v6 = endpoint.address.find(':') != std::string::npos;
    const std::string address = v6 ? "[" + endpoint.address + "]" : endpoint.address;
    return endpoint.user + "@" + address + ":" + std::to_string(endpoint.port);
}

std::chrono::seconds time_to_read(const DeliveredFile& file) {
    return std::chrono::seconds(file.size / bytes_read_per_second);
}

/// Reads one number a line; each must be larger than the one before and below `limit`.
std::vector<std::size_t> numbers_from(const std::string& lines, std::size_t limit) {
    std::vector<std::size_t> numbers;
    std::istringstream text(lines);
    for (std::string line; std::getline(text, line);) {
        const auto number = base::parse_number(line);
        const auto index = static_cast<std::size_t>(number.value_or(-1));
        if (index >= limit || (!numbers.empty() && index <= numbers.back())) {
            throw NodeRefusal("the node says it lacks what it was not asked for: " + line);
        }
        numbers.push_back(index);
    }
    return numbers;
}

class SshSession : public Session {
 public:
    SshSession(std::unique_ptr<Wire> wire, std::string peer, std::string host_key,
               StepCommands commands)
        : wire_(std::move(wire)),
          peer_(std::move(peer)),
          host_key_(std::move(host_key)),
          commands_(std::move(commands)),
          shell_(*wire_, commands_) {}

    asio::awaitable<void> upload(const Upload& upload) override {
        const bool fits = upload.content.size() <= largest_request &&
                          upload.content.find('\0') == std::string::npos;
        if (fits) {
            co_await write(upload);
            co_return;
        }
        const std::chrono::seconds time(upload.content.size() / bytes_per_second);
        std::string line = commands_.put(upload);
        std::string what = "upload of " + upload.path;
        Wire::Command command{.line = std::move(line),
                              .input = upload.content,
                              .more = {},
                              .sink = {},
                              .deadline = SteadyClock::now() + grace + time};
        co_await must_succeed(std::move(what), std::move(command));
    }

    asio::awaitable<std::vector<std::size_t>> lacking(const Delivery& delivery) override {
        Delivery asked{.label = delivery.label, .files = {}};
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < delivery.files.size(); ++i) {
            if (there_.contains(delivery.files[i].path)) continue;
            asked.files.push_back(delivery.files[i]);
            places.push_back(i);
        }
        std::vector<std::size_t> lacking;
        if (places.empty()) co_return lacking;
        const std::vector<std::size_t> numbers = co_await ask_which_are_lacking(asked);
        for (const std::size_t i : numbers) {
            asked.files[i].stays = false;
            lacking.push_back(places[i]);
        }
        for (const DeliveredFile& file : asked.files) note_as_there(file);
        co_return lacking;
    }

    asio::awaitable<void> send(const DeliveredFile& file, const Pieces& pieces) override {
        const std::chrono::seconds time(file.size / bytes_per_second);
        std::string line = commands_.put(file);
        // The pieces can be read only once, so call() could not repeat this command after an
        // installation.
        if (!installed_) co_await install();
        std::string what = "sending " + file.path;
        Wire::Command command{.line = std::move(line),
                              .input = {},
                              .more = pieces,
                              .sink = {},
                              .deadline = SteadyClock::now() + grace + time};
        co_await must_succeed(std::move(what), std::move(command));
        note_as_there(file);
    }

    asio::awaitable<RunResult> run(const Run& run, const StepKey& key,
                                   const OutputSink& sink) override {
        const RunResult result = co_await run_once(run, key, sink);
        // The step may have failed because somebody removed these files.
        if (result.exit_code != 0 || result.timed_out || result.stopped) there_.clear();
        co_return result;
    }

    asio::awaitable<void> stop(const StepKey& key) override {
        std::string line = commands_.stop(key);
        std::string what = "stopping step " + key.name;
        Wire::Command command{.line = std::move(line),
                              .input = {},
                              .more = {},
                              .sink = {},
                              .deadline = SteadyClock::now() + grace};
        co_await must_succeed(std::move(what), std::move(command));
    }

    const std::string& host_key() const override { return host_key_; }

    bool alive() const override { return wire_->alive(); }

    SteadyClock::time_point last_heard() const override { return wire_->last_heard(); }

 private:
    asio::awaitable<std::vector<std::size_t>> ask_which_are_lacking(const Delivery& delivery) {
        const std::string input = lacking_input(delivery);
        std::chrono::seconds time(0);
        for (const DeliveredFile& file : delivery.files) time += time_to_read(file);
        std::string numbers;
        std::string what = "looking which files are there";
        Wire::Command command{.line = commands_.lacking(),
                              .input = input,
                              .more = {},
                              .sink = {},
                              .deadline = SteadyClock::now() + grace + time};
        const std::size_t most = longest_number * delivery.files.size();
        command.sink = [&numbers, most](Stream stream, std::string_view piece) {
            if (stream == Stream::out) numbers += piece;
            if (numbers.size() > most) throw NodeRefusal("the node prints too much");
        };
        co_await must_succeed(std::move(what), std::move(command));
        co_return numbers_from(numbers, delivery.files.size());
    }

    asio::awaitable<RunResult> run_once(const Run& run, const StepKey& key,
                                        const OutputSink& sink) {
        const std::string token = base::random_hex(token_bytes);
        AnswerReader reader(token, sink);
        const auto deadline = SteadyClock::now() + run.limit + grace;
        if (run.script.size() > largest_request) {
            const RunResult result = co_await run_apart(run, key, token, reader, deadline);
            co_return result;
        }
        std::string answer = co_await ask(commands_.begin(token, run, key), reader, deadline);
        if (answer == goes_on) answer = co_await follow(commands_.look(token), reader, deadline);
        co_return read_answer(answer);
    }

    /// Asks the kept shell, and once more when the shell had ended or the wrapper was missing. So
    /// the node may carry out the request twice: it must be one that is harmless to repeat. Output
    /// given to the reader rules out the repetition, because the caller would see it twice.
    asio::awaitable<std::string> ask(std::string request, AnswerReader& reader,
                                     Wire::Deadline deadline) {
        for (bool again = true;; again = false) {
            const bool was_open = shell_.is_open();
            std::optional<std::string> answer = co_await shell_.ask(request, reader, deadline);
            if (answer) co_return *std::move(answer);
            const bool missing = shell_.exit_code() == wrapper_missing;
            if (missing) co_await install();
            const bool had_ended = was_open && reader.passed() == 0;
            if (!again || !(missing || had_ended))
                gave_no_answer(shell_.exit_code(), shell_.complaint());
        }
    }

    /// Looks at the step that was begun until it has ended; returns the answer that ended it.
    asio::awaitable<std::string> follow(std::string look, AnswerReader& reader,
                                        Wire::Deadline deadline) {
        auto pause = first_pause;
        for (;;) {
            const std::size_t passed = reader.passed();
            const bool woken = co_await shell_.rest(SteadyClock::now() + pause, deadline);
            std::optional<std::string> answer = co_await shell_.ask(look, reader, deadline);
            if (!answer) gave_no_answer(shell_.exit_code(), shell_.complaint());
            if (*answer != goes_on) co_return *std::move(answer);
            pause = reader.passed() > passed ? first_pause : std::min(2 * pause, longest_pause);
            if (woken) co_await shell_.rest_anyway(SteadyClock::now() + first_pause, deadline);
        }
    }

    /// Runs a step by a command of its own, because its script is too large for a request.
    asio::awaitable<RunResult> run_apart(const Run& run, const StepKey& key, std::string token,
                                         AnswerReader& reader, Wire::Deadline deadline) {
        std::string line = commands_.run(run, key);
        const std::string input = run_input(token, run);
        Complaint complaint;
        Wire::Command command{
            .line = std::move(line), .input = input, .more = {}, .sink = {}, .deadline = deadline};
        command.sink = [&](Stream stream, std::string_view piece) {
            if (stream == Stream::out) return reader.pass(piece);
            complaint.add(piece);
        };
        const int code = co_await call(std::move(command));
        const std::optional<std::string> answer = reader.take_answer();
        if (!answer || *answer == goes_on) gave_no_answer(code, complaint);
        co_return read_answer(*answer);
    }

    asio::awaitable<void> write(const Upload& upload) {
        Complaint complaint;
        const OutputSink sink = [&complaint](Stream, std::string_view piece) {
            complaint.add(piece);
        };
        const std::string token = base::random_hex(token_bytes);
        AnswerReader reader(token, sink);
        const std::string answer =
            co_await ask(commands_.write(token, upload), reader, SteadyClock::now() + grace);
        check("upload of " + upload.path, read_answer(answer).exit_code, complaint);
    }

    [[noreturn]] void gave_no_answer(int code, const Complaint& complaint) const {
        const std::string message =
            "the step wrapper gave no answer: " + complaint.with_exit_code(code);
        if (was_cut_short(code)) throw TransportError(peer_ + ": " + message);
        throw NodeRefusal(message);
    }

    void note_as_there(const DeliveredFile& file) {
        if (file.stays) there_.insert(file.path);
    }

    /// Most nodes have the wrapper from an earlier session. So a command goes out without asking,
    /// and is repeated after an installation only when the node reports `wrapper_missing`.
    asio::awaitable<int> call(Wire::Command command) {
        command.line = commands_.if_installed(command.line);
        Wire::Command again = command;
        int code = co_await wire_->exchange(std::move(command));
        installed_ = code != wrapper_missing;
        if (installed_) co_return code;
        // The pieces can be read only once.
        if (again.more) throw TransportError(peer_ + ": the step wrapper was removed");
        co_await install();
        code = co_await wire_->exchange(std::move(again));
        co_return code;
    }

    asio::awaitable<void> install() {
        Complaint complaint;
        Wire::Command command{.line = commands_.install(),
                              .input = step_wrapper_text(),
                              .more = {},
                              .sink = {},
                              .deadline = SteadyClock::now() + grace};
        command.sink = [&complaint](Stream, std::string_view piece) { complaint.add(piece); };
        const int code = co_await wire_->exchange(std::move(command));
        check("installing the step wrapper", code, complaint);
        installed_ = true;
    }

    /// The command's sink gets all of its output; a failure reports the end of it.
    asio::awaitable<void> must_succeed(std::string what, Wire::Command command) {
        Complaint complaint;
        const OutputSink sink = std::move(command.sink);
        command.sink = [&complaint, &sink](Stream stream, std::string_view piece) {
            complaint.add(piece);
            if (sink) sink(stream, piece);
        };
        const int code = co_await call(std::move(command));
        check(what, code, complaint);
    }

    void check(const std::string& what, int code, const Complaint& complaint) const {
        if (code == 0) return;
        const std::string message = what + " failed: " + complaint.with_exit_code(code);
        // A signal comes from a node that goes down.
        if (was_cut_short(code)) throw TransportError(peer_ + ": " + message);
        if (code == wrong_content) throw WrongContent(message);
        throw NodeRefusal(message);
    }

    std::unique_ptr<Wire> wire_;
    std::string peer_;
    std::string host_key_;
    StepCommands commands_;
    KeptShell shell_;
    bool installed_ = false;
    /// Paths of files that `stay` and were found on the node or sent to it.
    std::set<std::string> there_;
};

class SshConnector : public Connector {
 public:
    explicit SshConnector(SshOptions options) : options_(std::move(options)) {}

    asio::awaitable<std::shared_ptr<Session>> connect(const Endpoint& endpoint,
                                                      std::chrono::milliseconds patience) override {
        const Wire::Deadline deadline = SteadyClock::now() + patience;
        const std::string peer = name_of(endpoint);
        boost::system::error_code error;
        const auto address = asio::ip::make_address(endpoint.address, error);
        if (error) throw TransportError(peer + ": not an IP address");
        const asio::ip::tcp::endpoint target(address, static_cast<unsigned short>(endpoint.port));
        std::vector<base::Secret> keys{endpoint.private_key};
        keys.insert(keys.end(), endpoint.other_keys.begin(), endpoint.other_keys.end());
        auto executor = co_await asio::this_coro::executor;
        for (;;) {
            auto wire = std::make_unique<Wire>(executor, peer);
            co_await wire->open(target, deadline);
            std::string algorithms = host_key_algorithms(endpoint.host_key);
            co_await wire->shake_hands(std::move(algorithms), deadline);
            std::string shown = wire->host_key();
            if (!endpoint.host_key.empty() && !same_host_key(endpoint.host_key, shown)) {
                throw UntrustedHost(peer + ": shows the host key " + shown +
                                    " instead of the known " + endpoint.host_key);
            }
            auto logging_in = wire->log_in(endpoint.user, keys, deadline);
            const std::optional<std::size_t> left = co_await std::move(logging_in);
            if (left) {
                // The server refuses no more keys on one connection.
                keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(*left));
                continue;
            }
            StepCommands commands(options_.state_directory, endpoint.user);
            co_return std::make_shared<SshSession>(std::move(wire), peer, std::move(shown),
                                                   std::move(commands));
        }
    }

 private:
    SshOptions options_;
};

}  // namespace

std::unique_ptr<Connector> make_ssh_connector(SshOptions options) {
    return std::make_unique<SshConnector>(std::move(options));
}

}  // namespace provisioner::remote
