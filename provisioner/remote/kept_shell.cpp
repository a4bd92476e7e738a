#include "provisioner/remote/kept_shell.hpp"

#include <utility>

namespace provisioner::remote {

namespace asio = boost::asio;

asio::awaitable<std::optional<std::string>> KeptShell::ask(std::string request,
                                                           AnswerReader& reader,
                                                           Wire::Deadline deadline) {
    complaint_ = {};
    if (!is_open_) {
        Wire::Command serve{
            .line = commands_.serve(), .input = {}, .more = {}, .sink = {}, .deadline = deadline};
        co_await wire_.open_kept(std::move(serve));
        is_open_ = true;
        request.insert(0, commands_.greeting());
    }
    is_woken_ = false;
    std::optional<std::string> answer;
    Wire::Command command{
        .line = {}, .input = request, .more = {}, .sink = {}, .deadline = deadline};
    command.sink = [&](Stream stream, std::string_view piece) {
        if (stream == Stream::out) {
            reader.pass(piece);
            if (!answer) answer = reader.take_answer();
        } else {
            complaint_.add(piece);
            is_woken_ = true;
        }
    };
    command.enough = [&answer] { return answer.has_value(); };
    co_await wire_.talk(std::move(command));
    if (answer) co_return answer;
    is_open_ = false;
    exit_code_ = co_await wire_.close_kept(deadline);
    co_return std::nullopt;
}

asio::awaitable<bool> KeptShell::rest(Wire::Deadline until, Wire::Deadline deadline) {
    if (!is_woken_) co_await listen(until, deadline, [this] { return is_woken_; });
    co_return std::exchange(is_woken_, false);
}

asio::awaitable<void> KeptShell::rest_anyway(Wire::Deadline until, Wire::Deadline deadline) {
    co_await listen(until, deadline, [] { return false; });
}

// The end of the shell is not reported here: the next ask() finds it out.
asio::awaitable<void> KeptShell::listen(Wire::Deadline until, Wire::Deadline deadline,
                                        std::function<bool()> enough) {
    Wire::Command command{.line = {}, .input = {}, .more = {}, .sink = {}, .deadline = deadline};
    command.sink = [this](Stream, std::string_view piece) {
        complaint_.add(piece);
        is_woken_ = true;
    };
    command.enough = std::move(enough);
    command.until = until;
    co_await wire_.talk(std::move(command));
}

}  // namespace provisioner::remote
